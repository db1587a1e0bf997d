import { fetchBlob, requireNetwork } from '../../install/fetch/fetch.ts';
import type { Artifact } from '../../install/source/artifact.ts';
import { missingArtifacts } from '../../install/source/artifacts.ts';
import type { Work } from './work.ts';

/**
 * Returns a function that provides the path of each artifact, downloading it if necessary, and reports progress. If the
 * user forbids connections, all missing artifacts are listed before any work.
 *
 * @throws {ExpectedError} `install.download-failed`; the returned function throws `install.*`.
 */
export function obtainer(artifacts: readonly Artifact[], work: Work): (artifact: Artifact) => Promise<string> {
  const missing = missingArtifacts(artifacts, work);
  if (missing.length > 0) requireNetwork(missing, work);
  const { home, env, signal } = work;
  let index = 0;
  return (artifact) => {
    index++;
    const counter = artifacts.length === 1 ? '' : `${index} of ${artifacts.length}: `;
    return fetchBlob(artifact, {
      ...{ home, env, signal },
      report: (progress) => work.report({ ...progress, message: `${counter}${progress.message}` }),
    });
  };
}
