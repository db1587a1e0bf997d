import { lineStarts, lineText } from './lines.ts';

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

/** A longer line is generated code. */
const maxShownChars = 160;

/** Returns a line for a reader: without the white space around it, and not too long; empty if there is no such line. */
export function shownLine({ text, starts }: TextLines, line: number): string {
  return lineText(text, starts, line)?.trim().slice(0, maxShownChars) ?? '';
}
