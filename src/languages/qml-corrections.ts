import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { Quirks } from '../servers/quirks.ts';
import { offsetAt, positionAt } from '../text/position.ts';
import { type TextLines, textLines } from '../text/text-lines.ts';

/** The text of a property declaration before the property's name. */
const declaration = /(?:(?:default|final|readonly|required)\s+)*property\s+\S+\s+$/;

/**
 * In qmlls 6.12 the range of a property with a plain value starts after its name (`: 0`), and that of one with an
 * object at its name, so that replacing the body would leave the start of the declaration. Covered by "overview" and
 * "body" of its conformance answers.
 */
export const declaredProperties: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = textLines(text);
  return symbols.map((symbol) => whole(symbol, lines));
};

function whole(symbol: PlainSymbol, lines: TextLines): PlainSymbol {
  const children = symbol.children.map((child) => whole(child, lines));
  const { text, starts } = lines;
  const { range, name } = symbol;
  const from = offsetAt(text, starts, range.start) ?? 0;
  const nameAt = text.startsWith(name, from) ? from : from - name.length;
  const before = declaration.exec(text.slice(starts[range.start.line], nameAt));
  if (!text.startsWith(name, nameAt) || before === null) return { ...symbol, children };
  const start = positionAt(text, starts, nameAt - before[0].length);
  const named = { start: positionAt(text, starts, nameAt), end: positionAt(text, starts, nameAt + name.length) };
  return { ...symbol, range: { start, end: range.end }, selectionRange: named, children };
}
