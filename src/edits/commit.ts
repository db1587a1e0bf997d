import { randomBytes } from 'node:crypto';
import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { withLock } from '../base/lock.ts';
import { log } from '../base/log.ts';
import { RefusedFile } from '../base/open-regular-file.ts';
import { relativeWithin } from '../base/paths.ts';
import { makePrivateDirectory, tryMakePrivate } from '../base/private-directory.ts';
import { contentHash, hashOf } from './content-hash.ts';
import { discard, finishUnfinished, type JournalStep, noteTemporary, syncDirectory, writeJournal } from './journal.ts';
import { makeDirectories, removeEmptyDirectory } from './make-directories.ts';
import { conflict, type PreparedStep, putInPlace, takeBack } from './put-in-place.ts';
import type { CommitScope } from './scope.ts';
import { removeTemporary, stage, temporaryPath } from './temporary.ts';

/** What is to become of one path. */
export type Step = StepTarget & StepChange;

interface StepTarget {
  /** Relative to the root of the scope with `/`, or absolute. */
  readonly path: string;
  /** Absolute path, without links, of the directory that no link may lead the step out of; any may where it is absent. */
  readonly within?: string | undefined;
}

type StepChange =
  | {
      readonly do: 'write';
      /** What must be there still; `undefined` where there must be nothing. */
      readonly before: Uint8Array | undefined;
      readonly after: Uint8Array;
      /** The path whose mode the file has, where it has one to keep. */
      readonly modeOf: string | undefined;
    }
  | { readonly do: 'remove'; readonly before: Uint8Array | undefined };

/** Longer than any other commit takes. */
const lockTimeoutMs = 10_000;

/**
 * Makes all steps or none. New content is written and synced beside the files; the journal then decides: before it exists
 * nothing has happened, afterwards whoever comes next can finish. One scope has one commit at a time, across processes.
 *
 * @throws {ExpectedError} `edit.conflict` when a path is not as its step says; `file.no-permission`,
 *   `file.outside-project`, `edit.refused`, `edit.failed` when it cannot be written; `lock.held`. Nothing has changed then.
 */
export async function commitSteps(steps: readonly Step[], scope: CommitScope, signal: AbortSignal): Promise<void> {
  if (steps.length === 0) return;
  const { directory } = scope;
  const problem = tryMakePrivate(dirname(directory), directory);
  if (problem !== undefined) {
    if (steps.length > 1) throw noDirectory(directory, problem);
    // One file is replaced in one step, which needs neither journal nor lock.
    log('edits').warn(`Cannot use \`${directory}\`: ${problem}. Going on without a lock`);
    commitLocked(steps, scope, undefined);
    return;
  }
  await withLock(join(directory, 'lock'), { timeoutMs: lockTimeoutMs, signal }, async () => {
    // The holder of the lock is alone: everything unfinished was left by processes that are gone.
    finishUnfinished(scope);
    commitLocked(steps, scope, directory);
  });
}

/** A commit under way. */
interface Commit {
  readonly id: string;
  readonly scope: CommitScope;
  /** Absolute path of its own directory; `undefined` where none can be made. */
  readonly own: string | undefined;
  /** Absolute paths of the directories that it has made. */
  readonly made: string[];
}

function commitLocked(steps: readonly Step[], scope: CommitScope, directory: string | undefined): void {
  const id = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const commit: Commit = { id, scope, own: directory && join(directory, id), made: [] };
  let temporary: string[] = [];
  try {
    const placed = steps.map((step, index) => place(step, { commit, index }));
    requireDistinct(placed);
    if (placed.length > 1) for (const { target, step } of placed) requireRecoverable(target, step.path, scope);
    temporary = placed.flatMap(({ staged, aside }) => [staged, aside]);
    begin(commit, temporary);
    const prepared = placed.map((each) => prepare(each, commit));
    decide(commit, prepared);
    for (const each of prepared) requireUnchanged(each);
    apply(prepared, commit);
  } catch (error) {
    if (!(error instanceof HalfDone)) end(commit, temporary);
    // Directories made for files that were not written in the end.
    for (const path of commit.made.toReversed()) removeEmptyDirectory(path);
    throw asExpected(error);
  }
  end(commit, temporary);
}

function begin({ own }: Commit, temporary: readonly string[]): void {
  if (own === undefined) return;
  makePrivateDirectory(own);
  noteTemporary(own, temporary);
}

/** From here on the commit is finished, whatever happens. A single rename is all or nothing without a journal. */
function decide({ own }: Commit, prepared: readonly PreparedStep[]): void {
  if (own === undefined || prepared.length < 2) return;
  writeJournal(
    own,
    prepared.map(({ step }) => step),
  );
}

function end({ id, own }: Commit, temporary: readonly string[]): void {
  if (own === undefined) removeTemporary(id, temporary);
  else discard(own);
}

/** A step that failed after others, which could not be taken back either: the journal stays, for whoever comes next. */
class HalfDone extends ExpectedError {
  constructor(failure: unknown, cause: unknown) {
    const message = `Cannot write: ${messageOf(failure)}; files written before cannot be put back: ${messageOf(cause)}`;
    super('edit.failed', message, { cause, hints: ['Repeat any edit: it tries again to put them back first'] });
  }
}

/** A step with where its file really is and where its parts go meanwhile; absolute paths. */
interface Placed {
  readonly step: Step;
  readonly target: string;
  /** For the new content. */
  readonly staged: string;
  /** For what the step replaces or removes, until all steps are done. */
  readonly aside: string;
}

function place(step: Step, { commit, index }: { commit: Commit; index: number }): Placed {
  const { id, scope } = commit;
  const path = resolve(scope.root, step.path);
  // A link is written through; where it is to be removed, it is removed itself.
  const target = step.do === 'write' ? realTarget(path) : join(realTarget(dirname(path)), basename(path));
  const isOutside = step.within !== undefined && relativeWithin(step.within, target) === undefined;
  if (isOutside || !scope.mayChange(target)) throw refused(step.path, `a symlink leads to \`${target}\``);
  const beside = (role: 'new' | 'old') => temporaryPath(target, { id, index, role });
  return { step, target, staged: beside('new'), aside: beside('old') };
}

/** By a link two paths may lead to one file, of which only the last change would stay. */
function requireDistinct(placed: readonly Placed[]): void {
  const pathOf = new Map<string, string>();
  for (const { step, target } of placed) {
    const other = pathOf.get(target);
    if (other !== undefined) {
      const paths = `\`${other}\` and \`${step.path}\``;
      throw new ExpectedError(
        'edit.refused',
        `Cannot change ${paths} at once: they are one file; nothing was changed`,
        { hints: ['Edit the file under one of its names'] },
      );
    }
    pathOf.set(target, step.path);
  }
}

/** An interrupted edit of several files must be one that can be finished. */
function requireRecoverable(target: string, path: string, scope: CommitScope): void {
  if (scope.mayRecover(target)) return;
  throw new ExpectedError(
    'edit.refused',
    `Cannot change \`${path}\` together with other files: it is a protected file; nothing was changed`,
    { hints: ['Edit the file alone', 'Leave out `.git`, and `.serena` except for memories'] },
  );
}

/** Writes the new content aside and makes the directories it will need. */
function prepare({ step, target, staged, aside }: Placed, { scope, made }: Commit): PreparedStep {
  const before = step.before === undefined ? undefined : hashOf(step.before);
  if (step.do === 'remove') return { step: { do: 'remove', target, before }, path: step.path, aside };
  if (step.before !== undefined) requireWritable(target, step.path);
  makeDirectories(dirname(target), { path: step.path, made });
  const modeOf = step.modeOf === undefined ? undefined : realTarget(resolve(scope.root, step.modeOf));
  stage(step.after, staged, modeOf);
  return { step: { do: 'write', target, before, after: hashOf(step.after), staged }, path: step.path, aside };
}

/** Puts one after the other in place; when one fails, those before it are taken back. */
function apply(prepared: readonly PreparedStep[], { own }: Commit): void {
  const undo: JournalStep[] = [];
  try {
    for (const each of prepared) {
      putInPlace(each);
      undo.unshift(reverseOf(each));
    }
  } catch (error) {
    // From here on whoever finishes this commit takes it back.
    if (own !== undefined && undo.length > 0) writeJournal(own, undo);
    try {
      for (const step of undo) takeBack(step);
    } catch (cause) {
      throw new HalfDone(error, cause);
    }
    throw error;
  }
  for (const directory of new Set(prepared.map(({ step }) => dirname(step.target)))) syncDirectory(directory);
}

function reverseOf({ step, aside }: PreparedStep): JournalStep {
  const now = step.do === 'write' ? step.after : undefined;
  if (step.before === undefined) return { do: 'remove', target: step.target, before: now };
  return { do: 'write', target: step.target, before: now, after: step.before, staged: aside };
}

function requireUnchanged({ step, path }: PreparedStep): void {
  // The content of a link that is to be removed was read through it.
  const found = contentHash(step.target, step.do === 'remove' ? 'any' : 'none');
  if (found === step.before) return;
  const what = step.before === undefined ? 'appeared' : found === undefined ? 'disappeared' : 'changed';
  throw conflict(path, what);
}

/** Returns where an absolute path leads; a part that does not exist yet leads to itself. */
function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realTarget(parent), basename(path));
  }
}

/** A rename would replace a file that its owner has protected. */
function requireWritable(target: string, path: string): void {
  try {
    accessSync(target, constants.W_OK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw new ExpectedError('file.no-permission', `Cannot write \`${path}\`: permission denied`, {
      hints: ['Ask the user to make the file writable'],
      cause: error,
    });
  }
}

function noDirectory(directory: string, problem: string): ExpectedError {
  return new ExpectedError(
    'edit.failed',
    `Cannot prepare an edit in \`${directory}\`: ${problem}; nothing was changed`,
    {
      hints: ['Set `SERENA_HOME` to a directory that you can write', 'Edit one file at a time'],
    },
  );
}

function refused(path: string, problem: string): ExpectedError {
  return new ExpectedError('file.outside-project', `Cannot write \`${path}\`: ${problem}; nothing was changed`, {
    hints: ['Pass a path inside the project, relative to its root'],
  });
}

function asExpected(error: unknown): unknown {
  if (error instanceof ExpectedError) return error;
  if (error instanceof RefusedFile) {
    return new ExpectedError('edit.refused', `Cannot write: ${error.message}; nothing was changed`, { cause: error });
  }
  const code = systemCode(error);
  if (code === undefined) return error;
  const kind = code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'file.no-permission' : 'edit.failed';
  return new ExpectedError(kind, `Cannot write: ${messageOf(error)}; nothing was changed`, { cause: error });
}
