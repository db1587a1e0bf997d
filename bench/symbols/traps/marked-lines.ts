import type { Position } from '../model.ts';

/** Returns the lines of all files (path → content) that have the mark as a word between blanks. */
export function markedLines(files: Readonly<Record<string, string>>, mark: string): Position[] {
  return Object.entries(files).flatMap(([file, text]) =>
    text
      .split(/\r?\n/)
      .flatMap((line, index) => (line.split(' ').includes(mark) ? [{ file, line: index, column: 0 }] : [])),
  );
}
