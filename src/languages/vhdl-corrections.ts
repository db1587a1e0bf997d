import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { Quirks } from '../servers/quirks.ts';

/** vhdl_ls 0.88 quotes the names of all symbols but functions, which have their types in brackets. */
const named = /['[]/;

/**
 * Replaces symbols without a name, such as `if statement` and unlabeled processes, by their children. Covered by
 * "overview" of the conformance answers of vhdl_ls.
 */
export const withoutAnonymous: NonNullable<Quirks['adjustSymbols']> = (symbols) => symbols.flatMap(namedOnly);

function namedOnly(symbol: PlainSymbol): PlainSymbol[] {
  const children = symbol.children.flatMap(namedOnly);
  return named.test(symbol.name) ? [{ ...symbol, children }] : children;
}
