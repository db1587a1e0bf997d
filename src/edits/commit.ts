import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isBusyFile, whileBusy } from '../base/busy-file.ts';
import { type FileChange, reportCommit } from '../base/commit-receipt.ts';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { inDirectory, type PathOf } from '../base/in-directory.ts';
import { withLock } from '../base/lock.ts';
import { log } from '../base/log.ts';
import { RefusedFile } from '../base/open-regular-file.ts';
import { relativeWithin } from '../base/paths.ts';
import { makePrivateDirectory, tryMakePrivate } from '../base/private-directory.ts';
import { contentHash, hashInDirectory, hashOf } from './content-hash.ts';
import { addRecord, confirmRecord, dropRecord, type RecordedStep } from './history-records.ts';
import {
  discard,
  finishUnfinished,
  type JournalStep,
  noteTemporary,
  reserveUndoJournal,
  syncDirectory,
  writeJournal,
  writeUndoJournal,
} from './journal.ts';
import { makeDirectories, removeEmptyDirectory } from './make-directories.ts';
import type { CommitScope } from './scope.ts';
import { removeTemporary, stage, temporaryPath } from './temporary.ts';

export type Step = StepTarget & StepChange;

interface StepTarget {
  /** Relative to the root of the scope with `/`, or absolute. */
  readonly path: string;
  /** Absolute path, without links, that symbolic links must not lead out of; if absent, they may lead anywhere. */
  readonly within?: string | undefined;
}

type StepChange =
  | {
      readonly do: 'write';
      /** The content that the file must still have; `undefined` if no file may exist. */
      readonly before: Uint8Array | undefined;
      readonly after: Uint8Array;
      /** Path of the file whose mode and owner are kept; `undefined` for a new file. */
      readonly modeOf: string | undefined;
      /** Permissions of a file that is restored; they replace those of `modeOf`. */
      readonly mode?: number | undefined;
    }
  | { readonly do: 'remove'; readonly before: Uint8Array | undefined };

/** What the history records about a commit, besides its files. */
export interface CommitOrigin {
  readonly kind: 'edit' | 'undo' | 'redo';
  readonly tool: string;
  readonly session: string;
  /** Ids of the records that an undo or redo is about. */
  readonly of: readonly string[];
}

/** Longer than any commit of another process takes. */
const lockTimeoutMs = 10_000;

/**
 * Makes all steps or none. New content is first written and synced beside the files. Then the journal is written:
 * before it exists nothing has changed; after it, the next process can finish the commit. A lock allows one commit per
 * scope at a time, across processes. With an `origin`, the commit is recorded in the history of the scope; returns why it
 * was not, or `undefined`.
 *
 * @throws {ExpectedError} `edit.conflict` if a file is not in the state that its step expects; `file.no-permission`,
 *   `file.outside-project`, `edit.refused` or `edit.failed` if it cannot be written; `lock.held`. After an error
 *   nothing has changed, unless the message says that files could not be restored.
 */
export async function commitSteps(
  steps: readonly Step[],
  scope: CommitScope,
  signal: AbortSignal,
  origin?: CommitOrigin,
): Promise<string | undefined> {
  if (steps.length === 0) return undefined;
  const { directory } = scope;
  const problem = tryMakePrivate(dirname(directory), directory);
  if (problem !== undefined) {
    if (steps.length > 1) throw noDirectory(directory, problem);
    // A single file is replaced by one rename, which needs neither journal nor lock.
    log('edits').warn(`cannot use \`${directory}\`: ${problem}. Continuing without a lock`);
    commitLocked(steps, { scope, directory: undefined, origin });
    return problem;
  }
  return await withLock(join(directory, 'lock'), { timeoutMs: lockTimeoutMs, signal }, async () => {
    // With the lock held, every unfinished commit belongs to a process that has ended.
    finishUnfinished(scope);
    return commitLocked(steps, { scope, directory, origin });
  });
}

interface Commit {
  readonly id: string;
  readonly scope: CommitScope;
  /** Absolute path of the commit's own directory; `undefined` if none could be created. */
  readonly own: string | undefined;
  /** Absolute paths of the directories that the commit created. */
  readonly made: string[];
}

/** Returns why the commit was not recorded. `directory` is that of the scope; `undefined` if it cannot be used. */
function commitLocked(
  steps: readonly Step[],
  { scope, directory, origin }: { scope: CommitScope; directory: string | undefined; origin: CommitOrigin | undefined },
): string | undefined {
  const id = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const commit: Commit = { id, scope, own: directory && join(directory, id), made: [] };
  let temporary: string[] = [];
  let record: { readonly path?: string; readonly problem?: string } | undefined;
  try {
    const located = steps.map((step, index) => locate(step, { commit, index }));
    requireDistinct(located);
    if (located.length > 1) for (const { target, step } of located) requireRecoverable(target, step.path, scope);
    temporary = located.flatMap(({ staged, backup }) => [staged, backup]);
    begin(commit, temporary);
    const prepared = located.map((each) => prepare(each, commit));
    reportCommit(prepared.map(changeOf));
    if (directory !== undefined && origin !== undefined)
      record = tryRecord(directory, { commit, origin, located, prepared });
    decide(commit, prepared);
    for (const each of prepared) requireUnchanged(each);
    apply(prepared, commit);
  } catch (error) {
    if (!(error instanceof HalfDone)) {
      end(commit, temporary);
      if (record?.path !== undefined) dropRecord(record.path);
    }
    // They were created for files that were not written.
    for (const path of commit.made.toReversed()) removeEmptyDirectory(path);
    throw asExpected(error);
  }
  end(commit, temporary);
  if (record?.path !== undefined) tryConfirm(record.path);
  return record?.problem;
}

/** Records the commit and returns the record's path, or why that fails: the edit can then not be undone. */
function tryRecord(
  directory: string,
  parts: {
    commit: Commit;
    origin: CommitOrigin;
    located: readonly LocatedStep[];
    prepared: readonly PreparedStep[];
  },
): { readonly path?: string; readonly problem?: string } {
  const { commit, origin, located, prepared } = parts;
  try {
    const contents = located.flatMap(({ step }) => {
      return [step.before, step.do === 'write' ? step.after : undefined].filter((bytes) => bytes !== undefined);
    });
    const steps = prepared.map(recordedStep);
    const { id, made } = commit;
    return {
      path: addRecord(directory, { ...origin, id, contents, of: [...origin.of], made, steps, pid: process.pid }),
    };
  } catch (error) {
    log('edits').warn(`cannot record an edit, so that it cannot be undone: ${messageOf(error)}`);
    return { problem: messageOf(error) };
  }
}

/** Without a confirmation, the next commit decides; see {@link settleRecords}. */
function tryConfirm(record: string): void {
  try {
    confirmRecord(record);
  } catch (error) {
    log('edits').warn(`cannot confirm the record of an edit: ${messageOf(error)}`);
  }
}

function recordedStep({ step, path }: PreparedStep): RecordedStep {
  const { target, before } = step;
  const modeBefore = before === undefined ? undefined : permissionsOf(target);
  if (step.do === 'write') {
    return { path, target, before, after: step.after, modeBefore, modeAfter: permissionsOf(step.staged) };
  }
  return { path, target, before, modeBefore, isLink: lstatSync(target).isSymbolicLink() };
}

function permissionsOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && stats.mode & 0o777;
}

function begin({ own }: Commit, temporary: readonly string[]): void {
  if (own === undefined) return;
  makePrivateDirectory(own);
  noteTemporary(own, temporary);
}

/** Writes the journal: from here on an interrupted commit is finished. A single rename is atomic without a journal. */
function decide({ own }: Commit, prepared: readonly PreparedStep[]): void {
  if (own === undefined || prepared.length < 2) return;
  reserveUndoJournal(own, prepared.map(reverseOf));
  writeJournal(
    own,
    prepared.map(({ step }) => step),
  );
}

function end({ id, own }: Commit, temporary: readonly string[]): void {
  if (own === undefined) removeTemporary(id, temporary);
  else discard(own);
}

/**
 * A step failed and the steps before it could not be undone. The journal stays, so that the next commit can undo them.
 */
class HalfDone extends ExpectedError {
  constructor(failure: unknown, cause: unknown) {
    const message = `cannot write: ${messageOf(failure)}; the files already written could not be restored: ${messageOf(cause)}`;
    super('edit.failed', message, { cause, hints: ['repeat any edit: it first tries again to restore these files'] });
  }
}

/** A step with the absolute paths of its file and of its temporary files. */
interface LocatedStep {
  readonly step: Step;
  /** The file, with links resolved. */
  readonly target: string;
  /** Temporary file with the new content. */
  readonly staged: string;
  /** Temporary file with the replaced or removed content, until all steps are made. */
  readonly backup: string;
}

function locate(step: Step, { commit, index }: { commit: Commit; index: number }): LocatedStep {
  const { id, scope } = commit;
  const path = resolve(scope.root, step.path);
  // Writing follows a link; removing removes the link itself.
  const target = step.do === 'write' ? realTarget(path) : join(realTarget(dirname(path)), basename(path));
  const isOutside = step.within !== undefined && relativeWithin(step.within, target) === undefined;
  if (isOutside || !scope.mayChange(target)) throw refused(step.path, `a symlink leads to \`${target}\``);
  const beside = (role: 'new' | 'old') => temporaryPath(target, { id, index, role });
  return { step, target, staged: beside('new'), backup: beside('old') };
}

/** Through a link two paths may lead to the same file, and the last change would overwrite the first. */
function requireDistinct(located: readonly LocatedStep[]): void {
  const pathOf = new Map<string, string>();
  for (const { step, target } of located) {
    const other = pathOf.get(target);
    if (other !== undefined) {
      const paths = `\`${other}\` and \`${step.path}\``;
      throw new ExpectedError(
        'edit.refused',
        `cannot change ${paths} in one edit: both paths lead to the same file; nothing was changed`,
        { hints: ['edit the file through one of these paths'] },
      );
    }
    pathOf.set(target, step.path);
  }
}

/** An edit of several files may only touch files in which recovery may finish it. */
function requireRecoverable(target: string, path: string, scope: CommitScope): void {
  if (scope.mayRecover(target)) return;
  throw new ExpectedError(
    'edit.refused',
    `cannot change \`${path}\` together with other files: an interrupted edit could not be finished there; nothing was changed`,
    {
      hints: ['edit this file in a call of its own: files in `.git`, and in `.serena` except memories, are protected'],
    },
  );
}

/** Writes the new content to its temporary file and creates missing parent directories. */
function prepare({ step, target, staged, backup }: LocatedStep, { scope, made }: Commit): PreparedStep {
  const before = step.before === undefined ? undefined : hashOf(step.before);
  if (step.do === 'remove') return { step: { do: 'remove', target, before }, path: step.path, backup };
  if (step.before !== undefined) requireWritable(target, step.path);
  makeDirectories(dirname(target), { path: step.path, made });
  const modeOf = step.modeOf === undefined ? undefined : realTarget(resolve(scope.root, step.modeOf));
  stage(step.after, staged, { modeOf, mode: step.mode });
  return { step: { do: 'write', target, before, after: hashOf(step.after), staged }, path: step.path, backup };
}

/** Makes the steps in order. If one fails, undoes those before it. */
function apply(prepared: readonly PreparedStep[], { own }: Commit): void {
  const undo: JournalStep[] = [];
  try {
    for (const each of prepared) {
      putInPlace(each);
      undo.unshift(reverseOf(each));
    }
  } catch (error) {
    // From here on, recovery of this commit undoes it.
    if (own !== undefined && undo.length > 0) tryWriteUndo(own, undo);
    try {
      for (const step of undo) takeBack(step);
    } catch (cause) {
      throw new HalfDone(error, cause);
    }
    throw error;
  }
  for (const directory of new Set(prepared.map(({ step }) => dirname(step.target)))) syncDirectory(directory);
}

/** Without this journal, the steps are taken back all the same; only a crash meanwhile would then leave some of them. */
function tryWriteUndo(own: string, undo: readonly JournalStep[]): void {
  try {
    writeUndoJournal(own, undo);
  } catch (error) {
    log('edits').error(`cannot record in \`${own}\` that an edit is taken back: ${messageOf(error)}`);
  }
}

function changeOf({ step }: PreparedStep): FileChange {
  return { target: step.target, before: step.before, after: step.do === 'write' ? step.after : undefined };
}

function reverseOf({ step, backup }: PreparedStep): JournalStep {
  const now = step.do === 'write' ? step.after : undefined;
  if (step.before === undefined) return { do: 'remove', target: step.target, before: now };
  return { do: 'write', target: step.target, before: now, after: step.before, staged: backup };
}

function requireUnchanged({ step, path }: PreparedStep): void {
  // The content of a link to be removed was read through the link.
  const found = contentHash(step.target, step.do === 'remove' ? 'any' : 'none');
  if (found === step.before) return;
  const what = step.before === undefined ? 'appeared' : found === undefined ? 'disappeared' : 'changed';
  throw conflict(path, what);
}

/** Resolves the links of an absolute path; parts that do not exist yet are kept as they are. */
function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realTarget(parent), basename(path));
  }
}

/** Fails for a write-protected file, which a rename would replace all the same. */
function requireWritable(target: string, path: string): void {
  try {
    accessSync(target, constants.W_OK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw new ExpectedError('file.no-permission', `cannot write \`${path}\`: permission denied`, {
      hints: ['ask the user to make the file writable'],
      cause: error,
    });
  }
}

function noDirectory(directory: string, problem: string): ExpectedError {
  return new ExpectedError(
    'edit.failed',
    `cannot prepare an edit in \`${directory}\`: ${problem}; nothing was changed`,
    {
      hints: ['set `SERENA_HOME` to a writable directory', 'edit one file at a time'],
    },
  );
}

function refused(path: string, problem: string): ExpectedError {
  return new ExpectedError('file.outside-project', `cannot write \`${path}\`: ${problem}; nothing was changed`, {
    hints: ['pass a path inside the project, relative to its root'],
  });
}

function asExpected(error: unknown): unknown {
  if (error instanceof ExpectedError) return error;
  if (error instanceof RefusedFile) {
    return new ExpectedError('edit.refused', `cannot write: ${error.message}; nothing was changed`, { cause: error });
  }
  const code = systemCode(error);
  if (code === undefined) return error;
  const kind = code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'file.no-permission' : 'edit.failed';
  return new ExpectedError(kind, `cannot write: ${messageOf(error)}; nothing was changed`, { cause: error });
}

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
function takeBack(step: JournalStep): void {
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

function conflict(path: string, what = 'changed'): ExpectedError {
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
