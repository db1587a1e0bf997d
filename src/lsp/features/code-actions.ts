import { ExpectedError } from '../../base/errors.ts';
import type { Place } from '../../text/place.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import type { Diagnostic } from '../documents/diagnostic.ts';
import { field } from '../readiness/readiness.ts';
import { readWorkspaceEdit, type WorkspaceStep } from './rename.ts';

/** A change that a server offers for a range. */
export interface CodeAction {
  readonly title: string;
  /** Such as `refactor.inline`; empty if the server names none. */
  readonly kind: string;
  /** What the server runs to make the change. */
  readonly command: ServerCommand | undefined;
  /** True if the server returns no edit for it. */
  readonly isOnlyCommand: boolean;
  /** The action as the server sent it; a bare command is not an action. */
  readonly sent: object | undefined;
}

/** A command of a server with its arguments, unchecked. */
export interface ServerCommand {
  readonly command: string;
  readonly arguments: readonly unknown[];
}

/** A question about code actions at a place in an open document. */
export interface CodeActionQuestion extends Place {
  /** The kind to which, and to whose subkinds, the answer is limited; empty = those that the server offers unasked. */
  readonly kind: string;
  readonly diagnostics: readonly Diagnostic[];
}

const method = 'textDocument/codeAction';
/** LSP's `CodeActionTriggerKind.Invoked`. */
const invoked = 1;

/**
 * Returns the actions that a server offers, in its order, without disabled ones. Changes nothing.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestCodeActions(
  server: LanguageServer,
  { file, range, kind, diagnostics }: CodeActionQuestion,
  limits: RequestLimits,
): Promise<CodeAction[]> {
  const only = kind === '' ? {} : { only: [kind] };
  const context = { diagnostics: diagnostics.map(sentDiagnostic), triggerKind: invoked, ...only };
  const textDocument = { uri: server.files.uriOf(file) };
  const answer = await server.request(method, { textDocument, range, context }, limits);
  const actions = Array.isArray(answer) ? answer.flatMap(readAction) : [];
  // Some servers ignore `only`.
  return actions.filter((action) => kind === '' || action.kind === kind || action.kind.startsWith(`${kind}.`));
}

/**
 * Returns the steps of an action's edit, which the server may compute only now; `undefined` for an action that is only
 * a command.
 *
 * @throws {ExpectedError} `edit.refused` for an edit that only an editor can make; `server.*`.
 */
export async function requestActionEdit(
  server: LanguageServer,
  { sent }: CodeAction,
  limits: RequestLimits,
): Promise<{ steps: WorkspaceStep[] | undefined; command: ServerCommand | undefined }> {
  if (sent === undefined) return { steps: undefined, command: undefined };
  const mayResolve = field(sent, 'edit') === undefined && server.supports(method, 'resolveProvider');
  const resolved = mayResolve ? await server.request('codeAction/resolve', sent, limits) : sent;
  const edit: unknown = field(resolved, 'edit');
  const steps = edit === undefined || edit === null ? undefined : readWorkspaceEdit(edit, server);
  return { steps, command: readCommand(field(resolved, 'command')) };
}

/**
 * Runs a command on a server that declares it, and returns the steps of the edits that the server asks for meanwhile.
 * They are not applied.
 *
 * @throws {ExpectedError} `edit.refused` for an edit that only an editor can make; `server.*`.
 */
export async function requestCommandEdits(
  server: LanguageServer,
  command: ServerCommand,
  limits: RequestLimits & { readonly signal: AbortSignal },
): Promise<WorkspaceStep[]> {
  const edits = await server.edits.during(limits.signal, () =>
    server.request('workspace/executeCommand', command, limits),
  );
  if (edits.length > 1) {
    // Each edit is about the text after the previous one, which the server has not been sent.
    const message = `${server.name} makes the change in ${edits.length} steps, which cannot be combined`;
    throw new ExpectedError('edit.refused', message, { hints: ['make the change with the editing tools'] });
  }
  return edits.flatMap((edit) => readWorkspaceEdit(edit, server));
}

function readAction(value: unknown): CodeAction[] {
  const sentTitle = field(value, 'title');
  if (typeof sentTitle !== 'string' || typeof value !== 'object' || value === null) return [];
  if (field(value, 'disabled') !== undefined) return [];
  // Answers list an action per line, and a title may contain code.
  const title = sentTitle.replace(/\s+/g, ' ').trim();
  const bare = readCommand(value);
  if (bare !== undefined) return [{ title, kind: '', command: bare, isOnlyCommand: true, sent: undefined }];
  const kind = field(value, 'kind');
  const command = readCommand(field(value, 'command'));
  // Data is what the server computes an edit from later.
  const isOnlyCommand = command !== undefined && !('edit' in value) && !('data' in value);
  return [
    { title, kind: typeof kind === 'string' && /^\S*$/.test(kind) ? kind : '', command, isOnlyCommand, sent: value },
  ];
}

function readCommand(value: unknown): ServerCommand | undefined {
  const command = field(value, 'command');
  const args = field(value, 'arguments');
  return typeof command === 'string' ? { command, arguments: Array.isArray(args) ? args : [] } : undefined;
}

function sentDiagnostic({ range, message, severity, code, source, data }: Diagnostic): object {
  return { range, message, severity, code, source, data };
}
