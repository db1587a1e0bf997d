import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import { comparePositions, type Range } from '../text/place.ts';

interface Nesting extends PlainSymbol {
  readonly children: Nesting[];
}

/**
 * Nests symbols that a server reports in one list, without children: each in the innermost one whose range contains it.
 * `isContainer` returns whether a symbol can have children. Covered by "overview" of the conformance answers of fortls 3.2 and
 * python-lsp-server 1.15.
 */
export function nestedRanges(
  symbols: readonly PlainSymbol[],
  isContainer: (symbol: PlainSymbol) => boolean = () => true,
): PlainSymbol[] {
  const roots: Nesting[] = [];
  const around: Nesting[] = [];
  const ordered = symbols.toSorted(
    (a, b) => comparePositions(a.range.start, b.range.start) || comparePositions(b.range.end, a.range.end),
  );
  for (const symbol of ordered) {
    const node: Nesting = { ...symbol, children: [] };
    while (around.length > 0 && !contains(around.at(-1)?.range, node.range)) around.pop();
    (around.at(-1)?.children ?? roots).push(node);
    if (isContainer(node)) around.push(node);
  }
  return roots;
}

function contains(outer: Range | undefined, inner: Range): boolean {
  return (
    outer !== undefined &&
    comparePositions(outer.start, inner.start) <= 0 &&
    comparePositions(inner.end, outer.end) <= 0
  );
}
