import { ExpectedError } from '../../../base/errors.ts';
import type { Edits } from '../../../edits/edits.ts';
import type { LanguageServer } from '../../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../../lsp/documents/diagnostic.ts';
import { offsetAt } from '../../../text/position.ts';
import { requireFile, resolveRoot } from '../../model/scope.ts';
import { prepareSearch } from '../../sync/cross-file.ts';
import { commitProposal } from '../commit-proposal.ts';
import type { EditScope } from '../edit-problems.ts';
import { changedMeanwhile } from '../target.ts';
import { type ActionKey, parseActionId, shortHash } from './action-id.ts';
import { requestActionSteps } from './action-steps.ts';
import { diagnosticsFor, type OfferedAction, offeredActions } from './offered-actions.ts';

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
 *   changed, except by a command that writes files itself.
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
    for (const literal of searchedFor(key, draft)) {
      await prepareSearch(scope, { active, server, file, literal, missing: 'Changes' });
    }
    return server.documents.holding(file, async () => {
      const shownText = await files.show(server, file, call);
      if (shownText !== draft.raw) throw changedMeanwhile([file]);
      const cursor = files.stateOf(server).reportedUpTo;
      const { action } = await findOffered(scope, server, { key, file, diagnostics });
      const isDryRun = edits.isCollecting;
      return { cursor, action, ...(await requestActionSteps(scope, server, { active, action, isDryRun })) };
    });
  });
  const { ran, notes } = proposal;
  const { title } = proposal.action;
  const { changed, others } = await commitProposal(scope, edits, { ...proposal, active, file });
  if (ran === undefined || others.length === 0) {
    if (changed.length === 0) throw nothingToDo(title);
    return { title, changed, notes };
  }
  const written = `While the command \`${ran}\` ran, these files changed, which cannot be undone: ${others.join(', ')}`;
  return { title, changed, notes: [...notes, written] };
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
  { key, file, diagnostics }: { key: ActionKey; file: string; diagnostics: readonly Diagnostic[] },
): Promise<OfferedAction> {
  for (const kind of new Set([key.kind, ''])) {
    const questions = [{ range: key.range, kind }];
    const offered = await offeredActions(scope, server, { file, questions, diagnostics });
    const found = offered.find((one) => one.key.kind === key.kind && one.key.titleHash === key.titleHash);
    if (found !== undefined) return found;
  }
  throw new ExpectedError('edit.refused', `${server.name} no longer offers this code action`, {
    hints: ['call `code_actions` again and choose one of its answers'],
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
