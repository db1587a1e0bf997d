import { fetchBlob, requireNetwork } from '../../install/fetch/fetch.ts';
import type { Artefact } from '../../install/source/artefact.ts';
import { missingArtefacts } from '../../install/source/artefacts.ts';
import type { Work } from './work.ts';

/**
 * Returns what gives the path of one artefact after the other, fetched unless it is here, and tells how far that is. Where the
 * user forbids connections, all that would have to be fetched is named before anything is.
 *
 * @throws {ExpectedError} `install.download-failed`; from what it returns, `install.*`.
 */
export function obtainer(artefacts: readonly Artefact[], work: Work): (artefact: Artefact) => Promise<string> {
  const missing = missingArtefacts(artefacts, work);
  if (missing.length > 0) requireNetwork(missing, work);
  const { home, env, signal } = work;
  let index = 0;
  return (artefact) => {
    index++;
    const place = artefacts.length === 1 ? '' : `${index} of ${artefacts.length}: `;
    return fetchBlob(artefact, {
      ...{ home, env, signal },
      report: (progress) => work.report({ ...progress, message: `${place}${progress.message}` }),
    });
  };
}
