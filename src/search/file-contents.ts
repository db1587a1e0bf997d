import type { FileState } from '../base/file-state.ts';
import type { RootedPath } from '../base/open-regular-file.ts';
import type { TextCodec } from '../text/encodings.ts';
import { FileReader } from './file-reader.ts';

/** Larger files are not cached: one of them would take the space of hundreds of others. */
const maxKeptFileBytes = 4 * 1024 * 1024;

/** Of more files than this so few would be found in the cache again that it would only take memory. */
const maxFilesToKeep = 20_000;

/** Contents that none of this many questions has used make room for others. */
const unusedQuestions = 8;

/** The memory that a cached file takes apart from its bytes. */
const fileOverheadBytes = 256;

interface KeptFile {
  readonly state: FileState;
  readonly bytes: Buffer;
  usedBy: number;
}

/**
 * Cache of the bytes of recently read files, so that the next search does not read them again. A full cache stays as it
 * is while its files are in use: replacing them during a search through a larger project would leave none that the next
 * search finds.
 */
export class FileContents {
  readonly #reader: FileReader;
  readonly #maxBytes: number;
  /** By relative path. */
  readonly #kept = new Map<string, KeptFile>();
  #keptBytes = 0;
  #isFull = false;
  #question = 0;

  constructor({ maxBytes, codec }: { readonly maxBytes: number; readonly codec: TextCodec }) {
    this.#maxBytes = maxBytes;
    this.#reader = new FileReader(codec);
  }

  /** True if files that are read now are kept for the next questions. */
  get isKeeping(): boolean {
    return !this.#isFull;
  }

  /** Begins to read the files of a scope; the contents of very many are not kept. */
  begin(fileCount: number): void {
    this.#isFull = fileCount > maxFilesToKeep;
  }

  /** Ends a question: nothing remains open. */
  end(): void {
    this.#reader.release();
    this.#question += 1;
    if (!this.#isFull) return;
    for (const [path, { usedBy }] of this.#kept) if (usedBy < this.#question - unusedQuestions) this.#drop(path);
    this.#isFull = false;
  }

  /**
   * Returns the bytes of a file whose state is `state`, or `undefined` if it cannot be read. Of a large binary file
   * only the start is returned, which is enough to classify it. The bytes are valid until the next call.
   *
   * @throws {ExpectedError} `file.unreadable` if too many files are open.
   */
  read(place: RootedPath, state: FileState): Buffer | undefined {
    const { path } = place;
    const kept = this.#kept.get(path);
    if (kept?.state === state) {
      kept.usedBy = this.#question;
      return kept.bytes;
    }
    this.#drop(path);
    const { bytes, isOfState } = this.#reader.read(place, state);
    if (isOfState && bytes !== undefined) this.#keep(path, state, bytes);
    return bytes;
  }

  #keep(path: string, state: FileState, bytes: Buffer): void {
    if (this.#isFull || bytes.length > maxKeptFileBytes) return;
    const size = bytes.length + fileOverheadBytes;
    this.#isFull = this.#keptBytes + size > this.#maxBytes;
    if (this.#isFull) return;
    this.#keptBytes += size;
    this.#kept.set(path, { state, bytes: Buffer.from(bytes), usedBy: this.#question });
  }

  #drop(path: string): void {
    const kept = this.#kept.get(path);
    if (kept === undefined) return;
    this.#keptBytes -= kept.bytes.length + fileOverheadBytes;
    this.#kept.delete(path);
  }
}
