import { ExpectedError } from '../../base/errors.ts';
import { markLength } from '../../text/lines.ts';
import type { Range } from '../../text/place.ts';
import { offsetAt, type Position } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { SymbolNode } from './symbol.ts';

/** A part of a text in offsets (UTF-16 code units), `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Converts a server's range to offsets. Returns `undefined` if the text has no such lines. A column past the end of a
 * line is moved to the end of the line; the start of the line after the last is the end of the text. A byte order mark
 * is never part of the result.
 */
export function spanOf(lines: TextLines, range: Range): Span | undefined {
  const start = offsetOf(lines, range.start);
  const end = offsetOf(lines, range.end);
  return start === undefined || end === undefined || end < start ? undefined : { start, end };
}

/**
 * Returns the offset of a line's first character, after a byte order mark; for lines after the last, the text's length.
 */
export function startOfLine(lines: TextLines, line: number): number {
  return offsetOf(lines, { line, character: 0 }) ?? lines.text.length;
}

function offsetOf({ text, starts }: TextLines, position: Position): number | undefined {
  const isAfterLast = position.line === starts.length && position.character === 0;
  const offset = isAfterLast ? text.length : offsetAt(text, starts, position);
  return offset === undefined ? undefined : Math.max(offset, markLength(text));
}

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
