import { lineStarts } from './lines.ts';

/** A text with its line starts, for questions by line. */
export interface TextLines {
  readonly text: string;
  /** Offset (UTF-16) at which each line starts. */
  readonly starts: readonly number[];
}

/** Returns `text` with its lines found. */
export function textLines(text: string): TextLines {
  return { text, starts: lineStarts(text) };
}
