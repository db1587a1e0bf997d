import { join } from 'node:path';
import { discard } from '../base/discarded.ts';
import { isSameState, type RecordedState } from '../base/file-state.ts';
import type { RootedPath } from '../base/open-regular-file.ts';
import type { TextCodec } from '../text/encodings.ts';
import { OpenDirectory } from './open-directory.ts';
import { isOutOfDescriptors, outOfDescriptors } from './read-error.ts';
import { type FileBytes, maxBlindBytes, readFileBytes } from './read-file-bytes.ts';

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
  readonly #directory = new OpenDirectory();

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
    const bytes = this.#readDirectly(place, state);
    return bytes === undefined ? readFileBytes(place, state, this.#codec) : { bytes, isOfState: true };
  }

  /** Closes the directory of the last file, which another one may replace before the next question. */
  release(): void {
    this.#directory.release();
  }

  /** Returns `undefined` for a file that is large, has changed, is behind a link or cannot be read. */
  #readDirectly({ root, path }: RootedPath, state: RecordedState): Buffer | undefined {
    if (state.size > maxBlindBytes) return undefined;
    if (this.#buffer.length <= state.size) this.#buffer = Buffer.allocUnsafeSlow(2 * state.size);
    const slash = path.lastIndexOf('/');
    const directory = join(root, path.slice(0, Math.max(slash, 0)));
    try {
      const stats = this.#directory.read(directory, path.slice(slash + 1), this.#buffer);
      return stats !== undefined && isSameState(state, stats) ? this.#buffer.subarray(0, state.size) : undefined;
    } catch (error) {
      if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot read \`${path}\``, error);
      return undefined;
    }
  }
}
