import { existsSync } from 'node:fs';
import { basename } from 'node:path/posix';
import { type Call, remainingMs } from '../../base/call.ts';
import { isExpected } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { ChangedText } from '../../text/diff.ts';
import type { SymbolScope } from '../model/scope.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import { type FileProblem, type FileProblems, isReported, newProblems } from '../queries/new-problems.ts';
import { changedNames, filesWithNames } from './changed-declarations.ts';

/** Planned texts that a language server is shown, and the files in which they may cause problems. */
interface Trial {
  readonly active: ActiveServer;
  /** New texts with `\n` line breaks, by project-relative path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Project-relative paths, in the order in which they are asked for. */
  readonly files: readonly string[];
  /**
   * Time in ms that the server may take to report the problems of the files, with the texts and without them each; absent
   * for a share of what the call has left.
   */
  readonly patienceMs?: number | undefined;
}

/** The problems of a file without planned changes and with them. */
export interface TriedFile {
  /** Without problems if the file does not exist, or has none with the changes. */
  readonly before: FileProblems;
  readonly after: FileProblems;
}

export interface TrialResult {
  readonly tried: readonly TriedFile[];
  /** The files whose problems the server did not report in time. */
  readonly unchecked: readonly string[];
  /** Describes further files in which the changes may cause problems. */
  readonly more: readonly string[];
}

/** A busy machine needs the second one. */
const moreRounds = 2;

export const usualPatienceMs = 30_000;
const unlimitedMs = 4 * usualPatienceMs;

/** Returns how long a step of an edit over files may take: a share of the time that the call has left, so that others follow. */
export function patienceOf(call: Call, share = 0.6): number {
  return (remainingMs(call) ?? unlimitedMs) * share;
}

/**
 * Returns the problems of files with planned changes and without them, according to the language server, which receives
 * the changed texts for that time. No other session asks it meanwhile. Writes nothing.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function trial(scope: SymbolScope, { active, texts, files, patienceMs }: Trial): Promise<TrialResult> {
  const problemsOf = (paths: readonly string[], mostMs = Number.POSITIVE_INFINITY) => {
    const ms = Math.min(patienceMs ?? patienceOf(scope.call), mostMs);
    return problemsInTime(scope, paths, { patience: AbortSignal.timeout(ms) });
  };
  const reported = await scope.files.tryTexts(active, scope.call, texts, async () => {
    let found = await problemsOf(files);
    if (files.length < 2 || active.spec.quirks?.diagnostics === undefined) return found;
    // jdtls may have compiled a file while it was receiving the changes of another one, or before it has read a new file.
    found = await problemsOf(files);
    for (let round = 0; round < moreRounds; round++) {
      const broken = [...found.values()].filter(({ problems }) => problems.some(isError)).map(({ file }) => file);
      if (broken.length === 0) break;
      found = new Map([...found, ...(await problemsOf(broken))]);
    }
    return found;
  });
  const created = [...texts.keys()].filter((file) => !existsSync(scope.files.absolute(file)));
  const { unreadFile } = active.spec.adapter ?? {};
  // A server that was started again has the present texts.
  const shown = [...reported.values()].filter(({ file, text, problems }) => {
    const isUnread = problems.some(({ message }) => unreadFile?.test(message));
    return !isUnread && (!texts.has(file) || texts.get(file) === text);
  });
  const after = shown.map((one) => ({
    ...one,
    problems: one.problems.filter((problem) => isReported(problem) && !isAboutCreated(active, problem, created)),
  }));
  // Most files have no problems, so that only the others are asked for twice.
  const suspects = after.filter(({ file, problems }) => problems.length > 0 && !created.includes(file));
  const [broken = [], warned = []] = [true, false].map((isBroken) =>
    suspects.filter(({ problems }) => problems.some(isError) === isBroken).map(({ file }) => file),
  );
  const before = new Map([...(await problemsOf(broken)), ...(await problemsOf(warned, usualPatienceMs))]);
  const tried = after.flatMap((now): TriedFile[] => {
    // Warnings that are not compared in time count as old: nothing waits for them.
    const late = warned.includes(now.file) ? now : undefined;
    const old = suspects.includes(now) ? (before.get(now.file) ?? late) : { file: now.file, text: '', problems: [] };
    return old === undefined ? [] : [{ before: old, after: now }];
  });
  const known = new Set(tried.map((one) => one.after.file));
  return { tried, unchecked: files.filter((file) => !known.has(file)), more: [] };
}

/**
 * Returns the errors that the files do not have without the planned changes. Messages are not compared: they may contain
 * a name that the changes replace.
 */
export function newErrors({ tried }: TrialResult): FileProblem[] {
  const errorsIn = (found: FileProblems) => ({ ...found, problems: found.problems.filter(isError) });
  return tried.flatMap(({ before, after }) =>
    newProblems(errorsIn(before), errorsIn(after), () => '').map((diagnostic) => ({ file: after.file, diagnostic })),
  );
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 1;
}

const maxShown = 5;

/** Returns the first few problems for a message, with 0-based lines, and the number of the others. */
export function describeProblems(problems: readonly FileProblem[]): string {
  const shown = problems.slice(0, maxShown).map(({ file, diagnostic: { range, message } }) => {
    return `\`${file}\` ${range.start.line}: ${message.split('\n')[0]?.replace(/\.$/, '') ?? ''}`;
  });
  return `${shown.join('; ')}${problems.length > maxShown ? `; and ${problems.length - maxShown} more` : ''}`;
}

/**
 * True if a diagnostic of planned texts is about an import of a file that they create: some servers look for modules on
 * disk only. Paths are project-relative.
 */
function isAboutCreated(
  { spec: { adapter } }: ActiveServer,
  { message }: Diagnostic,
  created: readonly string[],
): boolean {
  const found = adapter?.missingModule?.exec(message);
  const name = (found?.[1] ?? found?.[2])?.split('.').at(-1);
  return name !== undefined && created.some((file) => basename(file).replace(/\.[^.]*$/, '') === name);
}

/** Changes of the files of any servers. Texts have `\n` line breaks. */
interface Changes {
  readonly changes: readonly ChangedText[];
  /** True to compare all files that may use what changes until the time is over; otherwise only a few of them. */
  readonly isComplete: boolean;
  /** Those files, if they are known already. */
  readonly users?: readonly string[] | undefined;
}

/**
 * Returns the problems that planned changes would cause in the changed files, and in files that use the declarations on
 * changed lines.
 */
export async function tryChanges(scope: SymbolScope, { changes, ...options }: Changes): Promise<TrialResult> {
  const results: TrialResult[] = [];
  for (const [active, own] of Map.groupBy(changes, ({ path }) => scope.files.sources.serverOf(path))) {
    const written = own.filter(({ after }) => after !== undefined);
    if (active !== undefined && written.length > 0)
      results.push(await tryWith(scope, active, { changes: written, ...options }));
  }
  return {
    tried: results.flatMap(({ tried }) => tried),
    unchecked: results.flatMap(({ unchecked }) => unchecked),
    more: [...new Set(results.flatMap(({ more }) => more))],
  };
}

/** What is left is for the edit itself. */
const wholeShare = 0.9;

/** False if what the server reports about planned changes of files would be wrong. */
export function canTry({ spec }: ActiveServer, paths: readonly string[]): boolean {
  return spec.quirks?.readsHeadersOnDisk !== true || paths.length < 2;
}

async function tryWith(
  scope: SymbolScope,
  active: ActiveServer,
  { changes, isComplete, users }: Changes,
): Promise<TrialResult> {
  const paths = changes.map(({ path }) => path);
  const nothing = { tried: [], unchecked: paths, more: [] };
  if (active.spec.quirks?.noDiagnosticsReason !== undefined) return nothing;
  if (!canTry(active, paths)) return { tried: [], unchecked: [], more: [] };
  const patienceMs = isComplete ? undefined : usualPatienceMs;
  const patience = AbortSignal.timeout(isComplete ? patienceOf(scope.call, wholeShare) : 2 * usualPatienceMs);
  const call = { ...scope.call, signal: AbortSignal.any([scope.call.signal, patience]) };
  try {
    const names = users ? undefined : await changedNames(scope, changes);
    const found = names ? await filesWithNames(scope, active, { names, changed: paths, isComplete }) : undefined;
    const texts = new Map(changes.map(({ path, after = '' }) => [path, after]));
    const using = (users ?? found?.files ?? []).filter((file) => !texts.has(file));
    // It would compile them with the present text of a changed header.
    const isBlind = active.spec.quirks?.readsHeadersOnDisk === true;
    const files = isBlind ? paths : [...paths, ...using];
    const result = await trial({ ...scope, call }, { active, texts, files, patienceMs });
    const unchecked = [...result.unchecked, ...(isBlind ? using : [])];
    return { ...result, unchecked, more: found?.isPartial ? [moreUsers] : result.more };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!patience.aborted && !isExpected(error)) throw error;
    return nothing;
  }
}

/** Describes the files that were not compared; `undefined` if there are none. */
export function describeUnchecked(files: Iterable<string>, more: Iterable<string>): string | undefined {
  const all = [...files];
  const parts = [...(all.length > 0 ? [namedFiles(all)] : []), ...more];
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** Describes files beyond the limit of those that a small edit compares. */
export const moreUsers = 'more files that use what changed';
