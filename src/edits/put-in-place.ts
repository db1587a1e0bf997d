import { copyFileSync, linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isBusyFile, whileBusy } from '../base/busy-file.ts';
import { ExpectedError, systemCode } from '../base/errors.ts';
import { inDirectory, type PathOf } from '../base/in-directory.ts';
import { hashInDirectory } from './content-hash.ts';
import type { JournalStep } from './journal.ts';

/** A step of a commit whose new content is staged. */
export interface PreparedStep {
  readonly step: JournalStep;
  /** The file's path for messages. */
  readonly path: string;
  /** Absolute path of the temporary file that keeps the replaced or removed content. */
  readonly backup: string;
}

/**
 * Makes one step and checks that it replaced or removed exactly the expected content. Content that another program
 * wrote in the meantime is put back.
 *
 * @throws {ExpectedError} `edit.conflict` if another program wrote the file in the meantime; this step then changed
 *   nothing; `file.no-permission` for a file that another program has open on Windows. System errors.
 */
export function putInPlace(prepared: PreparedStep): void {
  const { step, path } = prepared;
  try {
    inDirectory(dirname(step.target), (pathOf) => {
      if (step.do === 'remove') removeFile(prepared, pathOf);
      else if (step.before === undefined) addFile(prepared, pathOf(basename(step.staged)), pathOf);
      else replaceFile(prepared, pathOf(basename(step.staged)), pathOf);
    });
  } catch (error) {
    throw isBusyFile(error) ? busy(path, error) : error;
  }
}

/** Undoes a step that {@link putInPlace} made; `step` is its reverse. */
export function takeBack(step: JournalStep): void {
  inDirectory(dirname(step.target), (pathOf) => {
    const target = pathOf(basename(step.target));
    if (step.do === 'remove') whileBusy(() => rmSync(target));
    else whileBusy(() => renameSync(pathOf(basename(step.staged)), target));
  });
}

function removeFile(prepared: PreparedStep, pathOf: PathOf): void {
  const { step, path } = prepared;
  const { target, backup } = namesOf(prepared, pathOf);
  whileBusy(() => renameSync(target, backup));
  // Removing a link leaves its target as it is.
  if (lstatSync(backup).isSymbolicLink() || hashInDirectory(backup) === step.before) return;
  putBack(backup, target);
  throw conflict(path);
}

/** Adds a file by a hard link: unlike a rename, it does not replace a file that another program just created. */
function addFile(prepared: PreparedStep, staged: string, pathOf: PathOf): void {
  const { target } = namesOf(prepared, pathOf);
  try {
    linkSync(staged, target);
  } catch {
    // Some file systems do not support hard links.
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw conflict(prepared.path, 'appeared');
    renameSync(staged, target);
    return;
  }
  whileBusy(() => rmSync(staged));
}

function replaceFile(prepared: PreparedStep, staged: string, pathOf: PathOf): void {
  const { step, path } = prepared;
  const { target, backup } = namesOf(prepared, pathOf);
  const kept = keep(target, backup) ? lstatSync(backup).ino : undefined;
  const own = lstatSync(staged).ino;
  // Another program may have replaced the file after `keep()`. Checked last: a later replacement is not noticed.
  if (kept !== undefined && lstatSync(target).ino !== kept) throw conflict(path);
  whileBusy(() => renameSync(staged, target));
  // Another program may have written to the file until the rename.
  if (hashInDirectory(backup) === step.before) return;
  if (lstatSync(target).ino === own) renameSync(backup, target);
  throw conflict(path);
}

function namesOf({ step, backup }: PreparedStep, pathOf: PathOf): { target: string; backup: string } {
  return { target: pathOf(basename(step.target)), backup: pathOf(basename(backup)) };
}

/**
 * Links a file to a second name, from which its content, mode and owner can be restored, and returns true. If the file
 * system has no hard links, or the file belongs to another user, makes a copy and returns false.
 */
function keep(target: string, backup: string): boolean {
  const uid = process.getuid?.();
  try {
    if (uid === undefined || uid === 0 || lstatSync(target).uid === uid) {
      linkSync(target, backup);
      return true;
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw error;
  }
  whileBusy(() => copyFileSync(target, backup));
  return false;
}

/** Moves a backup to its original path, unless another file exists there by now. */
function putBack(backup: string, target: string): void {
  try {
    linkSync(backup, target);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') renameSync(backup, target);
    return;
  }
  rmSync(backup);
}

export function conflict(path: string, what = 'changed'): ExpectedError {
  return new ExpectedError('edit.conflict', `\`${path}\` ${what} on disk after it was read; nothing was changed`, {
    hints: ['read it again and repeat the edit'],
  });
}

/** Returns the error for a file that Windows did not let this process replace or remove. */
function busy(path: string, cause: unknown): ExpectedError {
  const message = `cannot change \`${path}\`: it is open in another program, or may not be changed; nothing was changed`;
  return new ExpectedError('file.no-permission', message, {
    hints: ['close the file in the other program and repeat the edit, or ask the user to'],
    cause,
  });
}
