import { lineAt, lineEnd } from './lines.ts';

/** A position in a text: 0-based line, and 0-based character in UTF-16 code units from the start of the line. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** The encodings in which a language server may count characters. */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32';

/** Returns the position of `offset` (UTF-16 code units), clamped to the text. `starts` is from `lineStarts`. */
export function positionAt(text: string, starts: readonly number[], offset: number): Position {
  const clamped = Math.min(Math.max(offset, 0), text.length);
  const line = lineAt(starts, clamped);
  return { line, character: clamped - (starts[line] ?? 0) };
}

/**
 * Returns the offset (UTF-16 code units) of `position`, or `undefined` if the line does not exist. A character past the
 * end of its line means the end of that line, as in LSP.
 */
export function offsetAt(text: string, starts: readonly number[], position: Position): number | undefined {
  const start = starts[position.line];
  if (start === undefined || position.line < 0) return undefined;
  return Math.min(start + Math.max(position.character, 0), lineEnd(text, starts, position.line));
}

/** Returns the number of units of `encoding` in the first `character` UTF-16 code units of `line`. */
export function fromUtf16(line: string, character: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') return Math.min(character, line.length);
  const head = line.slice(0, character);
  return encoding === 'utf-8' ? new TextEncoder().encode(head).length : Array.from(head).length;
}

/**
 * Converts `character` from units of `encoding` to UTF-16 code units. A value past the end of `line` means its end; a
 * value inside a code point means the start of that code point.
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
