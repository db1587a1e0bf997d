import { existsSync } from 'node:fs';
import type { Backoff } from '../../base/backoff.ts';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { ChangedText } from '../../text/diff.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { Promptness } from '../model/server-state.ts';
import { type Patience, problemsInTime } from '../queries/diagnostics.ts';
import { changedNames, filesWithNames, type UsersOfChanges } from './changed-declarations.ts';
import { moreUsers, patienceOf, type TrialResult } from './trial.ts';

/** What an edit compares: `true` all changed files and their users, `auto` those that cost little time, `false` none. */
export type EditReporting = boolean | 'auto';

/** Files of one language server whose problems are compared around a commit. */
interface Compared {
  /** Project-relative paths with `/`. */
  readonly files: readonly string[];
  /** Returns the limit of the wait, which begins now: before the commit or after it. */
  readonly limit: (when: 'before' | 'after') => Patience;
  /** Learns whether the server was late. */
  readonly backoff?: Backoff;
  /** True if an answer names the files that were not compared. */
  readonly isPromised: boolean;
  /** Describes further files that are not compared. */
  readonly more?: readonly string[];
}

/** Compares the problems of files after a commit with those before it. */
type Comparison = () => Promise<TrialResult>;

interface ServerEdit {
  readonly scope: SymbolScope;
  readonly active: ActiveServer;
  readonly changes: readonly ChangedText[];
}

/** How an edit is compared. */
interface ComparedEdit {
  readonly reporting: EditReporting;
  /** Files that are compared in any case. */
  readonly watched: ReadonlySet<string>;
  /** True to compare a change of one file as wholly as one of several. */
  readonly isWhole: boolean;
  /** The files that may use what changes, if they are known. */
  readonly users: readonly string[] | undefined;
}

/** Longer than later waits, because the first edit may have to start a server. */
const startPatienceMs = 10_000;

/** Time for the problems that nobody requested, before and after a commit each. */
const promptMs = 1_000;

/** Part of that time in which the files that use what changes must be found. */
const searchMs = 500;

const usersOmitted = 'files that use what changed';

/**
 * Requests the problems before a commit of `changes`, of the files that are to be compared after it: the `watched` ones
 * and those of `reporting`. With `auto`, only servers that are running, have answered and return diagnostics on request
 * are asked. For a change of one file they get a short time; one that was late is not asked by some later edits.
 */
export async function compareEdit(
  scope: SymbolScope,
  changes: readonly ChangedText[],
  { reporting, watched, isWhole, users }: ComparedEdit,
): Promise<Comparison[]> {
  const byServer = Map.groupBy(changes, ({ path }) => scope.files.sources.serverOf(path));
  const comparisons = [...byServer].map(async ([active, own]) => {
    if (active === undefined || active.spec.quirks?.noDiagnosticsReason !== undefined) return [];
    const edit = { scope, active, changes: own };
    const promptness = reporting === 'auto' ? promptnessOf(scope, active) : undefined;
    const isOverFiles = changes.length > 1 || isWhole;
    if (reporting === true || (promptness && isOverFiles)) return [await compareAll(edit, { isOverFiles, users })];
    const [ours = [], others = []] = [true, false].map((is) =>
      pathsOf(edit).filter((path) => watched.has(path) === is),
    );
    const first = compare(scope, { files: ours, limit: () => ({}), isPromised: promptness !== undefined });
    if (promptness === undefined) return [await first];
    return Promise.all([
      first,
      compareChanged(scope, others, promptness.changed),
      compareUsers(edit, promptness.users),
    ]);
  });
  return (await Promise.all(comparisons)).flat();
}

/**
 * Returns {@link ServerState.promptness} of a server that is running, is ready and returns all diagnostics on request: of
 * one that publishes them in parts, old problems would look new.
 */
export function promptnessOf({ files }: SymbolScope, active: ActiveServer): Promptness | undefined {
  const server = files.runningServer(active);
  if (!server?.isReady) return undefined;
  const answers = active.spec.quirks?.diagnostics !== undefined || server.supports('textDocument/diagnostic');
  return answers ? files.stateOf(server).promptness : undefined;
}

/** Compares changed files and those that use what changes: all of them if the edit is one over files. */
async function compareAll(
  edit: ServerEdit,
  { isOverFiles, users: known }: { isOverFiles: boolean; users: readonly string[] | undefined },
): Promise<Comparison> {
  const { scope } = edit;
  const searchLimitMs = isOverFiles ? patienceOf(scope.call, 0.2) : startPatienceMs;
  const search = async (bounded: SymbolScope) =>
    usersNamed(edit, bounded, { names: await namesIn(edit, bounded), isComplete: isOverFiles });
  const users = known ? { files: ownUsers(edit, known), isPartial: false } : await within(scope, searchLimitMs, search);
  const files = [...pathsOf(edit), ...(users?.files ?? [])];
  const limit = (when: 'before' | 'after'): Patience => {
    const share = when === 'before' ? 0.4 : 0.9;
    if (isOverFiles) return { patience: AbortSignal.timeout(patienceOf(scope.call, share)) };
    return when === 'before' ? { patienceMs: startPatienceMs } : {};
  };
  return await compare(scope, { files, limit, isPromised: true, more: omittedUsers(users) });
}

function ownUsers({ scope, active }: ServerEdit, users: readonly string[]): readonly string[] {
  return users.filter((file) => scope.files.sources.serverOf(file) === active);
}

/** Compares changed files, if the server is expected to be fast. */
async function compareChanged(scope: SymbolScope, files: readonly string[], backoff: Backoff): Promise<Comparison> {
  if (files.length > 0 && !backoff.shouldTry()) return unasked(files);
  return await compare(scope, { files, limit: () => soon(promptMs), backoff, isPromised: true });
}

/** Compares files that use what changes, if the server is expected to be fast. */
async function compareUsers(edit: ServerEdit, backoff: Backoff): Promise<Comparison> {
  const { scope } = edit;
  const begunAt = performance.now();
  const names = await within(scope, searchMs, (bounded) => namesIn(edit, bounded));
  if (names?.size === 0) return unasked([]);
  if (names === undefined || !backoff.shouldTry()) return unasked([], usersOmitted);
  const users = await within(scope, searchMs, (bounded) => usersNamed(edit, bounded, { names, isComplete: false }));
  if (users === undefined) backoff.record({ hasFailed: true });
  if (users === undefined) return unasked([], usersOmitted);
  const beforeMs = Math.max(0, promptMs - (performance.now() - begunAt));
  const limit = (when: 'before' | 'after') => soon(when === 'before' ? beforeMs : promptMs);
  return await compare(scope, { files: users.files, limit, backoff, isPromised: true, more: omittedUsers(users) });
}

function soon(ms: number): Patience {
  return { patience: AbortSignal.timeout(ms) };
}

function omittedUsers(users: UsersOfChanges | undefined): string[] {
  if (users === undefined) return [usersOmitted];
  return users.isPartial ? [moreUsers] : [];
}

/** Requests the problems before the commit. */
async function compare(
  scope: SymbolScope,
  { files, limit, backoff, isPromised, more = [] }: Compared,
): Promise<Comparison> {
  const exists = (file: string) => existsSync(scope.files.absolute(file));
  const asked = files.filter(exists);
  const early = limit('before');
  const before = new Map(await problemsInTime(scope, asked, early));
  // Which files are absent does not show it: about some files a server never reports anything.
  const isLate = early.patience?.aborted === true;
  // A missing file has no problems.
  for (const file of files) if (!asked.includes(file)) before.set(file, { file, text: '', problems: [] });
  return async () => {
    const remaining = files.filter(exists);
    const late = limit('after');
    const known = remaining.filter((file) => before.has(file));
    const found = await problemsInTime(scope, known, late);
    if (files.length > 0) backoff?.record({ hasFailed: isLate || late.patience?.aborted === true });
    const tried = known.flatMap((file) => {
      const [old, now] = [before.get(file), found.get(file)];
      return old && now ? [{ before: old, after: now }] : [];
    });
    const unchecked = remaining.filter((file) => !tried.some(({ after }) => after.file === file));
    return { tried, unchecked: isPromised ? unchecked : [], more };
  };
}

function unasked(files: readonly string[], ...more: readonly string[]): Comparison {
  return async () => ({ tried: [], unchecked: files, more });
}

function pathsOf({ changes }: ServerEdit): string[] {
  return changes.map(({ path }) => path);
}

/** Returns the names whose users may break. The imports of a moved file change with it. */
function namesIn({ changes }: ServerEdit, scope: SymbolScope): Promise<ReadonlySet<string>> {
  const isMove = changes.some(({ before }) => before === undefined);
  return changedNames(scope, isMove ? changes.filter(({ after }) => after !== undefined) : changes);
}

function usersNamed(
  edit: ServerEdit,
  scope: SymbolScope,
  search: { names: ReadonlySet<string>; isComplete: boolean },
): Promise<UsersOfChanges> {
  return filesWithNames(scope, edit.active, { ...search, changed: pathsOf(edit) });
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
