import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { whileBusy } from '../../base/busy-file.ts';
import { ExpectedError, messageOf, systemCode } from '../../base/errors.ts';
import { notWritable } from './own-program.ts';

/**
 * Moves the file `program` to `path`, whose program may be running. Windows does not replace a running program, but
 * renames it; the next update removes the old one.
 *
 * @throws {ExpectedError} `file.no-permission`: the old program is still at `path`; `install.failed`, with the path of
 *   the old program, if it could not be put back.
 */
export function moveOver(program: string, path: string, platform = process.platform): void {
  try {
    if (platform === 'win32') replaceRunning(program, path, platform);
    else renameSync(program, path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw notWritable(path, error);
  }
}

function replaceRunning(program: string, path: string, platform: NodeJS.Platform): void {
  const old = freeName(path);
  whileBusy(() => renameSync(path, old), platform);
  try {
    // A virus scanner may still have the new program open, which was just started to ask for its version.
    whileBusy(() => renameSync(program, path), platform);
  } catch (error) {
    putBack(old, path, platform);
    throw error;
  }
}

function putBack(old: string, path: string, platform: NodeJS.Platform): void {
  try {
    whileBusy(() => renameSync(old, path), platform);
  } catch (cause) {
    const message = `cannot put the program at \`${path}\`: ${messageOf(cause)}; the old program is \`${old}\``;
    throw new ExpectedError('install.failed', message, { hints: [`rename \`${old}\` to \`${path}\``], cause });
  }
}

function freeName(path: string): string {
  return [`${path}.old`, `${path}.${process.pid}.old`].find(isFree) ?? `${path}.${randomUUID()}.old`;
}

/** True if nothing is at a path any more. */
function isFree(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    // A session still runs this program.
    return false;
  }
}
