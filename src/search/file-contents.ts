import { closeSync, readSync } from 'node:fs';
import { type FileState, isSameState } from '../base/file-state.ts';
import { type FilePlace, openRegularFile, readAll } from '../base/open-regular-file.ts';
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
  readonly #maxBytes: number;
  readonly #codec: TextCodec;
  /** By relative path, least recently used first. */
  readonly #kept = new Map<string, { readonly fingerprint: string; readonly bytes: Buffer }>();
  #keptBytes = 0;

  constructor(options: { readonly maxBytes: number; readonly codec: TextCodec }) {
    this.#maxBytes = options.maxBytes;
    this.#codec = options.codec;
  }

  /**
   * Returns the bytes of a file whose state is `state`, or `undefined` if it cannot be read. Of a large binary file
   * only the start is returned, which is enough to classify it.
   *
   * @throws {ExpectedError} `file.unreadable` if too many files are open.
   */
  read(place: FilePlace, state: FileState): Buffer | undefined {
    const { path } = place;
    const kept = this.#kept.get(path);
    if (kept !== undefined) {
      this.#kept.delete(path);
      if (kept.fingerprint === state.fingerprint) {
        this.#kept.set(path, kept);
        return kept.bytes;
      }
      this.#keptBytes -= kept.bytes.length;
    }
    const { bytes, isOfState } = tryRead(place, state, this.#codec);
    if (isOfState && bytes !== undefined && bytes.length <= maxKeptFileBytes)
      this.#keep(path, state.fingerprint, bytes);
    return bytes;
  }

  #keep(path: string, fingerprint: string, bytes: Buffer): void {
    this.#kept.set(path, { fingerprint, bytes });
    this.#keptBytes += bytes.length;
    for (const [oldest, { bytes: old }] of this.#kept) {
      if (this.#keptBytes <= this.#maxBytes) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= old.length;
    }
  }
}

/**
 * Reads a file; without bytes if that fails. `isOfState` is false if the file has changed since `state` was recorded.
 */
function tryRead(
  place: FilePlace,
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
    if (isOutOfDescriptors(error)) throw outOfDescriptors(`Cannot read \`${place.path}\``, error);
    return nothing;
  }
}

function readStart(fd: number): Buffer {
  const start = Buffer.alloc(sniffedBytes);
  return start.subarray(0, readSync(fd, start, 0, sniffedBytes, 0));
}
