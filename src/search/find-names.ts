import { nearestFew } from '../base/nearest.ts';
import { compileFileMask } from '../text/glob.ts';
import type { NameMatches, NameQuery } from './scan-protocol.ts';
import { findReadable, type StopCheck } from './scan-walk.ts';
import type { Entry, Snapshot } from './snapshot.ts';

/**
 * Finds files by name.
 *
 * @throws {ExpectedError} `file.not-found` if `under` does not exist; `file.*` if it cannot be read.
 */
export function findNames(snapshot: Snapshot, query: NameQuery, checkStop: StopCheck): NameMatches {
  const hasName = compileFileMask(query.mask, query);
  const find = (includeIgnored: boolean) => {
    const scope = { under: query.under, includeIgnored, includeLinks: true, pruneDirectories: ['.git'] };
    const { entries, unreadable } = findReadable(snapshot, scope, checkStop);
    const files = entries.filter(({ name }) => hasName(name)).map(({ path }) => path);
    const nearNames = files.length === 0 ? nearNamesOf(query.mask, entries) : [];
    return { files, unreadable: [...unreadable], nearNames };
  };
  const shown = find(false);
  if (query.ignored === 'left-out')
    return { ...shown, ignoredCount: 0, areAllIgnored: false, nearNames: shown.nearNames };
  const all = find(true);
  const ignoredCount = all.files.length - shown.files.length;
  const areAllIgnored = shown.files.length === 0 && ignoredCount > 0;
  const files = query.ignored === 'listed' || areAllIgnored ? all.files : shown.files;
  return { files, ignoredCount, areAllIgnored, unreadable: all.unreadable, nearNames: shown.nearNames };
}

const maxNearNames = 3;

/** Returns the file names most similar to the letters of a mask such as `*modles*`. */
function nearNamesOf(mask: string, entries: readonly Entry[]): string[] {
  const letters = mask.replace(/[*?]|\[[^\]]*\]/g, '');
  if (letters.replace(/^\.\w+$/, '') === '') return [];
  return nearestFew(letters, [...new Set(entries.map(({ name }) => name))], maxNearNames);
}
