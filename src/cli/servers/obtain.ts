import { fetchBlob, requireNetwork } from '../../install/fetch/fetch.ts';
import type { Artefact } from '../../install/source/artefact.ts';
import { missingArtefacts } from '../../install/source/artefacts.ts';
import type { Work } from './work.ts';

/**
 * Returns a function that provides the path of each artifact, downloading it if necessary, and reports progress. If the
 * user forbids connections, all missing artifacts are listed before any work.
 *
 * @throws {ExpectedError} `install.download-failed`; the returned function throws `install.*`.
 */
export function obtainer(artefacts: readonly Artefact[], work: Work): (artefact: Artefact) => Promise<string> {
  const missing = missingArtefacts(artefacts, work);
  if (missing.length > 0) requireNetwork(missing, work);
  const { home, env, signal } = work;
  let index = 0;
  return (artefact) => {
    index++;
    const counter = artefacts.length === 1 ? '' : `${index} of ${artefacts.length}: `;
    return fetchBlob(artefact, {
      ...{ home, env, signal },
      report: (progress) => work.report({ ...progress, message: `${counter}${progress.message}` }),
    });
  };
}
