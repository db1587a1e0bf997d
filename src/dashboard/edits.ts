import { ExpectedError } from '../base/errors.ts';
import type { EditAuthor } from '../edits/edit-author.ts';
import { Edits } from '../edits/edits.ts';
import { type EditRecord, type RecordedStep, readRecords, recordedContent } from '../edits/history-records.ts';
import { reverseEdits, timelineOf } from '../edits/undo.ts';
import type { Project } from '../project/project.ts';
import { decode } from '../text/decode.ts';
import { getCodec } from '../text/encodings.ts';
import { unifiedDiff } from '../text/unified-diff.ts';

/** The user may undo the edits of every session. A file that changed since is never overwritten. */
const author: EditAuthor = { session: 'dashboard', tool: 'dashboard', hasEnded: () => true };

const maxDiffChars = 400_000;

/**
 * Returns the recorded edits of a project, latest first. Only the latest one that counts can be undone, and only
 * the one that was undone last can be redone.
 */
export function listEdits({ state }: Project) {
  const records = readRecords(state.edits);
  const { done, undone } = timelineOf(records, author);
  return records
    .filter(({ kind }) => kind === 'edit')
    .toReversed()
    .map(({ id, tool, timeMs, session, steps }) => {
      const isUndone = undone.some((record) => record.id === id);
      const paths = steps.map(({ path }) => path);
      const [canUndo, canRedo] = [done.at(-1)?.id === id, undone.at(-1)?.id === id];
      return { id, tool, timeMs, session, paths, isUndone, canUndo, canRedo };
    });
}

/** Returns the change of each file by an edit. @throws {ExpectedError} `edit.refused` if it is no longer recorded. */
export function diffOf({ state, config }: Project, id: string) {
  const { steps } = find(readRecords(state.edits), id);
  const codec = getCodec(config.encoding);
  const textOf = (hash: string | undefined) => {
    if (hash === undefined) return undefined;
    const bytes = recordedContent(state.edits, hash);
    if (bytes === undefined) throw new ExpectedError('edit.refused', 'the content of this edit is no longer stored');
    const decoded = decode(bytes, codec);
    return 'text' in decoded ? decoded.text : `(${bytes.length} bytes that are no text)\n`;
  };
  return steps.map((step: RecordedStep) => {
    const diff = unifiedDiff({ path: step.path, before: textOf(step.before), after: textOf(step.after) });
    return { path: step.path, diff: (diff ?? 'The versions differ too much.').slice(0, maxDiffChars) };
  });
}

/**
 * Undoes or redoes the edit with this id, and returns its files.
 *
 * @throws {ExpectedError} `edit.conflict` if another edit is the next to be undone or redone; errors of
 *   {@link reverseEdits}.
 */
export async function reverseEdit(
  project: Project,
  { id, kind }: { readonly id: string; readonly kind: 'undo' | 'redo' },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { done, undone } = timelineOf(readRecords(project.state.edits), author);
  const next = (kind === 'undo' ? done : undone).at(-1);
  if (next?.id !== id) throw new ExpectedError('edit.conflict', `this is not the latest edit to ${kind} any more`);
  const edits = new Edits(project.edited, { rule: 'keep', author });
  return (await reverseEdits(edits, { kind, count: 1 }, signal)).paths;
}

function find(records: readonly EditRecord[], id: string): EditRecord {
  const record = records.find((one) => one.id === id);
  if (record === undefined) throw new ExpectedError('edit.refused', 'this edit is no longer recorded');
  return record;
}
