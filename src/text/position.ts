import { lineAt, lineEnd } from './lines.ts';

/** A place in a text: 0-based line, and 0-based character in UTF-16 code units from the line's start. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** The encodings in which a language server may count characters. */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32';

/** Returns the position of `offset` (UTF-16 code units), which is clamped to the text. `starts` is from `lineStarts`. */
export function positionAt(text: string, starts: readonly number[], offset: number): Position {
  const clamped = Math.min(Math.max(offset, 0), text.length);
  const line = lineAt(starts, clamped);
  return { line, character: clamped - (starts[line] ?? 0) };
}

/**
 * Returns the offset (UTF-16 code units) of `position`, or `undefined` if the text has no such line. A character past
 * the end of its line means the end of that line, as in LSP.
 */
export function offsetAt(text: string, starts: readonly number[], position: Position): number | undefined {
  const start = starts[position.line];
  if (start === undefined || position.line < 0) return undefined;
  return Math.min(start + Math.max(position.character, 0), lineEnd(text, starts, position.line));
}

/** Returns how many units of `encoding` the first `character` UTF-16 code units of `line` take. */
export function fromUtf16(line: string, character: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') return Math.min(character, line.length);
  const head = line.slice(0, character);
  return encoding === 'utf-8' ? new TextEncoder().encode(head).length : Array.from(head).length;
}

/**
 * Returns the UTF-16 character that `character` units of `encoding` lead to. Units past the end of `line` mean its
 * end; a count that ends inside a code point means that code point's start.
 */
export function toUtf16(line: string, character: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') return Math.min(character, line.length);
  let units = 0;
  let at = 0;
  for (const codePoint of line) {
    units += encoding === 'utf-8' ? utf8Length(codePoint) : 1;
    if (units > character) break;
    at += codePoint.length;
  }
  return at;
}

function utf8Length(codePoint: string): number {
  const code = codePoint.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}
