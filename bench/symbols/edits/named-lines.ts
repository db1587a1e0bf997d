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

/** Matches a row of a list of lines: an id, if a call changes the place, path, line, column and text. */
const row = /^\s+(?:\[\d+\] )?(\S[^:]*):(\d+):(?:\d+:)? /;
/** Matches a path and numbers of lines in a sentence that ends with `(0-based lines)`. */
const listed = /`([^`]+)` (\d+(?:, \d+)*)(?=;| \(0-based lines\))/g;
/** Headings of blocks whose lines were changed, or are errors. */
const isOfChanges = /^(?:Also changed|Files|New problems)\b/;

/** Returns the lines that an answer of this product names, in its result and in its notes. */
export function namedLines(answer: string): NamedLines {
  const open: FileLine[] = [];
  const others: FileLine[] = [];
  let heading = '';
  for (const text of answer.split('\n')) {
    if (/^\S/.test(text)) heading = text;
    if (isOfChanges.test(heading)) continue;
    const target = heading.startsWith('Mentioned') ? others : open;
    const [, file, line] = row.exec(text) ?? [];
    if (file !== undefined) target.push({ file, line: Number(line) });
    for (const [, path = '', numbers = ''] of text.matchAll(listed)) {
      target.push(...numbers.split(', ').map((number) => ({ file: path, line: Number(number) })));
    }
  }
  return { open, others };
}
