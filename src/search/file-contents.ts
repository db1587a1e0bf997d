import { closeSync, readSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { type FileState, isSameState } from '../base/file-state.ts';
import { openRegularFile, type RootedPath, readAll } from '../base/open-regular-file.ts';
import { looksBinary, sniffedBytes } from '../text/decode.ts';
import type { TextCodec } from '../text/encodings.ts';
import { isOutOfDescriptors, outOfDescriptors } from './read-error.ts';
import { openByShortestWay } from './shortest-way.ts';

/** Larger files are not cached: one of them would evict hundreds of others. */
const maxKeptFileBytes = 4 * 1024 * 1024;

/** Of larger files the start is read first, because most of them are binary. */
const maxBlindBytes = 1024 * 1024;

/** Larger files are not read: their text would not fit into one string. */
export const maxFileBytes = 256 * 1024 * 1024;

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
    const { bytes, isOfState } = tryRead(place, state, this.#codec);
    if (isOfState && bytes !== undefined && bytes.length <= maxKeptFileBytes) {
      this.#kept.set(path, { fingerprint: state.fingerprint, bytes });
    }
    return bytes;
  }
}

/**
 * Reads a file; without bytes if that fails. `isOfState` is false if the file has changed since `state` was recorded.
 */
function tryRead(
  place: RootedPath,
  state: FileState,
  codec: TextCodec,
): { bytes: Buffer | undefined; isOfState: boolean } {
  const nothing = { bytes: undefined, isOfState: false };
  if (state.size > maxFileBytes) return nothing;
  try {
    const { fd, stats } = openByShortestWay(place, openRegularFile);
    try {
      const start = stats.size > maxBlindBytes ? readStart(fd) : undefined;
      const isBinary = start !== undefined && looksBinary(start, codec);
      const bytes = isBinary ? start : readAll(fd, stats.size, maxFileBytes);
      return { bytes, isOfState: isSameState(state, stats) };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot read \`${place.path}\``, error);
    return nothing;
  }
}

function readStart(fd: number): Buffer {
  const start = Buffer.alloc(sniffedBytes);
  return start.subarray(0, readSync(fd, start, 0, sniffedBytes, 0));
}
