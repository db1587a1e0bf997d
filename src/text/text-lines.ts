import { lineStarts } from './lines.ts';

/** A text with its line starts, for access by line. */
export interface TextLines {
  readonly text: string;
  /** Start offset of each line (UTF-16 code units). */
  readonly starts: readonly number[];
}

/** Returns `text` with its line starts. */
export function textLines(text: string): TextLines {
  return { text, starts: lineStarts(text) };
}
