import { LRUCache } from 'lru-cache';
import type { FileState } from '../base/file-state.ts';
import type { RootedPath } from '../base/open-regular-file.ts';
import type { TextCodec } from '../text/encodings.ts';
import { readFileBytes } from './read-file-bytes.ts';

/** Larger files are not cached: one of them would evict hundreds of others. */
const maxKeptFileBytes = 4 * 1024 * 1024;

/** Cache of the bytes of recently read files, so that the next search does not read them again. */
export class FileContents {
  readonly #codec: TextCodec;
  /** By relative path. */
  readonly #kept: LRUCache<string, { readonly fingerprint: string; readonly bytes: Buffer }>;

  constructor({ maxBytes, codec }: { readonly maxBytes: number; readonly codec: TextCodec }) {
    this.#codec = codec;
    // An empty file has a size as well: the library allows no 0.
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes.length + 1 });
  }

  /**
   * Returns the bytes of a file whose state is `state`, or `undefined` if it cannot be read. Of a large binary file
   * only the start is returned, which is enough to classify it.
   *
   * @throws {ExpectedError} `file.unreadable` if too many files are open.
   */
  read(place: RootedPath, state: FileState): Buffer | undefined {
    const { path } = place;
    const kept = this.#kept.get(path);
    if (kept?.fingerprint === state.fingerprint) return kept.bytes;
    this.#kept.delete(path);
    const { bytes, isOfState } = readFileBytes(place, state, this.#codec);
    if (isOfState && bytes !== undefined && bytes.length <= maxKeptFileBytes) {
      this.#kept.set(path, { fingerprint: state.fingerprint, bytes });
    }
    return bytes;
  }
}
