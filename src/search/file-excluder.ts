import { join } from 'node:path';
import { discard } from '../base/discarded.ts';
import { OpenDirectory } from './open-directory.ts';
import { maxBlindBytes } from './read-file-bytes.ts';

/** If so many more files contain a literal than do not, reading each once is faster. */
const maxVainReads = 1000;

/** About the memory that reading one file takes in paths and metadata. */
const readBytes = 500;

interface FileExcluderOptions {
  /** Absolute path without symbolic links. */
  readonly root: string;
  /** True if a file with these bytes may match. */
  readonly mayMatch: (bytes: Buffer) => boolean;
}

/**
 * Excludes files from a search by their current bytes, without their state. All are read into the same memory. It only
 * ever saves work: whatever is not excluded is read again.
 */
export class FileExcluder {
  readonly #root: string;
  readonly #openDirectory = new OpenDirectory();
  readonly #mayMatch: (bytes: Buffer) => boolean;
  readonly #buffer = Buffer.allocUnsafeSlow(maxBlindBytes + 1);
  #vainReads = 0;

  constructor({ root, mayMatch }: FileExcluderOptions) {
    this.#root = root;
    this.#mayMatch = mayMatch;
  }

  /** True if the file at a relative path cannot match. False also for one that is large, behind a link or unreadable. */
  excludes(path: string): boolean {
    if (this.#vainReads > maxVainReads) return false;
    const isExcluded = this.#cannotMatch(path);
    this.#vainReads += isExcluded ? -1 : 1;
    return isExcluded;
  }

  /** Closes the directory of the last file. */
  release(): void {
    this.#openDirectory.release();
  }

  #cannotMatch(path: string): boolean {
    discard(readBytes);
    const slash = path.lastIndexOf('/');
    const directory = slash === -1 ? this.#root : join(this.#root, path.slice(0, slash));
    try {
      const stats = this.#openDirectory.read(directory, path.slice(slash + 1), this.#buffer);
      return stats !== undefined && !this.#mayMatch(this.#buffer.subarray(0, stats.size));
    } catch {
      return false;
    }
  }
}
