import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode } from './errors.ts';

/** Returns the text of a UTF-8 file, or `undefined` if there is none. `path` is absolute. */
export function readTextIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Replaces the file at absolute `path` by `text` (UTF-8): written beside it, synced, then renamed over it, so that a
 * reader sees the old or the new file and a failure leaves the old one. Keeps the mode of a file that exists.
 */
export function writeTextAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const staged = join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}`);
  const file = openSync(staged, 'wx', modeOf(path));
  try {
    writeSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}

function modeOf(path: string): number {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return 0o644;
  }
}
