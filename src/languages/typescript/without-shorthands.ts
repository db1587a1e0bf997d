import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { comparePositions } from '../../text/place.ts';

/** LSP's `SymbolKind`s class, function, variable and constant. */
const declaredKinds = [5, 12, 13, 14];
/** Property and, in Deno's answers, field. */
const propertyKinds = [7, 8];

/**
 * Removes shorthand properties: tsserver 6.0 and the servers that use its code report the `reset` of `return { reset }`
 * or `defineExpose({ reset })` as a second symbol beside the function `reset` of the same scope. Covered by
 * `test/servers/shorthands.test.ts`.
 */
export const withoutShorthands: NonNullable<Quirks['adjustSymbols']> = (symbols) => withoutProperties(symbols);

function withoutProperties(symbols: readonly PlainSymbol[]): PlainSymbol[] {
  const declared = new Set(symbols.filter(({ kind }) => declaredKinds.includes(kind)).map(({ name }) => name));
  return symbols
    .filter((symbol) => !isNameOnly(symbol) || !declared.has(symbol.name))
    .map((symbol) => ({ ...symbol, children: withoutProperties(symbol.children) }));
}

function isNameOnly({ kind, range, selectionRange }: PlainSymbol): boolean {
  const isSame = comparePositions(range.start, selectionRange.start) === 0;
  return propertyKinds.includes(kind) && isSame && comparePositions(range.end, selectionRange.end) === 0;
}
