import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';

const wordsBefore =
  /(?:(?<![\w$>:])(?:abstract|final|readonly|static|public|protected|private|function|class|interface|trait|enum)\s+)+&?$/i;

/**
 * In a file that ends with `?>`, intelephense 1.18 starts the range of a definition at its name, so that deleting it
 * would leave `function` behind. Covered by "?>" in `test/servers/php.test.ts`.
 */
export const intelephenseQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const lines = text.split(/\r\n|\n|\r/);
    return symbols.map((symbol) => withWordsBefore(symbol, lines));
  },
  syntheticNames: ['Closure'],
};

function withWordsBefore(symbol: PlainSymbol, lines: readonly string[]): PlainSymbol {
  const { start, end } = symbol.range;
  const words = wordsBefore.exec((lines[start.line] ?? '').slice(0, start.character));
  const children = symbol.children.map((child) => withWordsBefore(child, lines));
  if (words === null) return { ...symbol, children };
  return { ...symbol, children, range: { start: { line: start.line, character: words.index }, end } };
}
