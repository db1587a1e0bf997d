import type { PlainSymbol } from '../../lsp/document-symbols.ts';
import { requestReferences } from '../../lsp/locations.ts';
import { comparePositions } from '../../lsp/ranges.ts';
import { offsetAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import type { Quirks } from '../spec.ts';

const importClause = /^[ \t]*import\b[^'"`;]*\bfrom\b/gm;

/**
 * TypeScript 7.0 takes an import for a declaration: among the symbols of a file it lists what the file imports, and asked
 * for uses without declarations it leaves imports out. The conformance answers of `typescript_native` go red without either.
 */
export const typescriptNativeQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const clauses = [...text.matchAll(importClause)].map(({ 0: clause, index }) => [index, index + clause.length]);
    const { starts } = textLines(text);
    const isImport = ({ range }: PlainSymbol) => {
      const at = offsetAt(text, starts, range.start) ?? -1;
      return clauses.some(([start = 0, end = 0]) => start <= at && at < end);
    };
    return symbols.filter((symbol) => !isImport(symbol));
  },
  references: async (server, place, limits) => {
    const found = await requestReferences(server, place, limits, { includeDeclaration: true });
    return found.filter(
      ({ path, range }) => path !== place.path || comparePositions(range.start, place.position) !== 0,
    );
  },
};
