import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { offsetAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';

const importClause = /^[ \t]*import\b[^'"`;]*\bfrom\b/gm;

/**
 * Removes imports: TypeScript 7.0 and svelte-language-server 0.18 list imported names among a file's symbols. Covered
 * by "overview" of their conformance answers.
 */
export const withoutImports: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const clauses = [...text.matchAll(importClause)].map(({ 0: clause, index }) => [index, index + clause.length]);
  const { starts } = textLines(text);
  const isImport = ({ range }: PlainSymbol) => {
    const at = offsetAt(text, starts, range.start) ?? -1;
    return clauses.some(([start = 0, end = 0]) => start <= at && at < end);
  };
  const withoutImported = (list: readonly PlainSymbol[]): PlainSymbol[] =>
    list
      .filter((symbol) => !isImport(symbol))
      .map((symbol) => ({ ...symbol, children: withoutImported(symbol.children) }));
  return withoutImported(symbols);
};
