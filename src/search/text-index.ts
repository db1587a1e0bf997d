import { discard } from '../base/discarded.ts';
import { type FileState, type RecordedState, recordState, tryStat } from '../base/file-state.ts';
import type { WorkerProgress } from '../base/worker-protocol.ts';
import { decode } from '../text/decode.ts';
import type { TextCodec } from '../text/encodings.ts';
import { FileIndex, type IndexedState } from '../word-index/file-index.ts';
import type { RequiredText } from '../word-index/matching-files.ts';
import { fileKinds, fileWords, type IndexedFile, SegmentBuilder } from '../word-index/segment.ts';
import type { FileContents } from './file-contents.ts';
import { FileReader } from './file-reader.ts';
import type { IndexSetup, UnindexedFiles } from './scan-protocol.ts';
import { findFiles, type StopCheck } from './scan-walk.ts';
import type { Snapshot } from './snapshot.ts';

/** Texts of which a file must contain at least one. */
export interface IndexedTexts {
  readonly texts: readonly string[];
  /** True if the texts match regardless of case; they are then ASCII in lower case. */
  readonly ignoresCase: boolean;
  /** The one that matters only where no ASCII word character precedes or follows it. */
  readonly whole?: string | undefined;
}

/** Access of one worker to the project's index, for files in the project's encoding. */
export class TextIndex {
  readonly files: FileIndex;
  readonly #codec: TextCodec;
  readonly #minUnindexed: number;
  #unindexed: string[] = [];

  private constructor({ directory, minUnindexed }: IndexSetup, codec: TextCodec) {
    this.files = new FileIndex({ directory, encoding: codec.name });
    this.#codec = codec;
    this.#minUnindexed = minUnindexed;
  }

  /** Returns the index, or `undefined` for an encoding in which the bytes of a text depend on what precedes it. */
  static of(setup: IndexSetup | undefined, codec: TextCodec): TextIndex | undefined {
    return setup === undefined || !codec.extendsAscii ? undefined : new TextIndex(setup, codec);
  }

  /**
   * Returns a function that says what the index knows about a file in its current state, and remembers the files that it
   * does not know. `texts` are as for `readTexts`; `undefined` excludes no file. The function expects the number of each
   * file in `list`; repeated lookups of the files of the same list are faster.
   */
  lookup(
    texts: IndexedTexts | undefined,
    list: readonly object[],
  ): (path: string, state: FileState | undefined, number: number) => IndexedState {
    const known = this.files.lookup(this.#required(texts), list);
    this.#unindexed = [];
    return (path, state, number) => {
      // The file may have changed without a difference in its times; it is not indexed yet either.
      if (state === undefined || state.isRacy) return 'unknown';
      const found = known(path, state, number);
      if (found === 'unknown') this.#unindexed.push(path);
      return found;
    };
  }

  /** Remembers a file of the last question that was excluded without a lookup. */
  addUnindexed(path: string): void {
    this.#unindexed.push(path);
  }

  /** Returns the unknown files of the last question if there are enough to be indexed, and forgets them. */
  takeUnindexed(): UnindexedFiles | undefined {
    const paths = this.#unindexed;
    this.#unindexed = [];
    return paths.length === 0 || paths.length < this.#minUnindexed ? undefined : paths.join('\0');
  }

  #required(indexed: IndexedTexts | undefined): RequiredText[] | undefined {
    if (indexed === undefined) return undefined;
    const { texts, ignoresCase, whole } = indexed;
    // Other encodings may hold characters that equal an ASCII letter when case is ignored, in bytes of their own.
    if (ignoresCase && !this.#codec.isUtf8) return undefined;
    if (!texts.every((text) => hasOwnBytes(text, this.#codec))) return undefined;
    return texts.map((text) => {
      const bytes = Buffer.from(text, 'utf8').toString('latin1');
      return { bytes, ignoresCase, isWhole: text === whole };
    });
  }
}

/** True if `text` always has the same bytes in an encoding, so that a search in the bytes is exact. */
export function hasOwnBytes(text: string, codec: TextCodec): boolean {
  return codec.extendsAscii && (/^[\0-\x7f]*$/.test(text) || codec.isUtf8);
}

/** Access to the text of a project's files. */
export interface TextSource {
  readonly snapshot: Snapshot;
  readonly contents: FileContents;
  readonly codec: TextCodec;
  readonly checkStop: StopCheck;
  readonly index: TextIndex | undefined;
}

/** About the memory that building a segment takes. */
const segmentBytes = 32 * 1024 * 1024;

const filesPerReport = 500;

const noWords: ReadonlySet<string> = new Set();

/**
 * Indexes the given files or, without a list, all that are not ignored, and removes what has become outdated. Files
 * that the index knows are not read. Returns the number of files indexed.
 *
 * A file that has just been written is left out: it may change again without a difference in its times.
 */
export function indexFiles(
  source: TextSource,
  unindexed: UnindexedFiles | undefined,
  onProgress: (progress: WorkerProgress) => void,
): number {
  const reader = new FileReader(source.codec);
  try {
    return indexAll({ ...source, reader, onProgress }, unindexed);
  } finally {
    reader.release();
  }
}

interface Indexing extends TextSource {
  readonly reader: FileReader;
  readonly onProgress: (progress: WorkerProgress) => void;
}

function indexAll(source: Indexing, unindexed: UnindexedFiles | undefined): number {
  const { snapshot, index, checkStop } = source;
  if (index === undefined) return 0;
  const orphans = index.files.prune((path, isKnown) => {
    const stats = tryStat(snapshot.absolute(path));
    return stats !== undefined && isKnown(stats);
  });
  const paths = unindexed?.split('\0') ?? findFiles(snapshot, {}, checkStop).map(({ path }) => path);
  let count = 0;
  let builder = new SegmentBuilder();
  let lookUp = index.files.lookup(undefined);
  const flush = () => {
    if (builder.fileCount === 0) return true;
    const isStored = index.files.add(builder);
    count += isStored ? builder.fileCount : 0;
    builder = new SegmentBuilder();
    discard(segmentBytes);
    // Another process may have indexed some of the files in the meantime.
    lookUp = index.files.lookup(undefined);
    return isStored;
  };
  // Segments store their files in this order.
  const all = [...new Set([...paths, ...orphans])].sort();
  for (const [doneCount, path] of all.entries()) {
    checkStop();
    if (doneCount % filesPerReport === 0) source.onProgress({ doneCount, fileCount: all.length });
    const state = settledState(snapshot.absolute(path));
    if (state === undefined || lookUp(path, state) !== 'unknown') continue;
    const file = indexedFile(source, path, state);
    if (file !== undefined) builder.add(file);
    if (builder.isFull && !flush()) return count;
  }
  flush();
  if (count > 0) index.files.finish();
  source.onProgress({ doneCount: all.length, fileCount: all.length });
  return count;
}

/** Returns the state of a regular file, or `undefined` if a change might not show in its times. */
function settledState(path: string): RecordedState | undefined {
  const now = Date.now();
  const stats = tryStat(path);
  const state = stats?.isFile() === true ? recordState(stats, now) : undefined;
  return state?.isRacy === false ? state : undefined;
}

/** Returns a file with its words, or `undefined` if it cannot be read or is just changing. */
function indexedFile(source: Indexing, path: string, times: RecordedState): IndexedFile | undefined {
  const { bytes, isOfState } = source.reader.read(source.snapshot.place(path), times);
  if (bytes === undefined || !isOfState) return undefined;
  const file = { path, times, words: noWords };
  const decoded = decode(bytes, source.codec);
  if (decoded.kind === 'binary') return { ...file, kind: fileKinds.binary };
  // The bytes of a literal are those in the file only if the encoding extends ASCII. A file that cannot be decoded is
  // reported by each question.
  const hasBytes = decoded.kind === 'text' && decoded.codec.extendsAscii;
  const words = hasBytes ? fileWords(bytes) : undefined;
  return words === undefined ? { ...file, kind: fileKinds.opaque } : { ...file, kind: fileKinds.words, words };
}
