import { mapConcurrently } from '../../../base/concurrent.ts';
import type { LanguageServer } from '../../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../../lsp/documents/diagnostic.ts';
import { type CodeAction, requestCodeActions, type ServerCommand } from '../../../lsp/features/code-actions.ts';
import { isSameRange, type Range } from '../../../text/place.ts';
import type { SymbolScope } from '../../model/scope.ts';
import { fileDiagnostics, overlapsLines } from '../../queries/diagnostics.ts';
import { type ActionKey, shortHash } from './action-id.ts';

/** A code action that a server offers, with what identifies it. */
export interface OfferedAction {
  readonly action: CodeAction;
  readonly key: Omit<ActionKey, 'file' | 'textHash'>;
  /** The diagnostic that it repairs. */
  readonly diagnostic?: Diagnostic | undefined;
}

/** A range and the kind of actions to ask for there; see {@link requestCodeActions}. */
export interface ActionQuestion {
  readonly range: Range;
  readonly kind: string;
}

/** Servers work on one request at a time. */
const questionsAtOnce = 4;

/**
 * Returns the diagnostics of a file that actions of `kind` may depend on. Those that are missing are a gap only if the
 * answer reports diagnostics.
 */
export async function diagnosticsFor(
  scope: SymbolScope,
  { file, kind, areReported }: { file: string; kind: string; areReported: boolean },
): Promise<readonly Diagnostic[]> {
  if (!/^(?:$|quickfix|source)/.test(kind)) return [];
  return await fileDiagnostics(areReported ? scope : { ...scope, gaps: [] }, file);
}

/**
 * Returns the actions that a server offers in answer to several questions about an open document. An
 * action that several questions lead to is returned once, unless it repairs several diagnostics. Commands
 * that the server leaves to the editor are left out.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function offeredActions(
  { files, call }: SymbolScope,
  server: LanguageServer,
  about: { file: string; questions: readonly ActionQuestion[]; diagnostics: readonly Diagnostic[] },
): Promise<OfferedAction[]> {
  const limits = files.limits(call);
  const answers = await mapConcurrently(about.questions, questionsAtOnce, async (question) => {
    const diagnostics = sentWith(question, about.diagnostics);
    const found = await requestCodeActions(server, { file: about.file, ...question, diagnostics }, limits);
    const diagnostic = diagnostics.find(({ range }) => isSameRange(range, question.range));
    const own = found.filter(({ isOnlyCommand, command }) => !isOnlyCommand || isOwn(server, command));
    return keyed(own, question).map((offered) => ({ ...offered, diagnostic }));
  });
  const known = new Set<string>();
  return answers.flat().filter(({ action, key, diagnostic }) => {
    const name = `${action.kind}\0${key.titleHash}`;
    const isKnown = known.has(name);
    known.add(name);
    return !isKnown || diagnostic !== undefined;
  });
}

/** True if the server runs a command itself. */
export function isOwn(server: LanguageServer, command: ServerCommand | undefined): boolean {
  return command !== undefined && server.supports('workspace/executeCommand', command.command);
}

/** Returns actions with their keys: actions of equal kind and title are numbered. */
function keyed(actions: readonly CodeAction[], { range }: ActionQuestion): Omit<OfferedAction, 'diagnostic'>[] {
  const counts = new Map<string, number>();
  return actions.map((action) => {
    const name = `${action.kind}\0${action.title}`;
    const number = counts.get(name) ?? 0;
    counts.set(name, number + 1);
    return { action, key: { range, kind: action.kind, titleHash: shortHash(`${name}\0${number}`) } };
  });
}

/**
 * Returns the diagnostics to send: those of exactly this range, otherwise those on its lines; for an action about the
 * whole file all, because a server may keep imports of a file with errors.
 */
function sentWith({ range, kind }: ActionQuestion, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (kind.startsWith('source')) return diagnostics;
  if (!kind.startsWith('quickfix')) return [];
  const exact = diagnostics.filter((one) => isSameRange(one.range, range));
  if (exact.length > 0) return exact;
  return diagnostics.filter((one) => overlapsLines(one.range, range.start.line, range.end.line));
}
