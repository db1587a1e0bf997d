import { chmodSync, chownSync, closeSync, fsyncSync, lstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { whileBusy } from '../base/busy-file.ts';
import { messageOf, systemCode } from '../base/errors.ts';
import { inDirectory } from '../base/in-directory.ts';
import { log } from '../base/log.ts';

/** Form of a commit's id. The names of the commit's own directory and of its temporary files contain the id. */
const idForm = /^\d+-[0-9a-f]{12}$/;

/** True if `name` can be the name of a commit's own directory. */
export function isCommitId(name: string): boolean {
  return idForm.test(name);
}

/** Content of a temporary file: `new` before it is put in place, or `old` until all steps are made. */
export type TemporaryRole = 'new' | 'old';

/** Returns the absolute path of a temporary file beside `target`, so that a rename between them is atomic. */
export function temporaryPath(
  target: string,
  { id, index, role }: { id: string; index: number; role: TemporaryRole },
): string {
  return join(dirname(target), `.serena-${id}-${index}-${role}`);
}

/** True if an absolute path has the name of a temporary file of the commit `id`. */
export function isTemporaryOf(id: string, path: string): boolean {
  const name = basename(path);
  return isCommitId(id) && name.startsWith(`.serena-${id}-`) && /^\d+-(?:new|old)$/.test(name.slice(9 + id.length));
}

/**
 * Removes temporary files of the commit `id`, given by absolute paths, and skips missing ones. Logs a warning and keeps
 * a file that has another name, belongs to another user, or is not a regular file. Never throws.
 */
export function removeTemporary(id: string, paths: readonly string[]): void {
  for (const path of paths) {
    try {
      if (!isTemporaryOf(id, path)) throw new Error('no edit creates a file of this name');
      inDirectory(dirname(path), (pathOf) => removeOwn(pathOf(basename(path))));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') log('edits').warn(`Did not remove \`${path}\`: ${messageOf(error)}`);
    }
  }
}

function removeOwn(path: string): void {
  const stats = lstatSync(path);
  if (!stats.isFile() && !stats.isSymbolicLink()) throw new Error('it is not a regular file');
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && stats.uid !== uid) throw new Error('it belongs to another user');
  whileBusy(() => rmSync(path));
}

/**
 * Writes a new file with the mode and owner of the file at `modeOf`, or with the permissions `mode`, and syncs it. Both
 * paths are absolute.
 */
export function stage(
  content: Uint8Array,
  path: string,
  { modeOf, mode }: { modeOf: string | undefined; mode?: number | undefined },
): void {
  inDirectory(dirname(path), (pathOf) => {
    const staged = pathOf(basename(path));
    // `x` fails if anything has this name, even a link.
    const file = openSync(staged, 'wx', 0o666);
    try {
      for (let written = 0; written < content.length; ) written += writeSync(file, content, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (modeOf !== undefined) keepMode(staged, modeOf);
    if (mode !== undefined) chmodSync(staged, mode);
  });
}

function keepMode(path: string, modeOf: string): void {
  const stats = statSync(modeOf, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const own = statSync(path);
  try {
    if (stats.uid !== own.uid || stats.gid !== own.gid) chownSync(path, stats.uid, stats.gid);
  } catch (error) {
    // Only root may change owners. The new file then belongs to the current user, who may write the old one.
    log('edits').debug(`cannot keep the owner of \`${modeOf}\`: ${messageOf(error)}`);
  }
  // After `chown`, which clears the set-id bits.
  chmodSync(path, stats.mode & 0o7777);
}
