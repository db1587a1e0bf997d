/** A line of a file; 0-based. */
export interface FileLine {
  readonly file: string;
  readonly line: number;
}

/** Lines that an answer to a rename names because the old name stayed in them. */
export interface NamedLines {
  /** The name there may mean the symbol. */
  readonly open: readonly FileLine[];
  /** The name occurs there as text or as another name. */
  readonly others: readonly FileLine[];
}

/** Matches a row of a list of lines: path, line and its text. */
const row = /^\s+(\S[^:]*):(\d+): /;
/** Matches a path and numbers of lines in a sentence that ends with `(0-based lines)`. */
const listed = /`([^`]+)` (\d+(?:, \d+)*)(?=;| \(0-based lines\))/g;

/** Returns the lines that the notes of this product name. */
export function namedLines(notes: string): NamedLines {
  const open: FileLine[] = [];
  const others: FileLine[] = [];
  for (const text of notes.split('\n')) {
    const [, file, line] = row.exec(text) ?? [];
    if (file !== undefined) open.push({ file, line: Number(line) });
    const target = text.includes(' still occurs ') ? others : open;
    for (const [, path = '', numbers = ''] of text.matchAll(listed)) {
      target.push(...numbers.split(', ').map((number) => ({ file: path, line: Number(number) })));
    }
  }
  return { open, others };
}
