import { existsSync } from 'node:fs';
import { basename } from 'node:path/posix';
import { isExpected } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
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
  /** Project-relative paths. */
  readonly files: readonly string[];
  /** Time in ms that the server may take to report the problems of the files. */
  readonly patienceMs?: number;
}

/** The problems of a file without planned changes and with them. */
export interface TriedFile {
  /** Without problems if the file does not exist, or has none with the changes. */
  readonly before: FileProblems;
  readonly after: FileProblems;
}

/** What planned changes would cause. */
export interface TrialResult {
  readonly tried: readonly TriedFile[];
  /** The files whose problems the server did not report in time. */
  readonly unchecked: readonly string[];
}

const usualPatienceMs = 30_000;

/**
 * Returns the problems of files with planned changes and without them, according to the language server, which receives
 * the changed texts for that time. No other session asks it meanwhile. Writes nothing.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function trial(
  scope: SymbolScope,
  { active, texts, files, patienceMs = usualPatienceMs }: Trial,
): Promise<TrialResult> {
  const problemsOf = (paths: readonly string[]) =>
    problemsInTime(scope, paths, { patience: AbortSignal.timeout(patienceMs) });
  const reported = await scope.files.tryTexts(active, scope.call, texts, () => problemsOf(files));
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
  const suspects = after.filter(({ file, problems }) => problems.length > 0 && !created.includes(file));
  const before = suspects.length === 0 ? new Map() : await problemsOf(suspects.map(({ file }) => file));
  const tried = after.flatMap((now): TriedFile[] => {
    const old = suspects.includes(now) ? before.get(now.file) : { file: now.file, text: '', problems: [] };
    return old === undefined ? [] : [{ before: old, after: now }];
  });
  const known = new Set(tried.map((one) => one.after.file));
  return { tried, unchecked: files.filter((file) => !known.has(file)) };
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

/** What planned changes of any files would cause. */
export interface Preview extends TrialResult {
  readonly gaps: readonly Gap[];
}

/**
 * Returns the problems that planned changes would cause in the changed files, and in files that use the declarations on
 * changed lines. Texts have `\n` line breaks.
 */
export async function tryChanges(scope: SymbolScope, changes: readonly ChangedText[]): Promise<Preview> {
  const { sources } = scope.files;
  const tried: TriedFile[] = [];
  const unchecked: string[] = [];
  let hasMoreUsers = false;
  for (const [active, own] of Map.groupBy(changes, ({ path }) => sources.serverOf(path))) {
    const written = own.filter(({ after }) => after !== undefined);
    if (active === undefined || written.length === 0) continue;
    const { isPartial, ...found } = await tryWithUsers(scope, active, written);
    hasMoreUsers ||= isPartial;
    tried.push(...found.tried);
    unchecked.push(...found.unchecked);
  }
  const removed = changes.filter(({ after, path }) => after === undefined && sources.serverOf(path) !== undefined);
  const gaps = [
    ...(hasMoreUsers ? [moreUsersGap] : []),
    ...gapOf(unchecked, 'the language server did not report diagnostics of the planned text'),
    ...gapOf(
      removed.map(({ path }) => path),
      'a language server cannot be shown that a file is removed',
    ),
  ];
  return { tried, unchecked, gaps };
}

async function tryWithUsers(
  scope: SymbolScope,
  active: ActiveServer,
  changes: readonly ChangedText[],
): Promise<TrialResult & { readonly isPartial: boolean }> {
  const paths = changes.map(({ path }) => path);
  const texts = new Map(changes.map(({ path, after }) => [path, after ?? '']));
  const nothing = { tried: [], unchecked: paths, isPartial: false };
  if (active.spec.quirks?.noDiagnosticsReason !== undefined) return nothing;
  const patience = AbortSignal.timeout(usualPatienceMs);
  const call = { ...scope.call, signal: AbortSignal.any([scope.call.signal, patience]) };
  try {
    const users = await filesWithNames(scope, active, { names: await changedNames(scope, changes), changed: paths });
    const found = await trial({ ...scope, call }, { active, texts, files: [...paths, ...users.files] });
    return { ...found, isPartial: users.isPartial };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!patience.aborted && !isExpected(error)) throw error;
    return nothing;
  }
}

const next = 'Call `get_diagnostics_for_file` after the edit';

const moreUsersGap: Gap = {
  missing: 'New problems in more files that use what changed are unknown',
  reason: 'a dry run compares only a few of them',
  next,
};

function gapOf(files: readonly string[], reason: string): Gap[] {
  if (files.length === 0) return [];
  return [{ missing: `New problems in ${namedFiles(files)} are unknown`, reason, next }];
}
