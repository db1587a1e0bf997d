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
import { messageOf, systemCode } from '../base/errors.ts';
import { writeTextAtomically } from '../base/files.ts';
import { inDirectory } from '../base/in-directory.ts';
import { withLock } from '../base/lock.ts';
import { log } from '../base/log.ts';
import { readRegularFile } from '../base/open-regular-file.ts';
import { tryMakePrivate } from '../base/private-directory.ts';
import { contentHash } from './content-hash.ts';
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

/** A prepared step: paths are absolute, contents are named by their SHA-256; without `before` there is to be no file. */
export type JournalStep = z.infer<typeof stepSchema>;

/** The file whose presence in a commit's own directory means that the commit is to be finished. */
export const journalName = 'journal.json';

/** The file that names the temporary files of a commit: one that is killed must not leave them in the project. */
const temporaryName = 'temporary.json';

const lockTimeoutMs = 10_000;

/** Far above the journal of the largest edit. */
const maxJournalBytes = 64 * 1024 * 1024;

/** Writes the steps of a commit into its own directory, durably and in one piece. */
export function writeJournal(own: string, steps: readonly JournalStep[]): void {
  writeTextAtomically(join(own, journalName), JSON.stringify(steps));
  syncDirectory(own);
}

/**
 * Notes in a commit's own directory which temporary files, by absolute path, it is about to create. Not synced, which would
 * double the time of a small edit: after a power failure some temporary files may stay.
 */
export function noteTemporary(own: string, paths: readonly string[]): void {
  writeFileSync(join(own, temporaryName), JSON.stringify(paths));
}

/**
 * Finishes what processes that ended in the middle of a commit have left, and returns a sentence for each commit about
 * what became of it. Only journals in `scope.directory`, which is the user's alone, are read.
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

/** Does what {@link recoverEdits} does, for a caller that holds the lock. */
export function finishUnfinished(scope: CommitScope): string[] {
  return unfinishedIn(scope.directory).flatMap((id) => {
    const own = join(scope.directory, id);
    const { said, isOver } = finish(own, scope);
    if (isOver) discard(own);
    for (const sentence of said) log('edits').warn(sentence);
    return said;
  });
}

/** Removes the temporary files that a commit noted, then its own directory (absolute path). Never throws. */
export function discard(own: string): void {
  removeTemporary(basename(own), readJson(join(own, temporaryName), z.array(z.string())) ?? []);
  try {
    for (const name of readdirSync(own)) if (isJournalFile(name)) rmSync(join(own, name));
    rmdirSync(own);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log('edits').warn(`Cannot remove \`${own}\`: ${messageOf(error)}`);
  }
}

/** A journal that was being written has a longer name. */
function isJournalFile(name: string): boolean {
  return [journalName, temporaryName].some((own) => name === own || name.startsWith(`.${own}.`));
}

/** Makes the entries of the directory at an absolute path durable where the system can. */
export function syncDirectory(directory: string): void {
  try {
    const opened = openSync(directory, 'r');
    fsyncSync(opened);
    closeSync(opened);
  } catch (error) {
    log('edits').debug(`Cannot sync \`${directory}\`: ${messageOf(error)}`);
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

/** The outcome of an interrupted commit in words; `isOver` is false if it is to be tried again. */
interface Outcome {
  readonly said: string[];
  readonly isOver: boolean;
}

function finish(own: string, scope: CommitScope): Outcome {
  const journal = join(own, journalName);
  // Without a journal nothing had been changed yet.
  if (!readdirSync(own).includes(journalName)) return { said: [], isOver: true };
  const steps = readJson(journal, z.array(stepSchema));
  if (steps === undefined || !steps.every((step) => isAllowed(step, basename(own), scope))) {
    const said = [`An edit was interrupted and cannot be finished: its journal \`${journal}\` is broken`];
    return { said, isOver: true };
  }
  const what = `An edit of ${steps.length} files was interrupted`;
  const states = steps.map(stateOf);
  const changed = steps.filter((_, index) => states[index] === 'changed').map(({ target }) => `\`${target}\``);
  if (changed.length > 0 && !states.includes('done')) {
    return {
      said: [`${what} before it changed anything, and given up: ${changed.join(', ')} changed since`],
      isOver: true,
    };
  }
  const left = steps.filter((_, index) => states[index] === 'to do');
  const problem = performAll(left);
  if (problem !== undefined) return { said: [`${what} and cannot be finished yet: ${problem}`], isOver: false };
  if (changed.length > 0) {
    return {
      said: [`${what}, and these have changed since and were left as they are: ${changed.join(', ')}`],
      isOver: true,
    };
  }
  return {
    said: left.length === 0 ? [] : [`An edit of ${steps.length} files that was interrupted has been finished`],
    isOver: true,
  };
}

/** Returns what went wrong. */
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
    const place = { root: dirname(path), path: basename(path), links: 'any' } as const;
    return schema.parse(JSON.parse(readRegularFile(place, maxJournalBytes).toString('utf8')));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log('edits').error(`Cannot read \`${path}\`: ${messageOf(error)}`);
    return undefined;
  }
}

/** True if a step changes a file that edits of this scope may change, with content of this commit. */
function isAllowed(step: JournalStep, id: string, scope: CommitScope): boolean {
  const isStagedBeside =
    step.do === 'remove' || (isTemporaryOf(id, step.staged) && dirname(step.staged) === dirname(step.target));
  if (isStagedBeside && scope.mayRecover(step.target)) return true;
  log('edits').error(`Refused a step of the journal of \`${id}\`: no edit may change \`${step.target}\``);
  return false;
}

/** `before` is how the file was when the commit was decided; a file that is neither so nor finished was changed since. */
function stateOf(step: JournalStep): 'done' | 'to do' | 'changed' {
  const found = foundAt(step.target);
  if (found === (step.do === 'write' ? step.after : undefined)) return 'done';
  const canBeDone = found === step.before && (step.do === 'remove' || canBePlaced(step));
  return canBeDone ? 'to do' : 'changed';
}

/** The staged file, or the directory it is for, may have been removed or changed since. */
function canBePlaced({ staged, after }: JournalStep & { do: 'write' }): boolean {
  return foundAt(staged) === after && lstatSync(staged).isFile();
}

/** Returns a hash of the file's content, `undefined` if there is no file, and something else for what is not a file. */
function foundAt(path: string): string | undefined {
  try {
    return contentHash(path);
  } catch (error) {
    return `unreadable: ${messageOf(error)}`;
  }
}
