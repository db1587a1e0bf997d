import { chmodSync, chownSync, closeSync, fsyncSync, lstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf, systemCode } from '../base/errors.ts';
import { inDirectory } from '../base/in-directory.ts';
import { log } from '../base/log.ts';

/**
 * The id of a commit, of which its own directory and all its temporary files have their names. A name of another form is
 * of nothing that a commit makes.
 */
const idForm = /^\d+-[0-9a-f]{12}$/;

/** True if `name` can be the name of a commit's own directory. */
export function isCommitId(name: string): boolean {
  return idForm.test(name);
}

/** What a temporary file holds: new content before it is put in place, or what was replaced until all is done. */
export type TemporaryRole = 'new' | 'old';

/** Returns the absolute path of a temporary file beside `target`: a rename between them is one step of the file system. */
export function temporaryPath(
  target: string,
  { id, index, role }: { id: string; index: number; role: TemporaryRole },
): string {
  return join(dirname(target), `.serena-${id}-${index}-${role}`);
}

/** True if the file at an absolute path is one that the commit called `id` makes, as far as its name says. */
export function isTemporaryOf(id: string, path: string): boolean {
  const name = basename(path);
  return isCommitId(id) && name.startsWith(`.serena-${id}-`) && /^\d+-(?:new|old)$/.test(name.slice(9 + id.length));
}

/**
 * Removes temporary files of the commit called `id` by absolute path; one that does not exist is skipped. A file of another
 * name, of another user, or that is not a regular file is left with a warning. Never throws.
 */
export function removeTemporary(id: string, paths: readonly string[]): void {
  for (const path of paths) {
    try {
      if (!isTemporaryOf(id, path)) throw new Error('no edit creates a file of this name');
      inDirectory(dirname(path), (pathOf) => removeOwn(pathOf(basename(path))));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') log('edits').warn(`Left \`${path}\` as it is: ${messageOf(error)}`);
    }
  }
}

function removeOwn(path: string): void {
  const stats = lstatSync(path);
  if (!stats.isFile() && !stats.isSymbolicLink()) throw new Error('it is not a regular file');
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && stats.uid !== uid) throw new Error('it belongs to another user');
  rmSync(path);
}

/** Writes a new file, synced, with the mode and owner of the file at `modeOf`. Both paths are absolute. */
export function stage(content: Uint8Array, path: string, modeOf: string | undefined): void {
  inDirectory(dirname(path), (pathOf) => {
    const staged = pathOf(basename(path));
    // Fails where anything has this name, also a link.
    const file = openSync(staged, 'wx', 0o666);
    try {
      for (let written = 0; written < content.length; ) written += writeSync(file, content, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (modeOf !== undefined) keepMode(staged, modeOf);
  });
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
