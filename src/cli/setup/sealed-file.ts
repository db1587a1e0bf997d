import { createHash } from 'node:crypto';
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { readTextIfExists, writeTextAtomically } from '../../base/files.ts';
import { ownCaller } from '../caller.ts';

const seal = /<!-- Written by serena setup; sha256 ([0-9a-f]{64}) -->\n$/;

/** Returns a text with a last line by which {@link isOwn} recognizes it. */
export function sealed(text: string): string {
  return `${text}\n<!-- Written by serena setup; sha256 ${hashOf(text)} -->\n`;
}

/** True for a text that this or another version wrote and nobody edited. */
export function isOwn(text: string): boolean {
  const found = seal.exec(text);
  return found !== null && found[1] === hashOf(text.slice(0, found.index - 1));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Writes a sealed text to the file at an absolute path. Returns false if the file has it already.
 *
 * @throws {ExpectedError} `file.exists` for a file that this program did not write, or that was edited since.
 */
export function writeSealed(path: string, text: string): boolean {
  const existing = readTextIfExists(path);
  if (existing !== undefined && !isOwn(existing)) {
    throw new ExpectedError('file.exists', `\`${path}\` was not written by this program, or was edited since`, {
      hints: ['move the file away, then run the command again', 'add `--print` to see the new text'],
    });
  }
  if (existing === text) return false;
  writeTextAtomically(path, text);
  return true;
}

/**
 * Removes a sealed file, and its directory if that is empty then; says what became of it. `what` is what the file is, with
 * its article. Returns true if there was one.
 */
export function removeSealed(path: string | undefined, what: string): boolean {
  const existing = path === undefined ? undefined : readTextIfExists(path);
  if (path === undefined || existing === undefined) return false;
  if (!isOwn(existing)) {
    ownCaller.print(`Kept ${what}, which was edited since: \`${path}\`\n`);
    return true;
  }
  rmSync(path);
  const directory = dirname(path);
  if (readdirSync(directory).length === 0) rmdirSync(directory);
  ownCaller.print(`Removed ${what}: \`${path}\`\n`);
  return true;
}
