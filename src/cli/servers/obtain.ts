import { fetchBlob, requireNetwork } from '../../install/fetch/fetch.ts';
import type { Artifact } from '../../install/source/artifact.ts';
import { missingArtifacts } from '../../install/source/artifacts.ts';
import type { Work } from './work.ts';

/**
 * Returns what gives the path of one artefact after the other, fetched unless it is here, and tells how far that is. Where the
 * user forbids connections, all that would have to be fetched is named before anything is.
 *
 * @throws {ExpectedError} `install.download-failed`; from what it returns, `install.*`.
 */
export function obtainer(artifacts: readonly Artifact[], work: Work): (artifact: Artifact) => Promise<string> {
  const missing = missingArtifacts(artifacts, work);
  if (missing.length > 0) requireNetwork(missing, work);
  const { home, env, signal } = work;
  let index = 0;
  return (artifact) => {
    index++;
    const place = artifacts.length === 1 ? '' : `${index} of ${artifacts.length}: `;
    return fetchBlob(artifact, {
      ...{ home, env, signal },
      report: (progress) => work.report({ ...progress, message: `${place}${progress.message}` }),
    });
  };
}
