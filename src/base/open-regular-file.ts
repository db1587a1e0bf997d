import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { systemCode } from './errors.ts';
import { isSamePath, relativeWithin } from './paths.ts';

/**
 * Which symbolic links the path of a file may contain: none below the root, those that stay inside the root, or any.
 * Links above the root never matter.
 */
export type LinkRule = 'none' | 'inside' | 'any';

/** Why a file was refused. A missing file or missing permission is a system error instead. */
export type Refusal = 'link' | 'outside' | 'directory' | 'special' | 'too-large';

const refusals: Readonly<Record<Refusal, string>> = {
  link: 'its path contains a symbolic link',
  outside: 'a symbolic link leads out of the project',
  directory: 'it is a directory',
  special: 'it is not a regular file',
  'too-large': 'it is too large',
};

/** Refusal to read a file that exists. Its message never quotes the file. */
export class RefusedFile extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal, detail = refusals[reason]) {
    super(detail);
    this.name = 'RefusedFile';
    this.reason = reason;
  }
}

/** An open regular file. The caller closes `fd`. */
export interface RegularFile {
  readonly fd: number;
  readonly stats: Stats;
  /** Absolute path without symbolic links. */
  readonly realPath: string;
}

/** Location of a file: `root` is an absolute path without symbolic links, `path` is relative to it. */
export interface RootedPath {
  readonly root: string;
  readonly path: string;
  readonly links: LinkRule;
}

/** `O_NOFOLLOW_ANY` of Darwin, which refuses a link in any part of the path; Node.js has no constant for it. */
const noFollowAny = 0x2000_0000;

const maxAttempts = 3;

/**
 * Returns the flags that open a file or directory for reading without following a link in the last part of its path, on
 * macOS in any part. `O_NONBLOCK`: opening a pipe must not wait for its writer.
 */
export function readingFlags(platform = process.platform): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  // Windows has neither flag.
  if (platform === 'win32') return O_RDONLY;
  // Darwin refuses to open anything with both flags: EINVAL.
  return O_RDONLY | O_NONBLOCK | (platform === 'darwin' ? noFollowAny : O_NOFOLLOW);
}

const openFlags = readingFlags();

/**
 * Opens a regular file for reading and checks the opened file against the link rule, so that a link created between the
 * check and the opening has no effect. Pipes, devices and sockets are refused without blocking.
 *
 * @throws {RefusedFile} for a file that the rule or its type forbids; system errors such as `ENOENT`.
 */
export function openRegularFile(place: RootedPath): RegularFile {
  for (let attempt = 1; ; attempt++) {
    try {
      return openOnce(place);
    } catch (error) {
      // An editor may have just replaced the opened file by renaming another one over it.
      const isMoved = error instanceof RefusedFile && error.reason === 'link';
      if (!isMoved || attempt === maxAttempts) throw error;
    }
  }
}

function openOnce({ root, path, links }: RootedPath): RegularFile {
  const given = join(root, path);
  const real = links === 'none' ? given : realpathSync(given);
  if (links !== 'any' && relativeWithin(root, real) === undefined) throw new RefusedFile('outside');
  // Opening some devices has side effects, so they are refused before.
  requireRegular(lstatSync(real));
  const fd = openUnlinked(real);
  try {
    const stats = fstatSync(fd);
    requireRegular(stats);
    requireOpenedAt(fd, real);
    return { fd, stats, realPath: real };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Returns the bytes of a regular file, opened with {@link openRegularFile}.
 *
 * @throws {RefusedFile} also for a file larger than `maxBytes`; system errors.
 */
export function readRegularFile(place: RootedPath, maxBytes: number): Buffer {
  const { fd, stats } = openRegularFile(place);
  try {
    return readAll(fd, stats.size, maxBytes);
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns all bytes of an open file from its current position; `sizeBytes` is the expected number.
 *
 * @throws {RefusedFile} for more than `maxBytes`, also if the file grows while it is read.
 */
export function readAll(fd: number, sizeBytes: number, maxBytes: number): Buffer {
  if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
  // One byte more than expected, so that the end of the file is detected without another allocation.
  let buffer = Buffer.allocUnsafe(sizeBytes + 1);
  let length = 0;
  for (;;) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > maxBytes) throw tooLarge(maxBytes);
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(Math.max(length, 4096))]);
  }
}

/**
 * Checks that an open file or directory is the one at an absolute path without symbolic links.
 *
 * @throws {RefusedFile} if it is another file or the path contains a link.
 */
export function requireOpenedAt(fd: number, path: string, platform = process.platform): void {
  const opened = pathOfDescriptor(fd, platform);
  // A file that was removed after opening was at its path when it was opened.
  if (opened !== undefined) {
    if (!isSamePath(opened, path) && !isSamePath(opened, `${path} (deleted)`)) throw new RefusedFile('link');
    return;
  }
  // Where the path of an open file cannot be queried, the path must still resolve to this very file.
  const found = lstatSync(path);
  const { dev, ino } = fstatSync(fd);
  if (found.dev !== dev || found.ino !== ino || !isSamePath(realpathSync(path), path)) throw new RefusedFile('link');
}

/** Returns the real path of an open file or directory; `undefined` where the system does not report it. */
function pathOfDescriptor(fd: number, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'linux') return undefined;
  try {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    return path.startsWith('/') ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Opens a file or directory for reading; the caller closes it. A path whose last part is a link is refused, and on
 * macOS a path with a link in any part.
 *
 * @throws {RefusedFile} for a link or a socket; system errors.
 */
export function openUnlinked(path: string): number {
  try {
    return openSync(path, openFlags);
  } catch (error) {
    if (systemCode(error) === 'ELOOP') throw new RefusedFile('link');
    // Sockets fail with ENXIO.
    if (systemCode(error) === 'ENXIO') throw new RefusedFile('special');
    throw error;
  }
}

function requireRegular(stats: Stats): void {
  if (stats.isSymbolicLink()) throw new RefusedFile('link');
  if (stats.isDirectory()) throw new RefusedFile('directory');
  if (!stats.isFile()) throw new RefusedFile('special');
}

function tooLarge(maxBytes: number): RefusedFile {
  return new RefusedFile('too-large', `it is larger than ${maxBytes} bytes`);
}
