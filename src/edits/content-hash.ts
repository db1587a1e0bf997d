import { createHash } from 'node:crypto';
import { closeSync, fstatSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { messageOf, systemCode } from '../base/errors.ts';
import { type LinkRule, openUnlinked, RefusedFile, readAll, readRegularFile } from '../base/open-regular-file.ts';
import { maxFileBytes } from '../search/file-reader.ts';

/** Returns the SHA-256 of bytes in hexadecimal, as journals record it. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Returns the hash of the file at an absolute path, or `undefined` if there is none.
 *
 * @throws {RefusedFile} for a file that is not regular, or a link that `links` does not allow; system errors.
 */
export function contentHash(path: string, links: LinkRule = 'none'): string | undefined {
  try {
    return hashOf(readRegularFile({ root: dirname(path), path: basename(path), links }, maxFileBytes));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Returns the hash of the file at a path below an open directory; see `inDirectory()`.
 *
 * @throws {RefusedFile} for anything but a regular file; system errors.
 */
export function hashInDirectory(path: string): string {
  const fd = openUnlinked(path);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new RefusedFile('special');
    return hashOf(readAll(fd, stats.size, maxFileBytes));
  } finally {
    closeSync(fd);
  }
}

/** Returns the hash of a file's content, `undefined` if no file exists, and an error text for anything but a file. */
export function hashOrProblem(path: string): string | undefined {
  try {
    return contentHash(path);
  } catch (error) {
    return `unreadable: ${messageOf(error)}`;
  }
}
