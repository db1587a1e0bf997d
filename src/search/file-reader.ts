import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { discard } from '../base/discarded.ts';
import { isSameState, type RecordedState } from '../base/file-state.ts';
import { openUnlinked, type RootedPath, requireOpenedAt } from '../base/open-regular-file.ts';
import type { TextCodec } from '../text/encodings.ts';
import { isOutOfDescriptors, outOfDescriptors } from './read-error.ts';
import { type FileBytes, maxBlindBytes, readFileBytes } from './read-file-bytes.ts';

const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const firstBufferBytes = 64 * 1024;

/** About the memory that reading one file takes in paths and metadata. */
const readBytes = 1000;

/**
 * Reads many files one after another. All are read into the same memory, and the path of a directory is checked once
 * for the files in it: memory and checks of its own for each file took more than half of the time of a search.
 */
export class FileReader {
  readonly #codec: TextCodec;
  #buffer = Buffer.allocUnsafeSlow(firstBufferBytes);
  /** The directory of the last file. */
  #directory: { readonly path: string; readonly fd: number } | undefined;

  constructor(codec: TextCodec) {
    this.#codec = codec;
  }

  /**
   * Returns the bytes of a regular file whose state was just recorded, of a large binary one only the start. They are
   * valid until the next call.
   *
   * @throws {ExpectedError} `file.unreadable` if too many files are open.
   */
  read(place: RootedPath, state: RecordedState): FileBytes {
    discard(readBytes);
    // Elsewhere no path leads through an open directory.
    const bytes = process.platform === 'linux' ? this.#readDirectly(place, state) : undefined;
    return bytes === undefined ? readFileBytes(place, state, this.#codec) : { bytes, isOfState: true };
  }

  /** Closes the directory of the last file, which another one may replace before the next question. */
  release(): void {
    if (this.#directory !== undefined) closeSync(this.#directory.fd);
    this.#directory = undefined;
  }

  /** Returns `undefined` for a file that is large, has changed, is behind a link or cannot be read. */
  #readDirectly({ root, path }: RootedPath, state: RecordedState): Buffer | undefined {
    if (state.size > maxBlindBytes) return undefined;
    const slash = path.lastIndexOf('/');
    try {
      const directory = this.#open(join(root, path.slice(0, Math.max(slash, 0))));
      const fd = openSync(`/proc/self/fd/${directory}/${path.slice(slash + 1)}`, flags);
      try {
        const stats = fstatSync(fd);
        return stats.isFile() && isSameState(state, stats) ? this.#readExactly(fd, state.size) : undefined;
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot read \`${path}\``, error);
      return undefined;
    }
  }

  #open(path: string): number {
    if (this.#directory?.path === path) return this.#directory.fd;
    this.release();
    const fd = openUnlinked(path);
    try {
      requireOpenedAt(fd, path);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    this.#directory = { path, fd };
    return fd;
  }

  /** Returns `undefined` if the file is not of this size. */
  #readExactly(fd: number, size: number): Buffer | undefined {
    if (this.#buffer.length <= size) this.#buffer = Buffer.allocUnsafeSlow(2 * size);
    // One byte more than expected, so that a file that has grown is noticed.
    return readSync(fd, this.#buffer, 0, size + 1, null) === size ? this.#buffer.subarray(0, size) : undefined;
  }
}
