import { lineStarts } from './lines.ts';
import { offsetAt, type Position } from './position.ts';

/** A change of a text: of a range, or of the whole text, as in `textDocument/didChange`. */
export interface ContentChange {
  readonly range?: { readonly start: Position; readonly end: Position } | undefined;
  readonly text: string;
}

/** Returns `text` with changes made one after the other; a position after the last line means the end of the text. */
export function withContentChanges(text: string, changes: readonly ContentChange[]): string {
  return changes.reduce((result, { range, text: own }) => {
    if (range === undefined) return own;
    const starts = lineStarts(result);
    const start = offsetAt(result, starts, range.start) ?? result.length;
    const end = offsetAt(result, starts, range.end) ?? result.length;
    return result.slice(0, start) + own + result.slice(Math.max(start, end));
  }, text);
}
