import type { Position, Range } from '../../lsp/documents/ranges.ts';
import { markLength } from '../../text/byte-order-mark.ts';
import { offsetAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';

/** A part of a text in offsets (UTF-16 code units), `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the part of the text that a server's range means, or `undefined` where the text has no such lines. A column past
 * the end of its line means that end, the start of the line after the last the end of the text. A byte order mark is never
 * part of it.
 */
export function spanOf(lines: TextLines, range: Range): Span | undefined {
  const start = offsetOf(lines, range.start);
  const end = offsetOf(lines, range.end);
  return start === undefined || end === undefined || end < start ? undefined : { start, end };
}

/** Returns the offset at which a line's text starts: after a byte order mark, and for the line after the last at the end. */
export function startOfLine(lines: TextLines, line: number): number {
  return offsetOf(lines, { line, character: 0 }) ?? lines.text.length;
}

function offsetOf({ text, starts }: TextLines, position: Position): number | undefined {
  const isAfterLast = position.line === starts.length && position.character === 0;
  const offset = isAfterLast ? text.length : offsetAt(text, starts, position);
  return offset === undefined ? undefined : Math.max(offset, markLength(text));
}
