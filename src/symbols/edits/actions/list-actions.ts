import type { Diagnostic } from '../../../lsp/documents/diagnostic.ts';
import { isSameRange } from '../../../text/place.ts';
import type { SymbolScope } from '../../model/scope.ts';
import { overlapsLines } from '../../queries/diagnostics.ts';
import { requireSupport } from '../../queries/require-support.ts';
import { prepareServer } from '../../sync/cross-file.ts';
import { changedMeanwhile } from '../target.ts';
import { actionId, shortHash } from './action-id.ts';
import { type ActionAddress, type ActionPlace, resolveActionPlace } from './action-place.ts';
import { onlySendsEdits } from './action-steps.ts';
import { type ActionQuestion, diagnosticsFor, type OfferedAction, offeredActions } from './offered-actions.ts';

/** Where to list code actions, and of which kind; an empty kind means the usual ones. */
export interface ActionsRequest extends ActionAddress {
  readonly kind: string;
}

/** A code action to choose. */
export interface ListedAction {
  /** Identifies the action as long as the text of the file stays the same. */
  readonly id: string;
  readonly title: string;
  /** The diagnostic that it repairs. */
  readonly diagnostic: Diagnostic | undefined;
  /** True if it is refused because it is a command, which runs in trusted projects only. */
  readonly needsTrust: boolean;
}

/** More would be too many requests for one call. */
const maxDiagnostics = 40;
/** Kinds of actions about a whole file; servers offer them only if asked. */
const fileKinds = ['source.organizeImports', 'source.removeUnusedImports', 'source.fixAll'];
/** Other kinds, which are for a person who reads the code, are listed only if they are asked for. */
const usualKinds = /^(?:|quickfix|refactor|source)(?:\.|$)/;

/**
 * Returns the code actions that the language server offers at a place: those that repair its diagnostics first. Without
 * a kind these are, for a whole file, fixes and actions about the file, and otherwise fixes and refactorings.
 *
 * @throws {ExpectedError} errors of {@link resolveActionPlace}; `edit.conflict` if the file changes in the meantime;
 *   `server.*`, also if the server has no code actions.
 */
export async function listActions(scope: SymbolScope, request: ActionsRequest): Promise<ListedAction[]> {
  const { files, call } = scope;
  const place = await resolveActionPlace(scope, request);
  const { file } = place;
  const areReported = place.isWholeFile || request.kind.startsWith('quickfix');
  const before = files.textOf(file).text;
  const active = files.sources.requireServer(file);
  const diagnostics = await diagnosticsFor(scope, { file, kind: request.kind, areReported });
  const questions = questionsAbout(scope, { place, kind: request.kind, diagnostics });
  const { text, offered } = await files.ask(active, call, async (server) => {
    requireSupport(server, 'textDocument/codeAction', ['make the change with the editing tools']);
    await prepareServer(scope, { active, server, missing: 'Code actions', file });
    return server.documents.holding(file, async () => {
      const shownText = await files.show(server, file, call);
      return { text: shownText, offered: await offeredActions(scope, server, { file, questions, diagnostics }) };
    });
  });
  if (files.textOf(file).text !== before) throw changedMeanwhile([file]);
  const textHash = shortHash(text);
  const isRestricted = !files.project.isTrusted && active.spec.quirks?.commandEdits === undefined;
  const needsTrust = ({ isOnlyCommand, command }: OfferedAction['action']) =>
    isRestricted && isOnlyCommand && !onlySendsEdits(active, command);
  return offered.filter(isShown).map(({ action, key, diagnostic }) => {
    const id = actionId({ file, textHash, ...key });
    return { id, title: action.title, diagnostic, needsTrust: needsTrust(action) };
  });

  function isShown({ action }: OfferedAction): boolean {
    if (request.kind !== '') return true;
    return usualKinds.test(action.kind) && (place.isWholeFile || !action.kind.startsWith('source'));
  }
}

function questionsAbout(
  scope: SymbolScope,
  { place, kind, diagnostics }: { place: ActionPlace; kind: string; diagnostics: readonly Diagnostic[] },
): ActionQuestion[] {
  const { file, ranges, isWholeFile } = place;
  const kinds = kind === '' && isWholeFile ? fileKinds : [kind];
  const isFix = kind === '' || kind.startsWith('quickfix');
  const fixed = isFix ? diagnostics.filter(({ range }) => isInPlace(range)).map(({ range }) => range) : [];
  const places = fixed.filter((range, index) => fixed.findIndex((one) => isSameRange(one, range)) === index);
  if (places.length > maxDiagnostics) {
    scope.gaps.push({
      missing: `Only the fixes of ${maxDiagnostics} of ${places.length} diagnostics of \`${file}\` were requested`,
      reason: 'each is a request to the language server',
      next: 'Call `code_actions` with `start_line` and `end_line`',
    });
  }
  return [
    ...places.slice(0, maxDiagnostics).map((range) => ({ range, kind: kind === '' ? 'quickfix' : kind })),
    ...kinds.flatMap((one) => ranges.map((range) => ({ range, kind: one }))),
  ];

  function isInPlace(range: ActionQuestion['range']): boolean {
    return ranges.some(({ start, end }) => overlapsLines(range, start.line, end.line));
  }
}
