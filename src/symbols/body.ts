import { ExpectedError } from '../base/errors.ts';
import type { TextLines } from '../text/text-lines.ts';
import type { SymbolNode } from './symbol.ts';

/**
 * Returns the text of the symbol's whole range. The first line starts where the range does, later ones keep their
 * indentation; line breaks are `\n` (`spec/tools.md` §7.5).
 *
 * @throws {ExpectedError} `symbol.bad-range` when the range reaches beyond the text.
 */
export function bodyOf(symbol: SymbolNode, { text, starts }: TextLines): string {
  const { start, end } = symbol.range;
  const endsAfterLast = end.line === starts.length && end.character === 0;
  if (start.line >= starts.length || (end.line >= starts.length && !endsAfterLast)) {
    throw new ExpectedError(
      'symbol.bad-range',
      `The language server places \`${symbol.name}\` beyond the end of \`${symbol.file}\``,
      { hints: ['Ask again: the file may have changed meanwhile'] },
    );
  }
  const from = (starts[start.line] ?? 0) + start.character;
  const to = endsAfterLast ? text.length : (starts[end.line] ?? 0) + end.character;
  return text.slice(from, to);
}
