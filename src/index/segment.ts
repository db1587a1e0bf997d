/** How the text of an indexed file was taken. */
export const fileKinds = {
  /** Its words are in the index. */
  words: 0,
  /** It has no text; its words are not in the index. */
  binary: 1,
  /** It must be read for each question. */
  opaque: 2,
} as const;

export type FileKind = (typeof fileKinds)[keyof typeof fileKinds];

/** The metadata of a file that show whether it has changed since it was indexed. */
export interface FileTimes {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
}

/** The files of a segment. Each has {@link numbersPerFile} numbers: modification, change, size, inode, kind. */
export interface SegmentFiles {
  /** Relative to the root. */
  readonly paths: readonly string[];
  readonly states: Float64Array;
}

export const numbersPerFile = 5;

/** The words of a segment. */
export interface SegmentWords {
  /** All words, each once and preceded by `\n`; ends with `\n`. One byte per character. */
  readonly words: Buffer;
  /** For every {@link wordsPerSkip}th word its offsets in `words` and in the postings, alternately. */
  readonly skips: Uint32Array;
}

export const wordsPerSkip = 32;

/** All parts of a segment. They are stored apart, so that a question reads only what it needs. */
export interface Segment {
  readonly files: SegmentFiles;
  readonly words: SegmentWords;
  /** For each word, as variable-length numbers: the number of its files, then the differences of their indexes. */
  readonly postings: Buffer;
}

/** True if file number `at` of a segment has the given metadata. */
export function hasTimes({ states }: SegmentFiles, at: number, times: FileTimes): boolean {
  const from = at * numbersPerFile;
  return (
    states[from] === times.mtimeMs &&
    states[from + 1] === times.ctimeMs &&
    states[from + 2] === times.size &&
    states[from + 3] === times.ino
  );
}

/** Returns the kind of file number `at` of a segment, as in {@link fileKinds}. */
export function kindAt({ states }: SegmentFiles, at: number): number | undefined {
  return states[at * numbersPerFile + 4];
}
