import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { Quirks } from '../servers/quirks.ts';
import { offsetAt, positionAt } from '../text/position.ts';
import { type TextLines, textLines } from '../text/text-lines.ts';

/**
 * Removes trailing white space from ranges. In yaml-language-server 2.0 and tombi 1.9 the range of a table includes the
 * line break and the empty lines after it, so that replacing the body would join the next key to it. Covered by "body"
 * of their conformance answers.
 */
export const trimmedRanges: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = textLines(text);
  return symbols.map((symbol) => trimmed(symbol, lines));
};

function trimmed(symbol: PlainSymbol, lines: TextLines): PlainSymbol {
  const { text, starts } = lines;
  const { start, end } = symbol.range;
  const from = offsetAt(text, starts, start) ?? 0;
  const body = text.slice(from, offsetAt(text, starts, end) ?? text.length).trimEnd();
  const range = { start, end: positionAt(text, starts, from + body.length) };
  return { ...symbol, range, children: symbol.children.map((child) => trimmed(child, lines)) };
}
