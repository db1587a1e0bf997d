import { createHash } from 'node:crypto';
import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import {
  type CodeAction,
  requestActionEdit,
  requestCodeActions,
  requestCommandEdits,
  type ServerCommand,
} from '../../lsp/features/code-actions.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import { isSameRange, type Range } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { requireFile, resolveRoot, type SymbolScope } from '../model/scope.ts';
import { spanOf, startOfLine } from '../model/text-range.ts';
import { prepareSearch, prepareServer } from '../prepare-servers/prepare-search.ts';
import { fileDiagnostics, overlapsLines } from '../queries/diagnostics.ts';
import { uniqueSymbol } from '../queries/one-symbol.ts';
import { requireSupport } from '../queries/requests.ts';
import type { EditScope } from './edit-problems.ts';
import { changedMeanwhile } from './edited-symbol.ts';
import { commitProposal } from './workspace-edit.ts';

/** Where code actions are requested, as the caller passes it. */
interface ActionAddress {
  readonly relativePath: string;
  /** Name path of a symbol; empty for lines. */
  readonly namePath: string;
  /** 0-based. */
  readonly startLine: number;
  /** 0-based and inclusive; `undefined` for the last line of the file. */
  readonly endLine: number | undefined;
  /** The code to select in the symbol or the lines; empty for all of it. */
  readonly selectedText: string;
}

/** A part of a file for which code actions are requested. */
interface ActionPlace {
  readonly file: string;
  /** The ranges to ask about: for a symbol its name and the whole of it. */
  readonly ranges: readonly Range[];
  /** True if the place is not a part of the file. */
  readonly isWholeFile: boolean;
}

/**
 * Resolves the place of code actions.
 *
 * @throws {ExpectedError} `file.*`; errors of {@link uniqueSymbol}; `edit.out-of-range` for lines that the file does not
 *   have; `edit.no-match` and `edit.ambiguous` for the selected text.
 */
async function resolveActionPlace(scope: SymbolScope, address: ActionAddress): Promise<ActionPlace> {
  const place = await symbolOrLines(scope, address);
  const { file, ranges } = place;
  const whole = ranges.at(-1);
  const selected = normalizeNewlines(address.selectedText);
  if (selected === '' || whole === undefined) return place;
  return { file, ranges: [selectedRange(scope, { file, whole, selected })], isWholeFile: false };
}

async function symbolOrLines(scope: SymbolScope, address: ActionAddress): Promise<ActionPlace> {
  if (address.namePath !== '') {
    const { file, range, selectionRange } = await uniqueSymbol(scope, address.namePath, address.relativePath);
    return { file, ranges: [{ start: selectionRange.start, end: selectionRange.start }, range], isWholeFile: false };
  }
  const root = await resolveRoot(scope, address.relativePath);
  requireFile(root);
  const text = scope.files.textOf(root.path);
  const count = text.starts.length;
  const first = address.startLine;
  const last = address.endLine ?? count - 1;
  if (first > last || last >= count) {
    const message = `lines ${first} to ${last} (0-based) are not in \`${root.path}\`, which has ${count} lines`;
    throw new ExpectedError('edit.out-of-range', message, { hints: ['read the file, and pass lines that it has'] });
  }
  return {
    file: root.path,
    ranges: [codeRange(text, first, last)],
    isWholeFile: first === 0 && address.endLine === undefined,
  };
}

/** Returns the range of whole lines without the white space around it: servers compare selections with code. */
function codeRange(text: TextLines, first: number, last: number): Range {
  const start = startOfLine(text, first);
  const code = text.text.slice(start, startOfLine(text, last + 1));
  const offset = code.trim() === '' ? 0 : code.length - code.trimStart().length;
  return rangeAt(text, start + offset, start + offset + code.trim().length);
}

function selectedRange(
  scope: SymbolScope,
  { file, whole, selected }: { file: string; whole: Range; selected: string },
): Range {
  const text = scope.files.textOf(file);
  const span = spanOf(text, whole);
  const code = text.text.slice(span?.start, span?.end);
  const at = code.indexOf(selected);
  if (at < 0) {
    throw new ExpectedError('edit.no-match', `\`selected_text\` does not occur in this part of \`${file}\``, {
      hints: ['read the code, and pass a part of it as it is written there'],
    });
  }
  if (code.includes(selected, at + 1)) {
    throw new ExpectedError('edit.ambiguous', `\`selected_text\` occurs several times in this part of \`${file}\``, {
      hints: ['pass `start_line` and `end_line` of the occurrence'],
    });
  }
  const start = (span?.start ?? 0) + at;
  return rangeAt(text, start, start + selected.length);
}

function rangeAt({ text, starts }: TextLines, start: number, end: number): Range {
  return { start: positionAt(text, starts, start), end: positionAt(text, starts, end) };
}

/** What identifies a code action: where it was offered, for which text, and what it is called. */
interface ActionKey {
  /** Project-relative path with `/`. */
  readonly file: string;
  readonly range: Range;
  readonly kind: string;
  /** Hash of the text of the file. */
  readonly textHash: string;
  /** Hash of the title, and of its number among equal titles. */
  readonly titleHash: string;
}

const form = /^(.+):(\d+)\.(\d+)-(\d+)\.(\d+):(.*):([0-9a-f]{8})([0-9a-f]{8})$/s;

/** Returns the id of a code action. It holds everything that is needed to find the action again. */
function actionId({ file, range: { start, end }, kind, textHash, titleHash }: ActionKey): string {
  const range = `${start.line}.${start.character}-${end.line}.${end.character}`;
  return `${file}:${range}:${kind}:${textHash}${titleHash}`;
}

/**
 * Parses the id of a code action.
 *
 * @throws {ExpectedError} `tool.invalid-input`.
 */
function parseActionId(id: string): ActionKey {
  const [, file, startLine, startColumn, endLine, endColumn, kind, textHash, titleHash] = form.exec(id.trim()) ?? [];
  if (file === undefined || kind === undefined || textHash === undefined || titleHash === undefined) {
    throw new ExpectedError('tool.invalid-input', `\`${id}\` is not an id of a code action`, {
      hints: ['call `code_actions` and pass one of its ids unchanged'],
    });
  }
  const start = { line: Number(startLine), character: Number(startColumn) };
  const range = { start, end: { line: Number(endLine), character: Number(endColumn) } };
  return { file, range, kind, textHash, titleHash };
}

/** Returns a short hash of a text, which differs between its versions. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** A code action that a server offers, with what identifies it. */
interface OfferedAction {
  readonly action: CodeAction;
  readonly key: Omit<ActionKey, 'file' | 'textHash'>;
  /** The diagnostic that it repairs. */
  readonly diagnostic?: Diagnostic | undefined;
}

/** A range and the kind of actions to ask for there; see {@link requestCodeActions}. */
interface ActionQuestion {
  readonly range: Range;
  readonly kind: string;
}

/** Servers work on one request at a time. */
const questionsAtOnce = 4;

/**
 * Returns the diagnostics of a file that actions of `kind` may depend on. Those that are missing are a gap only if the
 * answer reports diagnostics.
 */
async function diagnosticsFor(
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
async function offeredActions(
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
function isOwn(server: LanguageServer, command: ServerCommand | undefined): boolean {
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

/** The changes that a code action proposes. */
interface ActionSteps {
  readonly steps: readonly WorkspaceStep[];
  readonly notes: readonly string[];
  /** The command that was run, if it may have changed files itself. */
  readonly ran?: string;
}

/**
 * Returns the steps of an action: its edit, or else those of its command, which runs if it may.
 *
 * @throws {ExpectedError} `edit.refused` for a command that may not run, and for an edit that only an editor can make;
 *   `server.*`.
 */
export async function requestActionSteps(
  scope: EditScope,
  server: LanguageServer,
  { active, action, isDryRun }: { active: ActiveServer; action: CodeAction; isDryRun: boolean },
): Promise<ActionSteps> {
  const limits = scope.files.limits(scope.call);
  const resolved = await requestActionEdit(server, action, limits);
  const command = resolved.command ?? action.command;
  const known = command && (await active.spec.quirks?.commandEdits?.(server, command, limits));
  if (resolved.steps !== undefined) {
    return { steps: resolved.steps, notes: known ? [] : leftOut(server, active, command) };
  }
  if (command === undefined) return { steps: [], notes: [] };
  return await commandSteps(scope, server, { active, command, known, isDryRun });
}

/** A command to run, and its steps if they are known without running it. */
interface CommandRun {
  readonly active: ActiveServer;
  readonly command: ServerCommand;
  readonly known: readonly WorkspaceStep[] | undefined;
  readonly isDryRun: boolean;
}

async function commandSteps(
  scope: SymbolScope,
  server: LanguageServer,
  { active, command, known, isDryRun }: CommandRun,
): Promise<ActionSteps> {
  if (known !== undefined) return { steps: known, notes: [] };
  requireOwn(server, command);
  const onlyEdits = onlySendsEdits(active, command);
  if (!onlyEdits) requireRunnable(scope, { server, command, isDryRun });
  const steps = await requestCommandEdits(server, command, scope.files.limits(scope.call));
  return { steps, notes: [], ...(onlyEdits ? {} : { ran: command.command }) };
}

/**
 * Runs a command that the server of a project-relative file offers, if it may run, and returns the steps that it asks the
 * client to make. Paths are those of a `Place` in the project.
 *
 * @throws {ExpectedError} `edit.refused` for a command that may not run, and for an edit that only an editor can make;
 *   `file.outside-project`; `server.*`.
 */
export async function runServerCommand(
  scope: SymbolScope,
  file: string,
  command: ServerCommand,
): Promise<readonly WorkspaceStep[]> {
  const { files, call } = scope;
  const active = files.sources.requireServer(file);
  return await files.ask(active, call, async (server) => {
    await prepareServer(scope, { active, server, missing: 'Changes', file });
    await files.show(server, file, call);
    const known = await active.spec.quirks?.commandEdits?.(server, command, files.limits(call));
    const { steps } = await commandSteps(scope, server, { active, command, known, isDryRun: false });
    for (const step of steps) resolveInProject(files.project, step.file);
    return steps;
  });
}

/** True if a command is known to run no program and to write no file, so that it may run in any project. */
function onlySendsEdits({ spec }: ActiveServer, command: ServerCommand | undefined): boolean {
  return command !== undefined && (spec.quirks?.editCommands ?? []).includes(command.command);
}

/** Commands of the client's own only move its cursor or show something. */
function leftOut(server: LanguageServer, active: ActiveServer, command: ServerCommand | undefined): string[] {
  if (command === undefined || !isOwn(server, command) || onlySendsEdits(active, command)) return [];
  return [`The command \`${command.command}\`, which the action runs afterwards, was not run`];
}

function requireOwn(server: LanguageServer, command: ServerCommand): void {
  if (isOwn(server, command)) return;
  throw refused(`the command \`${command.command}\`, which ${server.name} leaves to the editor`);
}

/** A command that may run programs or write files needs trust, and cannot be tried. */
function requireRunnable(
  { files: { project } }: SymbolScope,
  { server, command: { command }, isDryRun }: { server: LanguageServer; command: ServerCommand; isDryRun: boolean },
): void {
  if (!project.isTrusted) {
    throw refused(`the command \`${command}\` of ${server.name}, which runs only in trusted projects`, [
      'ask the user to add the path of the project to `trusted_project_path_patterns` in `serena_config.yml`',
    ]);
  }
  if (!isDryRun) return;
  throw refused(`the command \`${command}\` of ${server.name}, which may write files itself and cannot be tried`, [
    'apply the action without `dry_run` and outside `apply_edits`',
  ]);
}

function refused(what: string, hints: readonly string[] = []): ExpectedError {
  return new ExpectedError('edit.refused', `the action is ${what}`, {
    hints: [...hints, 'make the change with the editing tools'],
  });
}

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
