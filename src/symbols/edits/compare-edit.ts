import { existsSync } from 'node:fs';
import type { Backoff } from '../../base/backoff.ts';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { PlannedChange } from '../../edits/edits.ts';
import { readChange } from '../../edits/read-change.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { Promptness } from '../model/server-state.ts';
import { type Patience, problemsInTime } from '../queries/diagnostics.ts';
import type { FileProblems } from '../queries/new-problems.ts';
import { changedNames, filesWithNames, type UsersOfChanges } from './changed-declarations.ts';

/** What an edit compares: `true` all changed files and their users, `auto` those that cost little time, `false` none. */
export type EditReporting = boolean | 'auto';

/** Files of one language server whose problems are compared around a commit. */
export interface Comparison {
  /** Project-relative paths with `/`. */
  readonly files: readonly string[];
  /** The problems before the commit, as far as the server reported them in time. */
  readonly before: ReadonlyMap<string, FileProblems>;
  /** Returns the problems of those of `files` that exist after the commit. */
  after(files: readonly string[]): Promise<ReadonlyMap<string, FileProblems>>;
  /** True if an answer says which of the files were not compared. */
  readonly isPromised: boolean;
  /** Describes further files that are not compared. */
  readonly omitted?: string | undefined;
}

/** Changes of the files of one language server. */
interface ServerEdit {
  readonly scope: SymbolScope;
  readonly active: ActiveServer;
  readonly changes: readonly PlannedChange[];
}

/** Longer than later waits, because the first edit may have to start a server. */
const startPatienceMs = 10_000;

/** Time for the problems that nobody requested, before and after a commit each. */
const promptMs = 1_000;

/** Part of that time in which the files that use what changes must be found. */
const searchMs = 500;

/** Changed files of which those problems are compared. */
const maxPromptFiles = 20;

const usersOmitted = 'files that use what changed';
const moreUsersOmitted = `more ${usersOmitted}`;

/**
 * Requests the problems before a commit of `changes`, of the files that are to be compared after it: the `watched` ones
 * and those of `reporting`. With `auto`, only servers that are running, have answered and return diagnostics on request
 * are asked, for a short time; one that was late is not asked by some later edits.
 */
export async function compareEdit(
  scope: SymbolScope,
  changes: readonly PlannedChange[],
  { reporting, watched }: { reporting: EditReporting; watched: ReadonlySet<string> },
): Promise<Comparison[]> {
  const byServer = Map.groupBy(changes, ({ path }) => scope.files.sources.serverOf(path));
  const comparisons = [...byServer].map(async ([active, own]) => {
    if (active === undefined || active.spec.quirks?.noDiagnosticsReason !== undefined) return [];
    const edit = { scope, active, changes: own };
    if (reporting === true) return [await compareAll(edit)];
    const promptness = reporting === 'auto' ? promptnessOf(scope, active) : undefined;
    const [ours, others] = partition(pathsOf(edit), (path) => watched.has(path));
    const first = patient(scope, ours, { isPromised: promptness !== undefined });
    if (promptness === undefined) return [await first];
    const prompt = [compareChanged(scope, others, promptness.changed), compareUsers(edit, promptness.users)];
    return Promise.all([first, ...prompt]);
  });
  return (await Promise.all(comparisons)).flat();
}

/**
 * Returns {@link ServerState.promptness} of a server that is running, is ready and returns all diagnostics on request: of
 * one that publishes them in parts, old problems would look new.
 */
function promptnessOf({ files }: SymbolScope, active: ActiveServer): Promptness | undefined {
  const server = files.runningServer(active);
  if (!server?.isReady) return undefined;
  const answers = active.spec.quirks?.diagnostics !== undefined || server.supports('textDocument/diagnostic');
  return answers ? files.stateOf(server).promptness : undefined;
}

async function compareAll(edit: ServerEdit): Promise<Comparison> {
  const { scope } = edit;
  const users = await within(scope, startPatienceMs, async (bounded) => {
    return usersNamed(edit, bounded, await namesIn(edit, bounded));
  });
  const files = [...pathsOf(edit), ...(users?.files ?? [])];
  const comparison = await patient(scope, files, { patienceMs: startPatienceMs, isPromised: true });
  return { ...comparison, omitted: omittedUsers(users) };
}

/** Compares changed files that are not watched, if the server is expected to be fast. */
async function compareChanged(scope: SymbolScope, files: readonly string[], backoff: Backoff): Promise<Comparison> {
  if (files.length > 0 && !backoff.shouldTry()) return unasked(files);
  const more = files.length - maxPromptFiles;
  const comparison = await prompt(scope, files.slice(0, maxPromptFiles), { backoff, beforeMs: promptMs });
  return { ...comparison, omitted: more > 0 ? `${more} more changed files` : undefined };
}

/** Compares files that use what changes, if the server is expected to be fast. */
async function compareUsers(edit: ServerEdit, backoff: Backoff): Promise<Comparison> {
  const { scope } = edit;
  const begunAt = performance.now();
  const names = await within(scope, searchMs, (bounded) => namesIn(edit, bounded));
  if (names?.size === 0) return unasked([]);
  if (names === undefined || !backoff.shouldTry()) return unasked([], usersOmitted);
  const users = await within(scope, searchMs, (bounded) => usersNamed(edit, bounded, names));
  if (users === undefined) backoff.record({ hasFailed: true });
  if (users === undefined) return unasked([], usersOmitted);
  const beforeMs = Math.max(0, promptMs - (performance.now() - begunAt));
  const comparison = await prompt(scope, users.files, { backoff, beforeMs });
  return { ...comparison, omitted: omittedUsers(users) };
}

function omittedUsers(users: UsersOfChanges | undefined): string | undefined {
  if (users === undefined) return usersOmitted;
  return users.isPartial ? moreUsersOmitted : undefined;
}

async function patient(
  scope: SymbolScope,
  files: readonly string[],
  { isPromised, ...patience }: Patience & { isPromised: boolean },
): Promise<Comparison> {
  const before = await problemsInTime(scope, existing(scope, files), patience);
  return { files, before, isPromised, after: (remaining) => problemsInTime(scope, remaining) };
}

/** Compares files in a short time, and records whether the server was late. */
async function prompt(
  scope: SymbolScope,
  files: readonly string[],
  { backoff, beforeMs }: { backoff: Backoff; beforeMs: number },
): Promise<Comparison> {
  const early = AbortSignal.timeout(beforeMs);
  const before = await problemsInTime(scope, existing(scope, files), { patience: early });
  // Which files are absent does not show it: about some files a server never reports anything.
  const isLate = early.aborted;
  const after = async (remaining: readonly string[]) => {
    const patience = AbortSignal.timeout(promptMs);
    const found = await problemsInTime(scope, remaining, { patience });
    if (files.length > 0) backoff.record({ hasFailed: isLate || patience.aborted });
    return found;
  };
  return { files, before, after, isPromised: true };
}

function unasked(files: readonly string[], omitted?: string): Comparison {
  return { files, before: new Map(), after: async () => new Map(), isPromised: true, omitted };
}

function pathsOf({ changes }: ServerEdit): string[] {
  return changes.map(({ path }) => path);
}

function namesIn({ changes }: ServerEdit, scope: SymbolScope): Promise<ReadonlySet<string>> {
  const texts = changes.map((change) => readChange(change, scope.files.project.config.encoding));
  return changedNames(scope, texts);
}

function usersNamed(edit: ServerEdit, scope: SymbolScope, names: ReadonlySet<string>): Promise<UsersOfChanges> {
  return filesWithNames(scope, edit.active, { names, changed: pathsOf(edit) });
}

/**
 * Returns what `work` returns with a scope that ends after `limitMs`; `undefined` if it fails or is late. The edit is made
 * in any case.
 */
async function within<T>(
  scope: SymbolScope,
  limitMs: number,
  work: (scope: SymbolScope) => Promise<T>,
): Promise<T | undefined> {
  const limit = AbortSignal.timeout(limitMs);
  const call = { ...scope.call, signal: AbortSignal.any([scope.call.signal, limit]) };
  try {
    return await work({ ...scope, call });
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!limit.aborted) log('symbols').warn(`The users of an edit are unknown: ${messageOf(error)}`);
    return undefined;
  }
}

function existing(scope: SymbolScope, files: readonly string[]): string[] {
  return files.filter((file) => existsSync(scope.files.absolute(file)));
}

function partition<T>(all: readonly T[], accepts: (one: T) => boolean): [T[], T[]] {
  return [all.filter(accepts), all.filter((one) => !accepts(one))];
}
