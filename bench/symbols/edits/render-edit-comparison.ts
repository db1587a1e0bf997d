import type { Entry } from '../publishing/entry.ts';
import { tableLine } from '../table-line.ts';
import { editContenders } from './edit-contenders.ts';
import { oursEdits } from './ours-edits.ts';
import { sameEdits } from './same-edits.ts';

/** Returns a table of the other contenders, each beside this product on the symbols that both changed, as Markdown. */
export function renderEditComparison(entries: readonly Entry[]): string {
  const others = editContenders.filter((contender) => contender !== oursEdits);
  const rows = others.flatMap(({ name }) => {
    const { count, theirs, ours } = sameEdits(entries, name, oursEdits.name);
    if (count === 0) return [];
    return [[name, ...[count, theirs.right, theirs.harmful, ours.right, ours.harmful].map(String)]];
  });
  const head = ['', 'symbols', 'right', 'harmful', 'this program: right', 'harmful'];
  return [head, head.map(() => '---'), ...rows].map(tableLine).join('\n');
}
