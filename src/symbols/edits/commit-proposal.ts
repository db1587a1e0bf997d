import type { Edits } from '../../edits/edits.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { changedSince } from '../sync/cross-file.ts';
import { commitWatched, type EditScope } from './edit-problems.ts';
import { changedMeanwhile } from './target.ts';
import { planServerEdit } from './workspace-edit.ts';

/** Changes of any code that a server proposes. */
export interface Proposal {
  readonly active: ActiveServer;
  readonly steps: readonly WorkspaceStep[];
  /** Up to which change of files the server knew the project when it answered; see `ServerState.reportedUpTo`. */
  readonly cursor: number | undefined;
  /** Project-relative path of the file whose diagnostics are compared. */
  readonly file: string;
}

/**
 * Makes the changes that a server proposes, or none. Returns the sorted paths of the changed, created and removed files,
 * and those of the server's files that something else changed while the server was answering.
 *
 * @throws {ExpectedError} `edit.conflict` if files of the proposal changed in the meantime; errors of
 *   {@link planServerEdit} and {@link Edits.commit}.
 */
export async function commitProposal(
  scope: EditScope,
  edits: Edits,
  { active, steps, cursor, file }: Proposal,
): Promise<{ changed: string[]; others: readonly string[] }> {
  const planned = await planServerEdit(scope, edits, { steps, active, name: undefined });
  const since = (await changedSince(scope, active, cursor)) ?? [];
  const conflicts = planned.filter((path) => since.includes(path));
  if (conflicts.length > 0) throw changedMeanwhile(conflicts);
  const changed = await commitWatched(scope, edits, file);
  return { changed: changed.sort(), others: since };
}
