import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  type Dirent,
  existsSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt } from './attempt.ts';
import { ExpectedError, messageOf, systemCode } from './errors.ts';

/** Returns the text of a UTF-8 file, or `undefined` if the file does not exist. `path` is absolute. */
export function readTextIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * As {@link readTextIfExists}, for a file that is to be changed: of a text with other bytes, not all would be kept.
 *
 * @throws {ExpectedError} `file.undecodable`; system errors.
 */
export function readUtf8IfExists(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    requireUtf8(bytes, path);
    return bytes.toString('utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Checks that the content of the file at `path` is valid UTF-8. @throws {ExpectedError} `file.undecodable`. */
export function requireUtf8(bytes: Uint8Array, path: string): void {
  if (isUtf8(bytes)) return;
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1'))) + 1;
  throw new ExpectedError(
    'file.undecodable',
    `cannot change \`${path}\`: line ${line} is not valid UTF-8; nothing was changed`,
    {
      hints: ['save the file as UTF-8, then retry'],
    },
  );
}

/** More links than any file system follows. */
const maxLinks = 40;

/**
 * Returns the file that the absolute `path` leads to through symbolic links, which may be missing.
 *
 * @throws {ExpectedError} `file.not-written` if a link leads to a missing directory, or in a circle.
 */
export function fileBehindLinks(path: string): string {
  let at = path;
  for (let links = 0; links <= maxLinks; links++) {
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
      if (links === 0 || existsSync(dirname(at))) return at;
      throw new ExpectedError(
        'file.not-written',
        `cannot write \`${path}\`: it is a link to \`${at}\`, whose directory does not exist`,
        {
          hints: [`create the directory \`${dirname(at)}\`, or remove the link`],
        },
      );
    }
    at = resolve(realpathSync(dirname(at)), readlinkSync(at));
  }
  throw new ExpectedError('file.not-written', `cannot write \`${path}\`: its symbolic links form a circle`, {
    hints: ['remove the link'],
  });
}

/**
 * Writes all bytes to an open file, at `position` or where its last write ended. A single write may be short: on a full
 * disk, the system writes what fits and reports no error before the next write.
 *
 * @throws system errors.
 */
export function writeFully(file: number, content: Uint8Array, position?: number): void {
  for (let written = 0; written < content.length; ) {
    const at = position === undefined ? null : position + written;
    // Bun 1.4 ignores the position where the length is undefined.
    const count = writeSync(file, content, written, content.length - written, at);
    if (count === 0) throw new Error(`only ${written} of ${content.length} bytes could be written`);
    written += count;
  }
}

/**
 * Writes `content` (text as UTF-8) to the absolute `path`: to a temporary file beside it, synced, then renamed over it.
 * Readers see the old or the new file, and a failure leaves the old one. An existing file keeps its mode. `check` runs last;
 * what it throws is such a failure. A file with several names (hard links) is written itself, so that it stays one file: a
 * reader may then see a part of the new content.
 *
 * @throws system errors.
 */
export function replaceAtomically(path: string, content: string | Uint8Array, check = () => {}): void {
  mkdirSync(dirname(path), { recursive: true });
  const staged = join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}`);
  const bytes = Buffer.from(content);
  const file = openSync(staged, 'wx', modeOf(path));
  try {
    try {
      writeFully(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    check();
    if (hasOtherNames(path)) {
      overwrite(path, bytes);
      rmSync(staged);
    } else renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}

/** True if the file at `path` has further names (hard links). */
export function hasOtherNames(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1;
}

/**
 * Replaces the content of a file under all its names; a failure leaves the old one. What is longer is written first: on a
 * full disk, nothing has been overwritten yet.
 */
function overwrite(path: string, content: Buffer): void {
  const file = openSync(path, 'r+');
  try {
    const before = readFileSync(file);
    try {
      writeFully(file, content.subarray(before.length), before.length);
      fsyncSync(file);
      writeFully(file, content.subarray(0, before.length), 0);
      ftruncateSync(file, content.length);
      fsyncSync(file);
    } catch (error) {
      writeFully(file, before, 0);
      ftruncateSync(file, before.length);
      throw error;
    }
  } finally {
    closeSync(file);
  }
}

/**
 * As {@link replaceAtomically}, with errors for the user.
 *
 * @throws {ExpectedError} `file.no-permission`, `file.no-space` or `file.not-written`; an existing file is then unchanged.
 */
export function writeTextAtomically(path: string, text: string): void {
  try {
    replaceAtomically(path, text);
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** Returns the code of the error for a file that cannot be written; `cause` is the system error. */
export function writeErrorCode(cause: unknown): 'file.no-permission' | 'file.no-space' | 'file.not-written' {
  const code = systemCode(cause) ?? '';
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return 'file.no-permission';
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) ? 'file.no-space' : 'file.not-written';
}

function notWritten(path: string, cause: unknown): unknown {
  if (systemCode(cause) === undefined) return cause;
  const code = writeErrorCode(cause);
  const directory = `\`${dirname(path)}\``;
  const hint =
    code === 'file.no-space'
      ? `make room on the disk of ${directory}, then retry`
      : `make \`${path}\` and its directory writable for you`;
  const message = `cannot write \`${path}\`: ${messageOf(cause)}; nothing was changed`;
  return new ExpectedError(code, message, { hints: [hint], cause });
}

function modeOf(path: string): number {
  return attempt(() => statSync(path).mode & 0o777, 0o644);
}

/** Returns the text of a file; empty if it cannot be read. */
export function readOrEmpty(path: string | number): string {
  return attempt(() => readFileSync(path, 'utf8'), '');
}

/** Returns the sorted names in a directory; none if it cannot be read. */
export function namesIn(directory: string): string[] {
  return attempt(() => readdirSync(directory).sort(), []);
}

/** Returns the entries of a directory; none if it cannot be read. */
export function entriesIn(directory: string): Dirent[] {
  return attempt(() => readdirSync(directory, { withFileTypes: true }), []);
}
