import { closeSync, constants, type Dirent, fstatSync, openSync, readSync } from 'node:fs';
import { type FileMetadata, tryStat } from '../base/file-state.ts';
import { fileCalls, type LibcCalls } from '../base/libc.ts';
import { openUnlinked, RefusedFile, requireOpenedAt } from '../base/open-regular-file.ts';

/** What a path leads to, and its metadata. */
export interface FileStatus extends FileMetadata {
  readonly kind: 'file' | 'directory' | 'other';
  /** The number of its names. */
  readonly nlink: number;
}

/** Values of Linux; Node.js has no constants for them. */
const currentDirectory = -100;
const emptyPath = 0x1000;
const basicStats = 0x7ff;

/** Longest path that is passed to the C library, in UTF-16 code units: each takes up to three bytes. */
const maxPathLength = 1024;

/** Each is valid during one call. */
const pathBytes = Buffer.alloc(3 * maxPathLength + 1);
const answer = new Uint32Array(64);
const answerBytes = Buffer.from(answer.buffer);

/**
 * Returns the status of an absolute path, links followed; `undefined` if the path cannot be reached. With glibc it takes two
 * thirds of the time of the runtime's own function, which makes an object of many fields.
 */
export function fileStatus(path: string): FileStatus | undefined {
  if (path.length <= maxPathLength && !path.includes('\0')) {
    pathBytes[pathBytes.write(path)] = 0;
    const status = statusAt(currentDirectory, pathBytes, 0);
    if (status !== undefined) return status;
  }
  const stats = tryStat(path);
  if (stats === undefined) return undefined;
  const { ino, size, ctimeMs, mtimeMs, nlink } = stats;
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
  return { kind, nlink, ino, size, ctimeMs, mtimeMs };
}

/** Returns the status of an open file; `undefined` with another C library than glibc, and after an error. */
function openedStatus(fd: number): FileStatus | undefined {
  return statusAt(fd, noName, emptyPath);
}

const noName = Buffer.alloc(1);

function statusAt(fd: number, name: Buffer, flags: number): FileStatus | undefined {
  if (fileCalls()?.statx?.(fd, name, flags, basicStats, answerBytes) !== 0) return undefined;
  // The offsets are those of `struct statx`, divided by four; all processors that this program runs on store the low half first.
  const mode = (answer[7] ?? 0) & constants.S_IFMT;
  return {
    kind: mode === constants.S_IFREG ? 'file' : mode === constants.S_IFDIR ? 'directory' : 'other',
    nlink: answer[4] ?? 0,
    ino: uint64(8),
    size: uint64(10),
    ctimeMs: milliseconds(24),
    mtimeMs: milliseconds(28),
  };
}

function uint64(at: number): number {
  return (answer[at + 1] ?? 0) * 2 ** 32 + (answer[at] ?? 0);
}

/** Returns a time as the runtime's own functions do, so that states from both are equal. */
function milliseconds(at: number): number {
  const seconds = ((answer[at + 1] ?? 0) | 0) * 2 ** 32 + (answer[at] ?? 0);
  return seconds * 1000 + (answer[at + 2] ?? 0) / 1e6;
}

/** A name in a directory, and what it is; without a kind for devices, sockets and pipes. */
export interface ListedName {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | undefined;
}

/** Reading one may block forever, so devices, sockets and pipes have no kind. */
export function listedName(found: Dirent): ListedName {
  const { name } = found;
  if (found.isFile()) return { name, kind: 'file' };
  if (found.isDirectory()) return { name, kind: 'directory' };
  return { name, kind: found.isSymbolicLink() ? 'link' : undefined };
}

/** Values of `d_type` in Linux. */
const unknownType = 0;
const kinds = new Map<number, ListedName['kind']>([
  [4, 'directory'],
  [8, 'file'],
  [10, 'link'],
]);

/** Where the length, the type and the name of a record are; see `getdents(2)`. */
const lengthAt = 16;
const typeAt = 18;
const nameAt = 19;

/** Valid during one call. */
const buffer = Buffer.allocUnsafeSlow(32 * 1024);

/**
 * Returns the entries of an open directory without opening it again, which is a quarter of the time that the runtime's own
 * function takes. Returns `undefined` with another C library than glibc, in other runtimes, if the file system does not
 * report types, and after an error: the caller then takes the long way.
 */
export function listOpenDirectory(fd: number): ListedName[] | undefined {
  const read = fileCalls()?.getdents64;
  if (read === undefined) return undefined;
  const names: ListedName[] = [];
  for (;;) {
    const length = read(fd, buffer, buffer.length);
    if (length === 0) return names;
    if (length < 0) return undefined;
    for (let at = 0; at < length; at += buffer.readUInt16LE(at + lengthAt)) {
      const type = buffer[at + typeAt] ?? unknownType;
      const name = buffer.toString('utf8', at + nameAt, buffer.indexOf(0, at + nameAt));
      if (type === unknownType) return undefined;
      if (name !== '.' && name !== '..') names.push({ name, kind: kinds.get(type) });
    }
  }
}

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
