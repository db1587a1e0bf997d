import { comparePositions } from '../../../lsp/documents/ranges.ts';
import type { PlainSymbol } from '../../../lsp/features/document-symbols.ts';
import type { Quirks } from '../spec.ts';

/** LSP's `SymbolKind`s of a class, a function, a variable and a constant. */
const declaredKinds = [5, 12, 13, 14];
/** Of a property and, as Deno has it, a field. */
const propertyKinds = [7, 8];

/**
 * tsserver 6.0 and the servers that use its code give the `reset` of `return { reset }` or `defineExpose({ reset })` as a
 * second symbol beside the function `reset` of the same scope. This leaves out such a property. `test/servers/shorthands.test.ts`
 * goes red without it.
 */
export const withoutShorthands: NonNullable<Quirks['adjustSymbols']> = (symbols) => keptOf(symbols);

function keptOf(symbols: readonly PlainSymbol[]): PlainSymbol[] {
  const declared = new Set(symbols.filter(({ kind }) => declaredKinds.includes(kind)).map(({ name }) => name));
  return symbols
    .filter((symbol) => !isNameOnly(symbol) || !declared.has(symbol.name))
    .map((symbol) => ({ ...symbol, children: keptOf(symbol.children) }));
}

function isNameOnly({ kind, range, selectionRange }: PlainSymbol): boolean {
  const isSame = comparePositions(range.start, selectionRange.start) === 0;
  return propertyKinds.includes(kind) && isSame && comparePositions(range.end, selectionRange.end) === 0;
}
