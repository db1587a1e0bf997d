import { lineStarts } from './lines.ts';

/** A text with its line starts, for access by line. */
export interface TextLines {
  readonly text: string;
  /** Start offset of each line (UTF-16 code units). */
  readonly starts: readonly number[];
}

/** Returns `text` with its line starts, which are found when they are first used: of many files only the key is needed. */
export function textLines(text: string): TextLines {
  let starts: readonly number[] | undefined;
  return {
    text,
    get starts() {
      starts ??= lineStarts(text);
      return starts;
    },
  };
}
