import { copyFileSync, linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ExpectedError, systemCode } from '../base/errors.ts';
import { inDirectory, type PathOf } from '../base/in-directory.ts';
import { hashInDirectory } from './content-hash.ts';
import type { JournalStep } from './journal.ts';

/** A step of a commit that can be made. */
export interface PreparedStep {
  readonly step: JournalStep;
  /** How messages name the file. */
  readonly path: string;
  /** Absolute path of the temporary file that keeps what the step replaces or removes. */
  readonly aside: string;
}

/**
 * Makes one step and checks that it replaced or removed exactly the content that it was to. What another program wrote
 * meanwhile is put back.
 *
 * @throws {ExpectedError} `edit.conflict` if the file was written meanwhile; this step has changed nothing then. System
 *   errors.
 */
export function putInPlace(prepared: PreparedStep): void {
  const { step } = prepared;
  inDirectory(dirname(step.target), (pathOf) => {
    if (step.do === 'remove') removeFile(prepared, pathOf);
    else if (step.before === undefined) addFile(prepared, pathOf(basename(step.staged)), pathOf);
    else replaceFile(prepared, pathOf(basename(step.staged)), pathOf);
  });
}

/** Takes back a step that {@link putInPlace} has made; `step` is its reverse. */
export function takeBack(step: JournalStep): void {
  inDirectory(dirname(step.target), (pathOf) => {
    const target = pathOf(basename(step.target));
    if (step.do === 'remove') rmSync(target);
    else renameSync(pathOf(basename(step.staged)), target);
  });
}

function removeFile(prepared: PreparedStep, pathOf: PathOf): void {
  const { step, path } = prepared;
  const { target, aside } = namesOf(prepared, pathOf);
  renameSync(target, aside);
  // A link that is removed leaves what it leads to.
  if (lstatSync(aside).isSymbolicLink() || hashInDirectory(aside) === step.before) return;
  putBack(aside, target);
  throw conflict(path);
}

/** A hard link does not replace a file that another program has created meanwhile, as a rename would. */
function addFile(prepared: PreparedStep, staged: string, pathOf: PathOf): void {
  const { target } = namesOf(prepared, pathOf);
  try {
    linkSync(staged, target);
  } catch {
    // Some file systems have no hard links.
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw conflict(prepared.path, 'appeared');
    renameSync(staged, target);
    return;
  }
  rmSync(staged);
}

function replaceFile(prepared: PreparedStep, staged: string, pathOf: PathOf): void {
  const { step, path } = prepared;
  const { target, aside } = namesOf(prepared, pathOf);
  const kept = keep(target, aside) ? lstatSync(aside).ino : undefined;
  const own = lstatSync(staged).ino;
  // Another program may have put a new file in place of the one that was kept. Last, as nothing notices one afterwards.
  if (kept !== undefined && lstatSync(target).ino !== kept) throw conflict(path);
  renameSync(staged, target);
  // The file that was kept may have been written to until the rename.
  if (hashInDirectory(aside) === step.before) return;
  if (lstatSync(target).ino === own) renameSync(aside, target);
  throw conflict(path);
}

function namesOf({ step, aside }: PreparedStep, pathOf: PathOf): { target: string; aside: string } {
  return { target: pathOf(basename(step.target)), aside: pathOf(basename(aside)) };
}

/**
 * Gives a file a second name, by which its content, mode and owner can be put back, and returns true. Makes a copy and
 * returns false where the file system has no hard links, or where the file belongs to somebody else.
 */
function keep(target: string, aside: string): boolean {
  const uid = process.getuid?.();
  try {
    if (uid === undefined || uid === 0 || lstatSync(target).uid === uid) {
      linkSync(target, aside);
      return true;
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw error;
  }
  copyFileSync(target, aside);
  return false;
}

/** Puts a file back that was set aside, unless there is another one in its place by now. */
function putBack(aside: string, target: string): void {
  try {
    linkSync(aside, target);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') renameSync(aside, target);
    return;
  }
  rmSync(aside);
}

/** Returns the error for a file that is not as it was read. */
export function conflict(path: string, what = 'changed'): ExpectedError {
  return new ExpectedError('edit.conflict', `\`${path}\` ${what} on disk after it was read; nothing was changed`, {
    hints: ['Read it again and repeat the edit'],
  });
}
