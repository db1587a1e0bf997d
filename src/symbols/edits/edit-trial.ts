import { basename } from 'node:path/posix';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SymbolScope } from '../model/scope.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import { type FileProblems, newProblems } from '../queries/new-problems.ts';

/** Planned changes, and the files in which they may cause errors. */
interface EditTrial {
  readonly active: ActiveServer;
  /** New texts with `\n` line breaks, by project-relative path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Project-relative paths. */
  readonly files: readonly string[];
  /** Time in ms that the server may take to report the errors of the files. */
  readonly patienceMs?: number;
}

/** An error of the language server; the range is that of the changed text. */
export interface TrialError {
  /** Project-relative path with `/`. */
  readonly file: string;
  readonly diagnostic: Diagnostic;
}

/** What planned changes would cause. */
interface TrialResult {
  /** Errors that the files do not have now. */
  readonly errors: readonly TrialError[];
  /** The files whose errors the server did not report in time. */
  readonly unchecked: readonly string[];
}

const usualPatienceMs = 30_000;

/**
 * Returns the errors that planned changes would cause, according to the language server, which receives the changed
 * texts for that time. Writes nothing.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function tryEdits(
  scope: SymbolScope,
  { active, texts, files, patienceMs = usualPatienceMs }: EditTrial,
): Promise<TrialResult> {
  const problemsOf = (paths: readonly string[]) =>
    problemsInTime(scope, paths, { patienceMs: patienceMs / Math.max(1, Math.ceil(paths.length / 4)) });
  const after = await scope.files.tryTexts(active, scope.call, texts, () => problemsOf(files));
  // A server that was started again has the present texts.
  const isTried = ({ file, text }: FileProblems) => !texts.has(file) || texts.get(file) === text;
  const checked = [...after.values()].filter(isTried);
  const unchecked = files.filter((file) => !checked.some((one) => one.file === file));
  const suspects = checked.filter(({ problems }) => problems.some(isError));
  if (suspects.length === 0) return { errors: [], unchecked };
  const before = await problemsOf(suspects.map(({ file }) => file));
  const errors = suspects.flatMap((now) => {
    const known = before.get(now.file);
    return known === undefined ? [] : addedErrors(known, now).map((diagnostic) => ({ file: now.file, diagnostic }));
  });
  return { errors, unchecked: [...unchecked, ...suspects.map(({ file }) => file).filter((file) => !before.has(file))] };
}

/** Messages are not compared: they may contain a name that the change replaces. */
function addedErrors(before: FileProblems, after: FileProblems): Diagnostic[] {
  const errorsIn = (found: FileProblems) => ({ ...found, problems: found.problems.filter(isError) });
  return newProblems(errorsIn(before), errorsIn(after), () => '');
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 1;
}

/**
 * True if a diagnostic of planned texts is about an import of a file that they create: some servers look for modules on
 * disk only. Paths are project-relative.
 */
export function isAboutCreated(
  { spec: { adapter } }: ActiveServer,
  { message }: Diagnostic,
  created: readonly string[],
): boolean {
  const found = adapter?.missingModule?.exec(message);
  const name = (found?.[1] ?? found?.[2])?.split('.').at(-1);
  return name !== undefined && created.some((file) => basename(file).replace(/\.[^.]*$/, '') === name);
}
