import { counted } from '../../base/counted.ts';
import { namedFiles } from '../../base/gap.ts';
import type { Place } from '../../text/place.ts';
import type { Ledger } from '../ledger.ts';
import type { SymbolScope } from '../model/scope.ts';

const maxShown = 10;

/**
 * Adds gaps for occurrences and files that a ledger leaves open. `missing` is the subject, such as `References`.
 */
export function reportOpen(scope: SymbolScope, checked: Ledger, parts: { name: string; missing: string }): void {
  const { unresolved, unchecked, unread } = checked;
  const missing = `${parts.missing} may be missing`;
  const next = 'Call `search_for_pattern` with the name and check these occurrences';
  const reasons = openReasons({ unresolved, unchecked }, parts.name);
  if (reasons.length > 0) scope.gaps.push({ missing, reason: reasons.join('; '), next });
  if (unread.length === 0) return;
  const reason = `${namedFiles(unread)} may contain \`${parts.name}\` but could not be read`;
  scope.gaps.push({ missing, reason, next: 'Search these files for the name' });
}

/** Returns one clause about unresolved occurrences and one about unchecked ones, if there are any. */
export function openReasons(
  { unresolved, unchecked }: Pick<Ledger, 'unresolved' | 'unchecked'>,
  name: string,
): string[] {
  const reasons: string[] = [];
  if (unresolved.length > 0) {
    const count = countOf(unresolved, name);
    reasons.push(`the language server cannot resolve ${count}: ${linesOf(unresolved)}`);
  }
  if (unchecked.length > 0) {
    reasons.push(`${countOf(unchecked, name)} would take too long to check`);
  }
  return reasons;
}

function countOf(occurrences: readonly Place[], name: string): string {
  const files = new Set(occurrences.map(({ file }) => file)).size;
  const count = `${counted(occurrences.length, 'occurrence')} of \`${name}\``;
  return files === 1 ? count : `${count} in ${counted(files, 'file')}`;
}

/** Returns the first few of some occurrences as `file:line`, with 0-based lines, for a message. */
export function linesOf(occurrences: readonly Place[]): string {
  const shown = occurrences.slice(0, maxShown).map(({ file, range }) => `\`${file}:${range.start.line}\``);
  return `${shown.join(', ')}${occurrences.length > maxShown ? ', …' : ''} (0-based lines)`;
}
