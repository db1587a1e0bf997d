import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf, systemCode } from '../base/errors.ts';
import { writeTextAtomically } from '../base/files.ts';
import { withLock } from '../base/lock.ts';
import { log } from '../base/log.ts';
import { resolveInProject } from '../project/project-path.ts';
import { discard } from './stage.ts';

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

/** The file whose presence in a commit's folder means that the commit is to be finished. */
export const journalName = 'journal.json';

const lockTimeoutMs = 10_000;

/** Writes the steps of a commit, durably and in one piece. */
export function writeJournal(path: string, steps: readonly JournalStep[]): void {
  writeTextAtomically(path, JSON.stringify(steps));
  syncFolder(dirname(path));
}

/**
 * Finishes what processes that ended in the middle of a commit to the project at `root` have left in `folder`, and returns
 * a sentence for each commit about what became of it. Both are absolute.
 *
 * A repository may bring a journal of its own making: nothing outside the project is touched.
 *
 * @throws {ExpectedError} `lock.held`.
 */
export async function recoverEdits(folder: string, root: string): Promise<string[]> {
  if (unfinishedIn(folder).length === 0) return [];
  return await withLock(join(folder, 'lock'), { timeoutMs: lockTimeoutMs }, async () => finishUnfinished(folder, root));
}

/** As {@link recoverEdits}, for one who holds the lock. */
export function finishUnfinished(folder: string, root: string): string[] {
  return unfinishedIn(folder).flatMap((name) => {
    const own = join(folder, name);
    const { said, isOver } = finish(own, root);
    if (isOver) discard(own, root);
    for (const sentence of said) log('edits').warn(sentence);
    return said;
  });
}

/** Makes the entries of a folder durable where the system can; `folder` is absolute. */
export function syncFolder(folder: string): void {
  try {
    const opened = openSync(folder, 'r');
    fsyncSync(opened);
    closeSync(opened);
  } catch (error) {
    log('edits').debug(`Cannot sync \`${folder}\`: ${messageOf(error)}`);
  }
}

function unfinishedIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** What became of an interrupted commit, in words; not over where it is to be tried again. */
interface Finished {
  readonly said: string[];
  readonly isOver: boolean;
}

function finish(own: string, root: string): Finished {
  const journal = join(own, journalName);
  // Without a journal nothing had been changed yet.
  if (!existsSync(journal)) return { said: [], isOver: true };
  const steps = readJournal(journal);
  if (steps === undefined || !steps.every((step) => isOurs(step, { own, root }))) {
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
      if (step.do === 'write') renameSync(step.staged, step.target);
      else rmSync(step.target, { force: true });
    }
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function readJournal(path: string): readonly JournalStep[] | undefined {
  try {
    return z.array(stepSchema).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    log('edits').error(`Cannot read \`${path}\`: ${messageOf(error)}`);
    return undefined;
  }
}

function isOurs(step: JournalStep, { own, root }: { own: string; root: string }): boolean {
  try {
    resolveInProject(root, step.target);
    if (step.do === 'remove' || dirname(step.staged) === own) return true;
    resolveInProject(root, step.staged);
    return dirname(step.staged) === dirname(step.target);
  } catch (error) {
    log('edits').error(`Refused a step of the journal in \`${own}\`: ${messageOf(error)}`);
    return false;
  }
}

/** `before` is how the file was when the commit was decided; a file that is neither so nor finished was changed since. */
function stateOf(step: JournalStep): 'done' | 'to do' | 'changed' {
  const found = hashOf(step.target);
  if (found === (step.do === 'write' ? step.after : undefined)) return 'done';
  const canBeDone = found === step.before && (step.do === 'remove' || canBePlaced(step));
  return canBeDone ? 'to do' : 'changed';
}

/** What was staged, or the folder it is for, may have been removed since. */
function canBePlaced({ staged, target }: { staged: string; target: string }): boolean {
  return existsSync(staged) && existsSync(dirname(target));
}

/** Returns a hash of the file's content, `undefined` where there is nothing, and something else for what is no file. */
function hashOf(path: string): string | undefined {
  try {
    return sha256(readFileSync(path));
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? undefined : `unreadable: ${messageOf(error)}`;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
