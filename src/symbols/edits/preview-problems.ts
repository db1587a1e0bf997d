import { isExpected } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { ChangedText } from '../../text/diff.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import { type FileProblem, type FileProblems, isReported } from '../queries/new-problems.ts';
import { changedNames, filesWithNames } from './changed-declarations.ts';
import type { EditScope } from './edit-problems.ts';
import { isAboutCreated } from './edit-trial.ts';

/** What planned changes would cause. */
export interface Preview {
  readonly problems: readonly FileProblem[];
  /** The files that were compared. */
  readonly compared: readonly string[];
  readonly gaps: readonly Gap[];
}

/** Longer than an answer takes, because the server may have to start. */
const patienceMs = 15_000;

/**
 * Returns the problems that planned changes would cause in the changed files, and in files that use the declarations on
 * changed lines. The language servers receive the changed texts for that time, and no other session asks them meanwhile.
 * Writes nothing. Texts have `\n` line breaks.
 */
export async function previewProblems(scope: EditScope, changes: readonly ChangedText[]): Promise<Preview> {
  const { sources } = scope.files;
  const problems: FileProblem[] = [];
  const compared: string[] = [];
  const unknown: string[] = [];
  let hasMoreUsers = false;
  const removed = changes.filter(({ after, path }) => after === undefined && sources.serverOf(path) !== undefined);
  for (const [active, own] of Map.groupBy(changes, ({ path }) => sources.serverOf(path))) {
    const written = own.filter(({ after }) => after !== undefined);
    if (active === undefined || written.length === 0) continue;
    const { found, missing, isPartial } = await previewWith(scope, active, written);
    hasMoreUsers ||= isPartial;
    for (const { file, added } of found) problems.push(...added.map((diagnostic) => ({ file, diagnostic })));
    compared.push(...found.map(({ file }) => file));
    unknown.push(...missing);
  }
  const gaps = [
    ...(hasMoreUsers ? [moreUsersGap] : []),
    ...gapOf(unknown, 'the language server did not report diagnostics of the planned text'),
    ...gapOf(
      removed.map(({ path }) => path),
      'a language server cannot be shown that a file is removed',
    ),
  ];
  return { problems, compared, gaps };
}

interface ComparedFile {
  readonly file: string;
  readonly added: readonly Diagnostic[];
}

async function previewWith(
  scope: EditScope,
  active: ActiveServer,
  changes: readonly ChangedText[],
): Promise<{ found: readonly ComparedFile[]; missing: readonly string[]; isPartial: boolean }> {
  const paths = changes.map(({ path }) => path);
  const texts = new Map(changes.map(({ path, after }) => [path, after ?? '']));
  if (active.spec.quirks?.noDiagnosticsReason !== undefined) return { found: [], missing: paths, isPartial: false };
  const patience = AbortSignal.timeout(2 * patienceMs);
  const call = { ...scope.call, signal: AbortSignal.any([scope.call.signal, patience]) };
  try {
    const users = await filesWithNames(scope, active, { names: await changedNames(scope, changes), changed: paths });
    const files = [...paths, ...users.files];
    const existing = files.filter((file) => changes.every(({ path, before }) => path !== file || before !== undefined));
    const created = paths.filter((path) => !existing.includes(path));
    const before = await problemsInTime(scope, existing, { patienceMs });
    const after = await scope.files.tryTexts(active, call, texts, () => problemsInTime(scope, files, { patienceMs }));
    // A server that was started again has the present texts.
    const isTried = ({ file, text }: FileProblems) => !texts.has(file) || texts.get(file) === text;
    const found = [...after.values()].filter(isTried).flatMap((now) => {
      const old = existing.includes(now.file) ? before.get(now.file) : { file: now.file, text: '', problems: [] };
      if (old === undefined) return [];
      const added = scope.problems
        .added(old, now)
        .filter((one) => isReported(one) && !isAboutCreated(active, one, created));
      return [{ file: now.file, added }];
    });
    const missing = files.filter((path) => !found.some(({ file }) => file === path));
    return { found, missing, isPartial: users.isPartial };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!patience.aborted && !isExpected(error)) throw error;
    return { found: [], missing: paths, isPartial: false };
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
