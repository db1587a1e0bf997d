import type { PlainSymbol } from '../../lsp/document-symbols.ts';
import type { Quirks } from '../spec.ts';

const declaration = /\b(?:type|var|const)[ \t]+$/;

/**
 * gopls 0.23 has the range of a lone `type`, `var` or `const` declaration start after the keyword, so that replacing a body
 * would leave the keyword twice. The conformance answers of Go go red without this.
 */
export const goplsQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const lines = text.split('\n');
    return symbols.map((symbol) => withKeyword(symbol, lines[symbol.range.start.line] ?? ''));
  },
};

function withKeyword(symbol: PlainSymbol, line: string): PlainSymbol {
  const { start, end } = symbol.range;
  const keyword = declaration.exec(line.slice(0, start.character));
  if (!keyword) return symbol;
  return { ...symbol, range: { start: { line: start.line, character: keyword.index }, end } };
}
