import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { counted } from '../base/counted.ts';
import { messageOf, systemCode } from '../base/errors.ts';
import { replaceAtomically } from '../base/files.ts';
import { inDirectory } from '../base/in-directory.ts';
import { withLock } from '../base/lock.ts';
import { log } from '../base/log.ts';
import { readRegularFile } from '../base/open-regular-file.ts';
import { tryMakePrivate } from '../base/private-directory.ts';
import { hashOrProblem } from './content-hash.ts';
import { settleRecords } from './history-records.ts';
import type { CommitScope } from './scope.ts';
import { isCommitId, isTemporaryOf, removeTemporary } from './temporary.ts';

const stepSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('write'),
    target: z.string(),
    before: z.string().optional(),
    after: z.string(),
    staged: z.string(),
  }),
  z.object({ do: z.literal('remove'), target: z.string(), before: z.string().optional() }),
]);

/** A prepared step. Paths are absolute; `before` and `after` are SHA-256 hashes; no `before` means no file existed. */
export type JournalStep = z.infer<typeof stepSchema>;

/** Journal file in a commit's own directory. If it exists, the commit must be finished. */
export const journalName = 'journal.json';

/** File that lists a commit's temporary files, so that a killed process does not leave them in the project. */
const temporaryName = 'temporary.json';

/** File that only takes up space. */
const reserveName = 'reserve.json';

const lockTimeoutMs = 10_000;

/** Far larger than the journal of any real edit. */
const maxJournalBytes = 64 * 1024 * 1024;

/**
 * Writes the steps of a commit into its own directory, atomically and synced to disk.
 *
 * @throws system errors; the journal is then the one before, or none.
 */
export function writeJournal(own: string, steps: readonly JournalStep[]): void {
  replaceAtomically(join(own, journalName), JSON.stringify(steps));
  syncDirectory(own, ['EIO', 'ENOSPC', 'EDQUOT']);
}

/**
 * Reserves space for the journal with which the commit would be undone, so that also a full disk cannot keep it from
 * being written; {@link writeUndoJournal} uses the space.
 *
 * @throws system errors.
 */
export function reserveUndoJournal(own: string, steps: readonly JournalStep[]): void {
  writeFileSync(join(own, reserveName), JSON.stringify(steps));
}

/** As {@link writeJournal}, in the space that {@link reserveUndoJournal} reserved. */
export function writeUndoJournal(own: string, steps: readonly JournalStep[]): void {
  rmSync(join(own, reserveName), { force: true });
  writeJournal(own, steps);
}

/**
 * Records, in the commit's own directory, the absolute paths of the temporary files that the commit is about to create.
 * Not synced, which would double the time of a small edit: after a power failure some temporary files may remain.
 */
export function noteTemporary(own: string, paths: readonly string[]): void {
  writeFileSync(join(own, temporaryName), JSON.stringify(paths));
}

/**
 * Finishes the commits of processes that ended before they were complete. Returns one sentence per commit about its
 * outcome. Reads only journals in `scope.directory`, which only the user can write.
 *
 * @throws {ExpectedError} `lock.held`.
 */
export async function recoverEdits(scope: CommitScope): Promise<string[]> {
  const { directory } = scope;
  if (unfinishedIn(directory).length === 0) return [];
  const problem = tryMakePrivate(directory);
  if (problem !== undefined) return [`Interrupted edits in \`${directory}\` were not finished: ${problem}`];
  return await withLock(join(directory, 'lock'), { timeoutMs: lockTimeoutMs }, async () => finishUnfinished(scope));
}

/** As {@link recoverEdits}, for a caller that already holds the lock. */
export function finishUnfinished(scope: CommitScope): string[] {
  const notes = unfinishedIn(scope.directory).flatMap((id) => {
    const own = join(scope.directory, id);
    const { notes, isOver } = finish(own, scope);
    if (isOver) discard(own);
    for (const note of notes) log('edits').warn(note);
    return notes;
  });
  settleRecords(scope.directory);
  return notes;
}

/**
 * Removes the temporary files that a commit recorded, then the commit's own directory (absolute path). Never throws.
 */
export function discard(own: string): void {
  removeTemporary(basename(own), temporaryOf(own) ?? []);
  try {
    for (const name of readdirSync(own)) if (isJournalFile(name)) rmSync(join(own, name));
    rmdirSync(own);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log('edits').warn(`cannot remove \`${own}\`: ${messageOf(error)}`);
  }
}

/** True for the files of a commit, also for one that was still being written, whose name is longer. */
function isJournalFile(name: string): boolean {
  return [journalName, temporaryName, reserveName].some((own) => name === own || name.startsWith(`.${own}.`));
}

/**
 * Syncs the entries of the directory at an absolute path to disk, if the system supports it.
 *
 * @throws system errors with one of the codes `failures`.
 */
export function syncDirectory(directory: string, failures: readonly string[] = []): void {
  try {
    const opened = openSync(directory, 'r');
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    if (failures.includes(systemCode(error) ?? '')) throw error;
    log('edits').debug(`cannot sync \`${directory}\`: ${messageOf(error)}`);
  }
}

function unfinishedIn(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && isCommitId(entry.name)).map((entry) => entry.name);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

interface Outcome {
  /** Sentences for the user. */
  readonly notes: string[];
  /** False if finishing the commit must be tried again later. */
  readonly isOver: boolean;
}

function finish(own: string, scope: CommitScope): Outcome {
  const journal = join(own, journalName);
  // Without a journal nothing was changed.
  if (!readdirSync(own).includes(journalName)) return { notes: [], isOver: true };
  const steps = readJson(journal, z.array(stepSchema));
  // Which files were changed is unknown then: the old and the new contents stay, so that the user can decide.
  if (steps === undefined || !steps.every((step) => isAllowed(step, basename(own), scope))) {
    return { notes: [unusableJournal(own)], isOver: false };
  }
  const edit = `edit of ${counted(steps.length, 'file')}`;
  const states = steps.map(stateOf);
  const changed = steps.filter((_, index) => states[index] === 'changed').map(({ target }) => `\`${target}\``);
  if (changed.length > 0 && !states.includes('done')) {
    return {
      notes: [
        `An ${edit} was interrupted before it changed anything and was abandoned, because these files changed since: ${changed.join(', ')}`,
      ],
      isOver: true,
    };
  }
  const left = steps.filter((_, index) => states[index] === 'to do');
  const problem = performAll(left);
  if (problem !== undefined)
    return { notes: [`An interrupted ${edit} cannot be finished yet: ${problem}`], isOver: false };
  if (changed.length > 0) {
    return {
      notes: [
        `An interrupted ${edit} was finished, except for files that changed since and were left unchanged: ${changed.join(', ')}`,
      ],
      isOver: true,
    };
  }
  return {
    notes: left.length === 0 ? [] : [`An interrupted ${edit} has been finished`],
    isOver: true,
  };
}

/** Returns a note about a commit whose journal cannot be used, with the files that it left and what to do. */
function unusableJournal(own: string): string {
  const left = (temporaryOf(own) ?? []).filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  const [first] = left;
  const kept =
    first === undefined
      ? ''
      : `; it keeps ${counted(left.length, 'file')} with old (\`-old\`) and new (\`-new\`) contents, such as \`${first}\``;
  return `An interrupted edit cannot be finished: its journal \`${join(own, journalName)}\` is invalid. Some of its files may have been changed and others not${kept}. Compare the files, for example with \`git diff\`, then remove \`${own}\` and what it keeps`;
}

/** Returns the absolute paths of the temporary files that a commit recorded; `undefined` if that cannot be read. */
function temporaryOf(own: string): string[] | undefined {
  return readJson(join(own, temporaryName), z.array(z.string()));
}

/** Makes the steps. Returns the error message of the first that failed, or `undefined`. */
function performAll(steps: readonly JournalStep[]): string | undefined {
  try {
    for (const step of steps) {
      inDirectory(dirname(step.target), (pathOf) => {
        if (step.do === 'write') renameSync(pathOf(basename(step.staged)), pathOf(basename(step.target)));
        else rmSync(pathOf(basename(step.target)));
      });
    }
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the content of a file of a commit's own directory, or `undefined` if it is missing or broken. */
function readJson<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    const location = { root: dirname(path), path: basename(path), links: 'any' } as const;
    return schema.parse(JSON.parse(readRegularFile(location, maxJournalBytes).toString('utf8')));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log('edits').error(`cannot read \`${path}\`: ${messageOf(error)}`);
    return undefined;
  }
}

/** True if a step changes a file that recovery in this scope may change, with content that this commit staged. */
function isAllowed(step: JournalStep, id: string, scope: CommitScope): boolean {
  const isStagedBeside =
    step.do === 'remove' || (isTemporaryOf(id, step.staged) && dirname(step.staged) === dirname(step.target));
  if (isStagedBeside && scope.mayRecover(step.target)) return true;
  log('edits').error(`Refused a step of the journal of \`${id}\`: edits must not change \`${step.target}\``);
  return false;
}

/** Returns whether a step is done, can be done, or must not be done because the file changed since the journal. */
function stateOf(step: JournalStep): 'done' | 'to do' | 'changed' {
  const found = hashOrProblem(step.target);
  if (found === (step.do === 'write' ? step.after : undefined)) return 'done';
  const canBeDone = found === step.before && (step.do === 'remove' || canBePlaced(step));
  return canBeDone ? 'to do' : 'changed';
}

/** False if the staged file has been removed or changed since. */
function canBePlaced({ staged, after }: JournalStep & { do: 'write' }): boolean {
  return hashOrProblem(staged) === after && lstatSync(staged).isFile();
}
