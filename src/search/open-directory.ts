import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { FileMetadata } from '../base/file-state.ts';
import { fileCalls, type LibcCalls } from '../base/libc.ts';
import { openUnlinked, RefusedFile, requireOpenedAt } from '../base/open-regular-file.ts';
import { openedStatus } from './file-status.ts';

/** A value of Linux; Node.js has no constant for it. */
const closeOnExec = 0o2000000;

const openFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Longest name that is passed to the C library, in UTF-16 code units: each takes up to three bytes. */
const maxNameLength = 1024;

/** How files are reached: with functions of the C library, with paths below `/proc/self/fd`, or not at all. */
export type DirectoryAccess = 'libc' | 'proc' | 'none';

/**
 * Reads the files of one directory after another on Linux, by their names in the open directory, which no link can
 * replace meanwhile. Elsewhere, and whenever something is unusual, the result is `undefined`, and the caller takes the
 * long way.
 */
export class OpenDirectory {
  readonly #calls: LibcCalls | undefined;
  /** The best way that there is here, at most the one that the caller chose. */
  readonly access: DirectoryAccess;
  readonly #name = Buffer.alloc(3 * maxNameLength + 1);
  /** The last directory; without a descriptor if a link leads there. */
  #directory: { readonly path: string; readonly fd: number | undefined } | undefined;

  constructor(access: DirectoryAccess = 'libc', platform = process.platform) {
    this.#calls = access === 'libc' ? fileCalls() : undefined;
    const other = platform === 'linux' && access !== 'none' ? 'proc' : 'none';
    this.access = this.#calls === undefined ? other : 'libc';
  }

  /** Closes the directory, which another one may replace before the next question. */
  release(): void {
    if (this.#directory?.fd !== undefined) closeSync(this.#directory.fd);
    this.#directory = undefined;
  }

  /**
   * Reads a regular file to the start of `buffer`, which must be longer than the file, and returns its metadata;
   * `directory` is an absolute path without symbolic links.
   *
   * @throws system errors.
   */
  read(directory: string, name: string, buffer: Buffer): FileMetadata | undefined {
    if (this.access === 'none' || name.length > maxNameLength) return undefined;
    const parent = this.#enter(directory);
    if (parent === undefined) return undefined;
    return this.#calls === undefined
      ? readByPath(`/proc/self/fd/${parent}/${name}`, buffer)
      : this.#read(this.#calls, parent, this.#named(name), buffer);
  }

  #read(calls: LibcCalls, parent: number, name: Buffer, buffer: Buffer): FileMetadata | undefined {
    const fd = calls.openat?.(parent, name, openFlags | closeOnExec) ?? -1;
    if (fd < 0) return undefined;
    try {
      const stats = openedStatus(fd);
      if (stats?.kind !== 'file' || stats.size >= buffer.length) return undefined;
      // One byte more than expected, so that a file that has grown is noticed.
      return calls.read?.(fd, buffer, stats.size + 1) === stats.size ? stats : undefined;
    } finally {
      calls.close?.(fd);
    }
  }

  #enter(path: string): number | undefined {
    if (this.#directory?.path !== path) {
      this.release();
      this.#directory = { path, fd: openDirectory(path) };
    }
    return this.#directory?.fd;
  }

  /** Returns the name as the C library expects it; valid until the next call. */
  #named(name: string): Buffer {
    this.#name[this.#name.write(name)] = 0;
    return this.#name;
  }
}

/** Returns `undefined` if the path contains a link. @throws system errors. */
function openDirectory(path: string): number | undefined {
  let fd: number | undefined;
  try {
    fd = openUnlinked(path);
    requireOpenedAt(fd, path);
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    if (error instanceof RefusedFile) return undefined;
    throw error;
  }
}

function readByPath(path: string, buffer: Buffer): FileMetadata | undefined {
  const fd = openSync(path, openFlags);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size >= buffer.length) return undefined;
    return readSync(fd, buffer, 0, stats.size + 1, null) === stats.size ? stats : undefined;
  } finally {
    closeSync(fd);
  }
}
