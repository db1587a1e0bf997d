import { ExpectedError } from '../../base/errors.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { SymbolNode } from './symbol.ts';
import { type Span, spanOf } from './text-range.ts';

/**
 * Returns the text of the symbol's whole range. The first line starts where the range does, later ones keep their
 * indentation; line breaks are `\n` (`spec/tools.md` §7.5).
 *
 * @throws {ExpectedError} `symbol.bad-range` when the range reaches beyond the text.
 */
export function bodyOf(symbol: SymbolNode, lines: TextLines): string {
  const { start, end } = bodySpan(symbol, lines);
  return lines.text.slice(start, end);
}

/**
 * Returns where the symbol's whole range lies in the text of its file.
 *
 * @throws {ExpectedError} `symbol.bad-range` when the range reaches beyond the text.
 */
export function bodySpan(symbol: SymbolNode, lines: TextLines): Span {
  const span = spanOf(lines, symbol.range);
  if (span) return span;
  throw new ExpectedError(
    'symbol.bad-range',
    `The language server places \`${symbol.name}\` beyond the end of \`${symbol.file}\``,
    { hints: ['Ask again: the file may have changed meanwhile'] },
  );
}
