import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { withLock } from '../base/lock.ts';
import { log } from '../base/log.ts';
import { finishUnfinished, type JournalStep, journalName, syncFolder, writeJournal } from './journal.ts';
import { discard, noteStrays, placeNear, stage } from './stage.ts';

/** What is to become of one path. `path` is project-relative with `/`, or absolute. */
export type Step =
  | {
      readonly do: 'write';
      readonly path: string;
      /** What must be there still; `undefined` where there must be nothing. */
      readonly before: Uint8Array | undefined;
      readonly after: Uint8Array;
      /** The path whose mode the file has, where it has one to keep. */
      readonly modeOf: string | undefined;
    }
  | { readonly do: 'remove'; readonly path: string; readonly before: Uint8Array | undefined };

/** Where a commit takes place; both are absolute. */
export interface CommitPlace {
  /** The project's. */
  readonly root: string;
  /** Where changes are prepared. On the file system of the project, so that a rename can put them in place. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Longer than any other commit takes. */
const lockTimeoutMs = 10_000;

/**
 * Makes all steps or none. New content is written and synced aside; the journal then decides: before it is there nothing
 * has happened, afterwards whoever comes next can finish. One project has one commit at a time, across processes.
 *
 * @throws {ExpectedError} `edit.conflict` when a path is not as its step says; `file.no-permission`, `edit.failed` when
 *   it cannot be written; `lock.held`. Nothing has changed then.
 */
export async function commitSteps(steps: readonly Step[], place: CommitPlace): Promise<void> {
  if (steps.length === 0) return;
  const { root, folder, signal } = place;
  await withLock(join(folder, 'lock'), { timeoutMs: lockTimeoutMs, signal }, async () => {
    // Whoever holds the lock is alone: what lies there was left by a process that is gone.
    finishUnfinished(folder, root);
    commitLocked(steps, place);
  });
}

function commitLocked(steps: readonly Step[], { root, folder }: CommitPlace): void {
  const own = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}`);
  const made: string[] = [];
  try {
    mkdirSync(own, { recursive: true });
    const placed = steps.map((step, index) => place(step, { root, own, index }));
    requireDistinct(placed);
    const outside = placed.flatMap(({ staged, aside }) => [staged, aside]);
    noteStrays(outside, own);
    const prepared = placed.map((each) => prepare(each, { root, made }));
    // A single rename is all or nothing by itself.
    if (prepared.length > 1) {
      writeJournal(
        join(own, journalName),
        prepared.map(({ step }) => step),
      );
    }
    for (const { step } of prepared) requireUnchanged(step, root);
    apply(prepared, own);
  } catch (error) {
    // Folders made for files that were not written in the end.
    for (const path of made.toReversed()) removeEmptyFolder(path);
    if (!(error instanceof HalfDone)) discard(own, root);
    throw asExpected(error);
  }
  discard(own, root);
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

function place(step: Step, { root, own, index }: { root: string; own: string; index: number }): Placed {
  const path = resolve(root, step.path);
  // A link is written through; where it is to go, it goes itself.
  const target = step.do === 'write' ? realTarget(path) : join(realTarget(dirname(path)), basename(path));
  const near = (name: string) => placeNear(target, { own, name: `${name}-${index}` });
  return { step, target, staged: near('new'), aside: near('old') };
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

interface Prepared {
  readonly step: JournalStep;
  readonly aside: string;
}

/** Writes the new content aside and makes the folders it will need. */
function prepare({ step, target, staged, aside }: Placed, { root, made }: { root: string; made: string[] }): Prepared {
  const before = step.before === undefined ? undefined : hashOf(step.before);
  if (step.do === 'remove') return { step: { do: 'remove', target, before }, aside };
  if (step.before !== undefined) requireWritable(target, step.path);
  made.push(...makeFolders(dirname(target), step.path));
  const modeOf = step.modeOf === undefined ? undefined : realTarget(resolve(root, step.modeOf));
  stage(step.after, staged, modeOf);
  return { step: { do: 'write', target, before, after: hashOf(step.after), staged }, aside };
}

/** Puts one after the other in place; when one fails, those before it are taken back. */
function apply(prepared: readonly Prepared[], own: string): void {
  const undo: JournalStep[] = [];
  try {
    for (const { step, aside } of prepared) {
      perform(step, aside);
      undo.unshift(reverseOf(step, aside));
    }
  } catch (error) {
    // From here on whoever finishes this commit takes it back.
    if (undo.length > 0) writeJournal(join(own, journalName), undo);
    try {
      for (const step of undo) perform(step);
    } catch (cause) {
      throw new HalfDone(error, cause);
    }
    throw error;
  }
  for (const folder of new Set(prepared.map(({ step }) => dirname(step.target)))) syncFolder(folder);
}

/** What was at the target goes `aside` where that is given. */
function perform(step: JournalStep, aside?: string): void {
  if (step.do === 'remove') {
    if (aside === undefined) rmSync(step.target);
    else renameSync(step.target, aside);
    return;
  }
  if (aside !== undefined && step.before !== undefined) keepCopy(step.target, aside);
  renameSync(step.staged, step.target);
}

/** A second name costs nothing and keeps mode and owner; not every file system has it. */
function keepCopy(path: string, copy: string): void {
  try {
    linkSync(path, copy);
  } catch {
    copyFileSync(path, copy);
  }
}

function reverseOf(step: JournalStep, aside: string): JournalStep {
  const now = step.do === 'write' ? step.after : undefined;
  if (step.before === undefined) return { do: 'remove', target: step.target, before: now };
  return { do: 'write', target: step.target, before: now, after: step.before, staged: aside };
}

function requireUnchanged(step: JournalStep, root: string): void {
  const found = contentHash(step.target);
  if (found === step.before) return;
  const path = step.target.startsWith(`${root}/`) ? step.target.slice(root.length + 1) : step.target;
  const what = step.before === undefined ? 'appeared' : found === undefined ? 'disappeared' : 'changed';
  throw new ExpectedError('edit.conflict', `\`${path}\` ${what} on disk after it was read; nothing was changed`, {
    hints: ['Read it again and repeat the edit'],
  });
}

/** Returns a hash of the file's content, or `undefined` where there is no file. */
function contentHash(path: string): string | undefined {
  try {
    return hashOf(readFileSync(path));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns where an absolute path leads. */
function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
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

/** Makes the folders down to `folder`, for the file at the project's `path`, and returns those that were not there. */
function makeFolders(folder: string, path: string): string[] {
  try {
    const first = mkdirSync(folder, { recursive: true });
    return first === undefined ? [] : foldersBetween(first, folder);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' && systemCode(error) !== 'ENOTDIR') throw error;
    throw new ExpectedError(
      'file.not-directory',
      `Cannot write \`${path}\`: a file is where a folder would have to be`,
      {
        hints: ['Choose a path in a folder; `list_dir` shows which there are'],
        cause: error,
      },
    );
  }
}

function foldersBetween(first: string, last: string): string[] {
  const folders: string[] = [];
  for (let at = last; at.length >= first.length; at = dirname(at)) folders.unshift(at);
  return folders;
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    log('edits').debug(`Left the folder \`${path}\`: ${messageOf(error)}`);
  }
}

function asExpected(error: unknown): unknown {
  if (error instanceof ExpectedError) return error;
  const code = systemCode(error);
  if (code === undefined) return error;
  const kind = code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'file.no-permission' : 'edit.failed';
  return new ExpectedError(kind, `Cannot write: ${messageOf(error)}; nothing was changed`, { cause: error });
}
