import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { discard } from '../base/discarded.ts';
import { type FileMetadata, isSameState, type RecordedState } from '../base/file-state.ts';
import { openRegularFile, RefusedFile, type RootedPath, readAll } from '../base/open-regular-file.ts';
import { looksBinary, sniffedBytes } from '../text/decode.ts';
import type { TextCodec } from '../text/encodings.ts';
import { isOutOfDescriptors, outOfDescriptors } from './read-error.ts';
import { OpenDirectory } from './system-calls.ts';

/** Of larger files the start is read first, because most of them are binary. */
const maxBlindBytes = 1024 * 1024;

/** Larger files are not read: their text would not fit into one string. */
export const maxFileBytes = 256 * 1024 * 1024;

const firstBufferBytes = 64 * 1024;

/** About the memory that reading one file takes in paths and metadata; for metadata of its own as much again. */
const discardedBytes = 500;

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
    discard(2 * discardedBytes);
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
    try {
      const stats = readInto(this.#buffer, this.#directory, { root, path });
      return stats !== undefined && isSameState(state, stats) ? this.#buffer.subarray(0, state.size) : undefined;
    } catch (error) {
      if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot read \`${path}\``, error);
      return undefined;
    }
  }
}

/** If so many more files contain a literal than do not, reading each once is faster. */
const maxVainReads = 1000;

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
    discard(discardedBytes);
    try {
      const stats = readInto(this.#buffer, this.#openDirectory, { root: this.#root, path });
      return stats !== undefined && !this.#mayMatch(this.#buffer.subarray(0, stats.size));
    } catch {
      return false;
    }
  }
}

/** What was read of a file; without bytes if that failed. */
interface FileBytes {
  readonly bytes: Buffer | undefined;
  /** False if the file has changed since its state was recorded. */
  readonly isOfState: boolean;
}

/**
 * Reads a file, of a large binary one only the start; without bytes if that fails. `isOfState` is false if the file has
 * changed since `state` was recorded.
 *
 * @throws {ExpectedError} `file.unreadable` if too many files are open.
 */
function readFileBytes(place: RootedPath, state: RecordedState, codec: TextCodec): FileBytes {
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

/** Reads a file to a buffer as {@link OpenDirectory} does. @throws system errors. */
function readInto(
  buffer: Buffer,
  opened: OpenDirectory,
  { root, path }: Omit<RootedPath, 'links'>,
): FileMetadata | undefined {
  const slash = path.lastIndexOf('/');
  return opened.read(slash === -1 ? root : join(root, path.slice(0, slash)), path.slice(slash + 1), buffer);
}

function readStart(fd: number): Buffer {
  const start = Buffer.alloc(sniffedBytes);
  return start.subarray(0, readSync(fd, start, 0, sniffedBytes, 0));
}

/**
 * Opens a location: first without allowing links and, only if its path contains a link, with its own link rule.
 * Resolving a path takes longer than reading the file. Returns the result of `open`.
 *
 * @throws the errors of `open`.
 */
export function openByShortestWay<T>(place: RootedPath, open: (place: RootedPath) => T): T {
  try {
    return open({ ...place, links: 'none' });
  } catch (error) {
    const isLinked = error instanceof RefusedFile && error.reason === 'link';
    if (!isLinked || place.links === 'none') throw error;
  }
  return open(place);
}
