import type { PlainSymbol } from '../../src/lsp/features/document-symbols.ts';

/** Returns a symbol for tests; `lines` are its first and last, 0-based. */
export function symbol(
  name: string,
  kind: number,
  children: readonly PlainSymbol[] = [],
  lines: readonly [number, number] = [0, 0],
): PlainSymbol {
  const range = { start: { line: lines[0], character: 0 }, end: { line: lines[1], character: 100 } };
  return { name, kind, range, selectionRange: range, children };
}
