import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';

const label = /(\\label\s*\{\s*)([^{}]*[^{}\s])/y;

/**
 * In texlab 5.25 the selection range of a section or equation with a label is the command `\label`, whose references are
 * all labels. It is moved to the label's name. Covered by "references" of its conformance answers.
 */
export const selectedLabels: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = textLines(text);
  return symbols.map((symbol) => withLabel(symbol, lines));
};

function withLabel(symbol: PlainSymbol, lines: TextLines): PlainSymbol {
  const { text, starts } = lines;
  const children = symbol.children.map((child) => withLabel(child, lines));
  label.lastIndex = offsetAt(text, starts, symbol.selectionRange.start) ?? text.length;
  const found = label.exec(text);
  if (found === null) return { ...symbol, children };
  const [, command = '', name = ''] = found;
  const from = found.index + command.length;
  const selectionRange = { start: positionAt(text, starts, from), end: positionAt(text, starts, from + name.length) };
  return { ...symbol, selectionRange, children };
}
