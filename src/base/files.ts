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
 * Writes `text` (UTF-8) to the absolute `path`: to a temporary file beside it, synced, then renamed over it. Readers
 * see the old or the new file, and a failure leaves the old one. An existing file keeps its mode.
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
