import { chmodSync, chownSync, closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { readTextIfExists, writeTextAtomically } from '../base/files.ts';
import { log } from '../base/log.ts';
import { tryStat } from '../project/file-state.ts';
import { resolveInProject } from '../project/project-path.ts';

/**
 * Returns a path from which a rename to `target` works: in the commit's own folder, or beside the target where that is on
 * another file system. All paths are absolute.
 */
export function placeNear(target: string, { own, name }: { own: string; name: string }): string {
  const folder = dirname(target);
  if (tryStat(own)?.dev === tryStat(existingAbove(folder))?.dev) return join(own, name);
  return join(folder, `.${basename(target)}.${basename(own)}-${name}`);
}

/** Names what a commit makes outside its own folder. */
const straysName = 'beside.json';

/**
 * Notes in a commit's own folder which of these files lie elsewhere, so that {@link discard} finds them: a commit that is
 * killed must not leave them in the user's folders. All paths are absolute.
 */
export function noteStrays(paths: readonly string[], own: string): void {
  const strays = paths.filter((path) => dirname(path) !== own);
  if (strays.length > 0) writeTextAtomically(join(own, straysName), JSON.stringify(strays));
}

/** Removes a commit's own folder and what it noted elsewhere in the project at `root`. Both are absolute. Never throws. */
export function discard(own: string, root: string): void {
  try {
    for (const path of readStrays(own)) if (isStrayOf(path, { own, root })) rmSync(path, { force: true });
    rmSync(own, { recursive: true, force: true });
  } catch (error) {
    log('edits').warn(`Cannot remove all of \`${own}\`: ${messageOf(error)}`);
  }
}

function readStrays(own: string): string[] {
  const text = readTextIfExists(join(own, straysName));
  if (text === undefined) return [];
  try {
    return z.array(z.string()).parse(JSON.parse(text));
  } catch (error) {
    log('edits').warn(`Cannot read \`${join(own, straysName)}\`: ${messageOf(error)}`);
    return [];
  }
}

/** A repository may bring a list of its own making: nothing but what a commit of this name makes is touched. */
function isStrayOf(path: string, { own, root }: { own: string; root: string }): boolean {
  try {
    resolveInProject(root, path);
  } catch (error) {
    log('edits').warn(`Left \`${path}\` alone: ${messageOf(error)}`);
    return false;
  }
  return new RegExp(`^\\..*\\.${RegExp.escape(basename(own))}-(?:new|old)-\\d+$`, 's').test(basename(path));
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
  return parent === folder || tryStat(folder) ? folder : existingAbove(parent);
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
