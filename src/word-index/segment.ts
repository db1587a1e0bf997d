import { discard } from '../base/discarded.ts';
import type { FileMetadata } from '../base/file-state.ts';

/** How the text of an indexed file was taken. */
export const fileKinds = {
  words: 0,
  /** It has no text; its words are not in the index. */
  binary: 1,
  /** It must be read for each question. */
  opaque: 2,
} as const;

type FileKind = (typeof fileKinds)[keyof typeof fileKinds];

/** The files of a segment. Each has {@link numbersPerFile} numbers: modification, change, size, inode, kind. */
export interface SegmentFiles {
  /** Relative to the root. */
  readonly paths: readonly string[];
  readonly states: Float64Array;
}

export const numbersPerFile = 5;

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
export function hasTimes({ states }: SegmentFiles, at: number, times: FileMetadata): boolean {
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

export interface IndexedFile {
  /** Relative to the root. */
  readonly path: string;
  readonly times: FileMetadata;
  readonly kind: FileKind;
  /** From `fileWords`; empty unless the kind is `words`. */
  readonly words: ReadonlySet<string>;
}

/** More files or words in one segment would take memory, fewer would store more words twice. */
const maxFiles = 4096;
const maxPostings = 1_500_000;

export class SegmentBuilder {
  readonly #paths: string[] = [];
  readonly #states: number[] = [];
  readonly #postings = new Map<string, number[]>();
  #postingCount = 0;

  get fileCount(): number {
    return this.#paths.length;
  }

  get isFull(): boolean {
    return this.#paths.length >= maxFiles || this.#postingCount >= maxPostings;
  }

  add({ path, times, kind, words }: IndexedFile): void {
    const at = this.#paths.length;
    this.#paths.push(path);
    this.#states.push(times.mtimeMs, times.ctimeMs, times.size, times.ino, kind);
    if (kind !== fileKinds.words) return;
    this.#postingCount += words.size;
    for (const word of words) {
      const files = this.#postings.get(word);
      if (files === undefined) this.#postings.set(word, [at]);
      else files.push(at);
    }
  }

  /** Returns the segment of all files added. */
  build(): Segment {
    const words = [...this.#postings.keys()];
    const bytes: number[] = [];
    const skips: number[] = [];
    let wordsOffset = 0;
    for (const [ordinal, word] of words.entries()) {
      if (ordinal % wordsPerSkip === 0) skips.push(wordsOffset, bytes.length);
      wordsOffset += word.length + 1;
      pushPostings(bytes, this.#postings.get(word) ?? []);
    }
    return {
      files: { paths: this.#paths, states: Float64Array.from(this.#states) },
      words: { words: Buffer.from(`\n${words.join('\n')}\n`, 'latin1'), skips: Uint32Array.from(skips) },
      postings: Buffer.from(bytes),
    };
  }
}

function pushPostings(bytes: number[], files: readonly number[]): void {
  pushNumber(bytes, files.length);
  let last = 0;
  for (const file of files) {
    pushNumber(bytes, file - last);
    last = file;
  }
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

/** Larger files are not indexed: few are source code, and the words of one would outweigh those of hundreds of others. */
const maxBytes = 2 * 1024 * 1024;

/** A file with more characters in its distinct words is data: its words would fill the index and exclude little. */
const maxWordChars = 256 * 1024;

/** About the memory that taking the words of a file needs for each of its bytes. */
const bytesPerByte = 10;

/**
 * Returns the distinct words of a file, one character per byte, or `undefined` if the file is not worth indexing. A word
 * is a longest run of ASCII letters, digits, `_` and bytes from 0x80, whatever encoding the file has.
 */
export function fileWords(bytes: Buffer): ReadonlySet<string> | undefined {
  if (bytes.length > maxBytes) return undefined;
  discard(bytesPerByte * bytes.length);
  const words = new Set(bytes.toString('latin1').match(/[\w\x80-\xff]+/g));
  let chars = 0;
  for (const word of words) chars += word.length;
  return chars > maxWordChars ? undefined : words;
}
