import { ExpectedError } from '../../../base/errors.ts';
import type { Edits } from '../../../edits/edits.ts';
import type { LanguageServer } from '../../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../../lsp/documents/diagnostic.ts';
import { requestActionEdit, requestCommandEdits, type ServerCommand } from '../../../lsp/features/code-actions.ts';
import type { WorkspaceStep } from '../../../lsp/features/rename.ts';
import type { ActiveServer } from '../../../servers/assignment/source-files.ts';
import { offsetAt } from '../../../text/position.ts';
import { requireFile, resolveRoot } from '../../model/scope.ts';
import { changedSince, prepareSearch } from '../../sync/cross-file.ts';
import { commitWatched, type EditScope } from '../edit-problems.ts';
import { changedMeanwhile } from '../target.ts';
import { planServerEdit } from '../workspace-edit.ts';
import { type ActionKey, parseActionId, shortHash } from './action-id.ts';
import { diagnosticsFor, isOwn, type OfferedAction, offeredActions } from './offered-actions.ts';

/** Result of a code action. */
export interface AppliedAction {
  readonly title: string;
  /** Paths of the changed, created and removed files, sorted. */
  readonly changed: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Applies a code action in one transaction.
 *
 * @throws {ExpectedError} `tool.invalid-input` for something that is not an id; `edit.conflict` if the file has changed
 *   since the action was listed, or files change in the meantime; `edit.refused` for an action that the server no longer
 *   offers, changes outside the project's sources, and commands that may not run; `server.*`. After an error nothing has
 *   changed.
 */
export async function applyAction(scope: EditScope, edits: Edits, id: string): Promise<AppliedAction> {
  const { files, call } = scope;
  const key = parseActionId(id);
  const root = await resolveRoot(scope, key.file);
  requireFile(root);
  const file = root.path;
  const draft = edits.open(file);
  if (shortHash(draft.raw) !== key.textHash) throw changedSinceListed(file);
  const active = files.sources.requireServer(file);
  const diagnostics = await diagnosticsFor(scope, { file, kind: key.kind, areReported: false });
  const proposal = await files.ask(active, call, async (server) => {
    const path = files.absolute(file);
    for (const literal of searchedFor(key, draft)) {
      await prepareSearch(scope, { active, server, file, literal, missing: 'Changes' });
    }
    return server.documents.holding(path, async () => {
      const shown = await files.show(server, file, call);
      if (shown.text !== draft.raw) throw changedMeanwhile([file]);
      const cursor = files.stateOf(server).reportedUpTo;
      const { action } = await findOffered(scope, server, { key, path, diagnostics });
      return { cursor, action, ...(await stepsOf(scope, server, { active, action })) };
    });
  });
  const planned = await planServerEdit(scope, edits, { steps: proposal.steps, active, name: undefined });
  const since = await changedSince(scope, active, proposal.cursor);
  const conflicts = planned.filter((path) => since?.includes(path));
  if (conflicts.length > 0) throw changedMeanwhile(conflicts);
  const changed = await commitWatched(scope, edits, file);
  if (changed.length === 0) throw nothingToDo(proposal.action.title);
  return { title: proposal.action.title, changed: changed.sort(), notes: proposal.notes };
}

/** Returns the names whose users the server must have loaded: that at the start of the range, and that of the file. */
function searchedFor({ file, range }: ActionKey, { lines }: { lines: { text: string; starts: readonly number[] } }) {
  const offset = offsetAt(lines.text, lines.starts, range.start) ?? 0;
  const name = /^[\p{L}\p{N}_$]+/u.exec(lines.text.slice(offset, offset + 200))?.[0];
  const stem = (file.split('/').at(-1) ?? file).replace(/\..*$/, '');
  return [...new Set([...(name === undefined ? [] : [name]), stem])];
}

/** Finds an action again, also if the server leaves it out when its exact kind is asked for. */
async function findOffered(
  scope: EditScope,
  server: LanguageServer,
  { key, path, diagnostics }: { key: ActionKey; path: string; diagnostics: readonly Diagnostic[] },
): Promise<OfferedAction> {
  for (const kind of new Set([key.kind, ''])) {
    const questions = [{ range: key.range, kind }];
    const offered = await offeredActions(scope, server, { path, questions, diagnostics });
    const found = offered.find((one) => one.key.kind === key.kind && one.key.titleHash === key.titleHash);
    if (found !== undefined) return found;
  }
  throw new ExpectedError('edit.refused', `${server.name} no longer offers this code action`, {
    hints: ['call `code_actions` again and choose one of its answers'],
  });
}

/** Returns the steps of an action: its edit, or else those of its command. */
async function stepsOf(
  scope: EditScope,
  server: LanguageServer,
  { active, action }: { active: ActiveServer; action: OfferedAction['action'] },
): Promise<{ steps: readonly WorkspaceStep[]; notes: readonly string[] }> {
  const limits = scope.files.limits(scope.call);
  const resolved = await requestActionEdit(server, action, limits);
  const command = resolved.command ?? action.command;
  const known = command && (await active.spec.quirks?.commandEdits?.(server, command, limits));
  if (resolved.steps !== undefined) return { steps: resolved.steps, notes: known ? [] : leftOut(server, command) };
  if (command === undefined) throw nothingToDo(action.title);
  if (known !== undefined) return { steps: known, notes: [] };
  requireRunnable(scope, server, command);
  return { steps: await requestCommandEdits(server, command, limits), notes: [] };
}

/** Commands of the client's own only move its cursor or show something. */
function leftOut(server: LanguageServer, command: ServerCommand | undefined): string[] {
  if (command === undefined || !isOwn(server, command)) return [];
  return [`The command \`${command.command}\`, which the action runs afterwards, was not run`];
}

function requireRunnable({ files: { project } }: EditScope, server: LanguageServer, asked: ServerCommand): void {
  const { command } = asked;
  if (!isOwn(server, asked)) {
    const message = `the action is the command \`${command}\`, which ${server.name} leaves to the editor`;
    throw new ExpectedError('edit.refused', message, { hints: ['make the change with the editing tools'] });
  }
  if (project.isTrusted) return;
  const message = `the action is the command \`${command}\` of ${server.name}, which runs only in trusted projects`;
  throw new ExpectedError('edit.refused', message, {
    hints: [
      'ask the user to add the path of the project to `trusted_project_path_patterns` in `serena_config.yml`',
      'make the change with the editing tools',
    ],
  });
}

function changedSinceListed(file: string): ExpectedError {
  return new ExpectedError('edit.conflict', `\`${file}\` has changed since this code action was listed`, {
    hints: ['call `code_actions` again'],
  });
}

function nothingToDo(title: string): ExpectedError {
  return new ExpectedError('edit.refused', `the code action "${title}" changes nothing`, {
    hints: ['make the change with the editing tools'],
  });
}
