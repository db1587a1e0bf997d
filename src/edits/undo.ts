import { ExpectedError } from '../base/errors.ts';
import type { EditAuthor } from './edit-author.ts';
import type { Edits } from './edits.ts';
import { type EditRecord, type RecordedStep, readRecords, recordedContent } from './history-records.ts';
import { removeEmptyDirectory } from './make-directories.ts';

/** The edits that a session may undo and redo, each oldest first. */
export interface EditTimeline {
  readonly done: readonly EditRecord[];
  /** The last one is the next to redo. */
  readonly undone: readonly EditRecord[];
}

/** The edits that were undone or redone, and their files. */
export interface Reversal {
  readonly records: readonly EditRecord[];
  readonly paths: readonly string[];
}

/**
 * Returns the recorded edits of the author's session and of sessions that have ended. A new edit of these sessions makes
 * undone ones final.
 */
export function timelineOf(records: readonly EditRecord[], author: EditAuthor): EditTimeline {
  const isOwn = ({ session, pid }: EditRecord) => session === author.session || author.hasEnded(session, pid);
  let done: EditRecord[] = [];
  let undone: EditRecord[] = [];
  for (const record of records) {
    const isMeant = ({ id }: EditRecord) => record.of.includes(id);
    if (record.kind === 'undo') {
      undone = [...undone, ...done.filter(isMeant).reverse()];
      done = done.filter((one) => !isMeant(one));
    } else if (record.kind === 'redo') {
      done = [...done, ...undone.filter(isMeant).reverse()];
      undone = undone.filter((one) => !isMeant(one));
    } else if (isOwn(record)) {
      done.push(record);
      undone = [];
    }
  }
  return { done, undone };
}

export interface SessionChange {
  /** As in its commit: relative to the root of the project, or absolute. */
  readonly path: string;
  /** Content before the session's first edit; `undefined` if no file existed, `lost` if it is no longer kept. */
  readonly before: Uint8Array | 'lost' | undefined;
}

/** Returns the files with recorded edits of the author's own session that are not undone. */
export function sessionChanges({ directory, author }: { directory: string; author: EditAuthor }): SessionChange[] {
  const { done } = timelineOf(readRecords(directory), author);
  const steps = done.filter(({ session }) => session === author.session).flatMap((record) => record.steps);
  const firstByPath = new Map(steps.toReversed().map((step) => [step.path, step]));
  return [...firstByPath.values()].map(({ path, before }) => ({
    path,
    before: before === undefined ? undefined : (recordedContent(directory, before) ?? 'lost'),
  }));
}

/**
 * Undoes or redoes the latest `count` edits in one commit.
 *
 * @throws {ExpectedError} `edit.refused` if there are not as many, or if a content is no longer stored; `edit.conflict`
 *   naming a file that changed since; errors of {@link Edits.commit}. Nothing has changed then.
 */
export async function reverseEdits(
  edits: Edits,
  { kind, count }: { kind: 'undo' | 'redo'; count: number },
  signal: AbortSignal,
): Promise<Reversal> {
  const { directory, author } = edits.history;
  const { done, undone } = timelineOf(readRecords(directory), author);
  const stack = kind === 'undo' ? done : undone;
  if (stack.length < count) throw tooFew(kind, stack.length);
  const records = stack.slice(-count).reverse();
  for (const change of combined(records, kind)) {
    if (change.now === change.next) continue;
    const content = change.next === undefined ? undefined : recordedContent(directory, change.next);
    if (change.next !== undefined && content === undefined)
      throw notRestorable(change.path, 'its content is no longer kept');
    // Permissions that the edits did not change are those of the file now.
    const mode = change.mode === change.modeNow ? undefined : change.mode;
    if (!edits.restore({ ...change, content, mode })) throw changedSince(kind, change.path);
  }
  const paths = await edits.commit(signal, { kind, of: records.map(({ id }) => id) });
  if (kind === 'undo' && !edits.isCollecting) {
    for (const { made } of records) for (const path of made.toReversed()) removeEmptyDirectory(path);
  }
  return { records, paths };
}

/** The change of one file by several undone or redone edits: hashes, or `undefined` for no file. */
interface CombinedChange {
  readonly path: string;
  readonly now: string | undefined;
  readonly next: string | undefined;
  /** Recorded permissions of the file now and of the restored file. */
  readonly modeNow: number | undefined;
  readonly mode: number | undefined;
}

/** Returns the changes that take back `records`, or make them again, in this order. */
function combined(records: readonly EditRecord[], kind: 'undo' | 'redo'): CombinedChange[] {
  const changes = new Map<string, CombinedChange>();
  for (const { steps } of records) {
    for (const step of steps) {
      if (step.isLink) throw notRestorable(step.path, 'it was a symbolic link');
      const { path, target } = step;
      const { now, next, modeNow, mode } = directed(step, kind);
      const later = changes.get(target);
      // Between these edits, another program or session wrote the file.
      if (later !== undefined && later.next !== now) throw changedSince(kind, path);
      changes.set(target, { path, ...(later ?? { now, modeNow }), next, mode });
    }
  }
  return [...changes.values()];
}

function directed(
  { before, after, modeBefore, modeAfter }: RecordedStep,
  kind: 'undo' | 'redo',
): Omit<CombinedChange, 'path'> {
  return kind === 'undo'
    ? { now: after, next: before, modeNow: modeAfter, mode: modeBefore }
    : { now: before, next: after, modeNow: modeBefore, mode: modeAfter };
}

function tooFew(kind: 'undo' | 'redo', available: number): ExpectedError {
  const what = kind === 'undo' ? 'recorded edits of this session' : 'undone edits';
  return new ExpectedError('edit.refused', `cannot ${kind}: there are ${available} ${what}; nothing was changed`, {
    hints: ['call `edit_history` with `action` "list"'],
  });
}

function notRestorable(path: string, reason: string): ExpectedError {
  return new ExpectedError('edit.refused', `cannot restore \`${path}\`: ${reason}; nothing was changed`);
}

function changedSince(kind: 'undo' | 'redo', path: string): ExpectedError {
  return new ExpectedError('edit.conflict', `cannot ${kind}: \`${path}\` has changed since; nothing was changed`, {
    hints: ['edit this file itself, or restore its content and retry'],
  });
}
