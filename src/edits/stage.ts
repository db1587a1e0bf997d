import { chmodSync, chownSync, closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';

/**
 * Returns a path from which a rename to `target` works: in the commit's own folder, or beside the target where that is on
 * another file system. All paths are absolute.
 */
export function placeNear(target: string, { own, name }: { own: string; name: string }): string {
  const folder = dirname(target);
  const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
  if (deviceOf(own) === deviceOf(existingAbove(folder))) return join(own, name);
  return join(folder, `.${basename(target)}.${basename(own)}-${name}`);
}

/** Writes a new file, synced, with the mode and owner of the file at `modeOf`. Both paths are absolute. */
export function stage(content: Uint8Array, path: string, modeOf: string | undefined): void {
  const file = openSync(path, 'wx', 0o666);
  try {
    for (let written = 0; written < content.length; ) written += writeSync(file, content, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (modeOf !== undefined) keepMode(path, modeOf);
}

function existingAbove(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || statSync(folder, { throwIfNoEntry: false }) ? folder : existingAbove(parent);
}

function keepMode(path: string, modeOf: string): void {
  const stats = statSync(modeOf, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const own = statSync(path);
  try {
    if (stats.uid !== own.uid || stats.gid !== own.gid) chownSync(path, stats.uid, stats.gid);
  } catch (error) {
    // Only root may give files away; whoever may write the file may also replace it by one of their own.
    log('edits').debug(`Cannot keep the owner of \`${modeOf}\`: ${messageOf(error)}`);
  }
  // After the owner, whose change takes the set-id bits away.
  chmodSync(path, stats.mode & 0o7777);
}
