import { ExpectedError } from '../../base/errors.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { SymbolNode } from './symbol.ts';
import { type Span, spanOf } from './text-range.ts';

/**
 * Returns the text of the symbol's whole range, with `\n` line breaks. The first line begins at the start of the range;
 * later lines keep their indentation.
 *
 * @throws {ExpectedError} `symbol.bad-range` if the range reaches beyond the text.
 */
export function bodyOf(symbol: SymbolNode, lines: TextLines): string {
  const { start, end } = bodySpan(symbol, lines);
  return lines.text.slice(start, end);
}

/**
 * Returns the offsets of the symbol's whole range in the text of its file.
 *
 * @throws {ExpectedError} `symbol.bad-range` if the range reaches beyond the text.
 */
export function bodySpan(symbol: SymbolNode, lines: TextLines): Span {
  const span = spanOf(lines, symbol.range);
  if (span) return span;
  throw new ExpectedError(
    'symbol.bad-range',
    `the language server reports a range for \`${symbol.name}\` that reaches beyond the end of \`${symbol.file}\``,
    { hints: ['repeat the call: the file may have changed'] },
  );
}
