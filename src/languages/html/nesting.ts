import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { comparePositions, type Range } from '../../text/place.ts';

/**
 * vscode-html-language-server 4.10 reports elements as a flat list, even to clients that support nesting. They are
 * nested by their ranges. Covered by "find" of HTML's conformance answers.
 */
export const htmlQuirks: Quirks = {
  adjustSymbols: (symbols) => {
    const ordered = [...symbols].sort(
      (a, b) => comparePositions(a.range.start, b.range.start) || comparePositions(b.range.end, a.range.end),
    );
    return nested(ordered, undefined);
  },
  // Such as `main#basket.wide`.
  syntheticNames: ['#', '.'],
  // Elements without an id or class are fields; symbols in scripts have other kinds.
  overview: { without: /^[^#.]*$/, kind: 8, isFlat: true },
};

/** Removes the symbols within `around` from the front of `queue` and returns them, nested. */
function nested(queue: PlainSymbol[], around: Range | undefined): PlainSymbol[] {
  const taken: PlainSymbol[] = [];
  for (let next = queue[0]; next !== undefined && isWithin(next.range, around); next = queue[0]) {
    queue.shift();
    taken.push({ ...next, children: nested(queue, next.range) });
  }
  return taken;
}

function isWithin({ start, end }: Range, around: Range | undefined): boolean {
  if (around === undefined) return true;
  return comparePositions(around.start, start) <= 0 && comparePositions(end, around.end) <= 0;
}
