import { counted } from '../../base/counted.ts';
import { type GapPlace, namedFiles } from '../../base/gap.ts';
import { comparePlaces, isOutside, type Place } from '../../text/place.ts';
import { shownLine } from '../../text/text-lines.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { Entry, Ledger } from '../occurrences/ledger.ts';

const next = 'Check each of these lines';

/**
 * Adds gaps for occurrences and files that a ledger leaves open. `missing` is the subject, such as `References`.
 */
export function reportOpen(scope: SymbolScope, ledger: Ledger, parts: { name: string; missing: string }): void {
  const missing = `${parts.missing} may be missing`;
  const reason = openReason(ledger, parts.name);
  if (reason !== undefined) scope.gaps.push({ missing, reason, next, places: openPlaces(scope, ledger.open) });
  if (ledger.unread.length === 0) return;
  const unread = `${namedFiles(ledger.unread)} may contain \`${parts.name}\` but could not be read`;
  scope.gaps.push({ missing, reason: unread, next: 'Search these files for the name' });
}

/** Returns a clause about occurrences that a ledger leaves open; `undefined` if there are none. */
export function openReason({ unresolved, unchecked }: Ledger, name: string): string | undefined {
  const reasons = [
    ...(unresolved.length > 0 ? [`the language server cannot resolve ${countOf(unresolved, name)}`] : []),
    ...(unchecked.length > 0 ? [`${countOf(unchecked, name)} would take too long to check`] : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

/** Returns the lines of open places with their reasons, sorted by file and line, each line once. */
export function openPlaces(scope: SymbolScope, entries: readonly (Place & Pick<Entry, 'reason'>)[]): GapPlace[] {
  const byLine = Map.groupBy(entries, ({ file, range }) => `${file}\0${range.start.line}`);
  const firsts = [...byLine.values()].flatMap(([one]) => one ?? []);
  return firsts.sort(comparePlaces).map((entry) => {
    return { file: entry.file, line: entry.range.start.line, text: lineOf(scope, entry), why: entry.reason };
  });
}

/** Returns the first line of a place without the white space around it; an empty text if it cannot be read. */
export function lineOf(scope: SymbolScope, { file, range: { start } }: Place): string {
  const read = isOutside({ file }) ? undefined : readable(scope, file);
  return read === undefined ? '' : shownLine(read, start.line);
}

function countOf(occurrences: readonly Place[], name: string): string {
  const files = new Set(occurrences.map(({ file }) => file)).size;
  const count = `${counted(occurrences.length, 'occurrence')} of \`${name}\``;
  return files === 1 ? count : `${count} in ${counted(files, 'file')}`;
}
