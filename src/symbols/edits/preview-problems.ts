import { isExpected } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { type ChangedText, removedLines } from '../../text/unified-diff.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import { type FileProblems, newProblems } from '../queries/new-problems.ts';

/** A problem that planned changes would cause; its range is that of the changed text. */
export interface PreviewedProblem {
  /** Project-relative path with `/`. */
  readonly file: string;
  readonly diagnostic: Diagnostic;
}

/** What planned changes would cause. */
export interface Preview {
  readonly problems: readonly PreviewedProblem[];
  /** The files that were compared. */
  readonly compared: readonly string[];
  readonly gaps: readonly Gap[];
}

/** Declarations whose uses are compared, and files with such uses. */
const limits = { names: 5, files: 8 };

/** Longer than an answer takes, because the server may have to start. */
const patienceMs = 15_000;

/** Errors and warnings are reported; information and hints concern style. */
const leastSevere = 2;

/**
 * Returns the problems that planned changes would cause in the changed files, and in files that use the declarations on
 * changed lines. The language servers receive the changed texts for that time, and no other session asks them meanwhile.
 * Writes nothing. Texts have `\n` line breaks.
 */
export async function previewProblems(scope: SymbolScope, changes: readonly ChangedText[]): Promise<Preview> {
  const { sources } = scope.files;
  const problems: PreviewedProblem[] = [];
  const compared: string[] = [];
  const unknown: string[] = [];
  const removed = changes.filter(({ after, path }) => after === undefined && sources.serverOf(path) !== undefined);
  for (const [active, own] of Map.groupBy(changes, ({ path }) => sources.serverOf(path))) {
    const written = own.filter(({ after }) => after !== undefined);
    if (active === undefined || written.length === 0) continue;
    const { found, missing } = await previewWith(scope, active, written);
    for (const { file, added } of found) problems.push(...added.map((diagnostic) => ({ file, diagnostic })));
    compared.push(...found.map(({ file }) => file));
    unknown.push(...missing);
  }
  const gaps = [
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
  scope: SymbolScope,
  active: ActiveServer,
  changes: readonly ChangedText[],
): Promise<{ found: readonly ComparedFile[]; missing: readonly string[] }> {
  const paths = changes.map(({ path }) => path);
  const texts = new Map(changes.map(({ path, after }) => [path, after ?? '']));
  if (active.spec.quirks?.noDiagnosticsReason !== undefined) return { found: [], missing: paths };
  const patience = AbortSignal.timeout(2 * patienceMs);
  const call = { ...scope.call, signal: AbortSignal.any([scope.call.signal, patience]) };
  try {
    const files = [...paths, ...(await usersOf(scope, active, changes))];
    const existing = files.filter((file) => changes.every(({ path, before }) => path !== file || before !== undefined));
    const before = await problemsInTime(scope, existing, { patienceMs });
    const after = await scope.files.tryTexts(active, call, texts, () => problemsInTime(scope, files, { patienceMs }));
    // A server that was started again has the present texts.
    const isTried = ({ file, text }: FileProblems) => !texts.has(file) || texts.get(file) === text;
    const found = [...after.values()].filter(isTried).flatMap((now) => {
      const old = existing.includes(now.file) ? before.get(now.file) : { file: now.file, text: '', problems: [] };
      const isShown = ({ severity }: Diagnostic) => (severity ?? leastSevere) <= leastSevere;
      return old === undefined ? [] : [{ file: now.file, added: newProblems(old, now).filter(isShown) }];
    });
    return { found, missing: files.filter((path) => !found.some(({ file }) => file === path)) };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!patience.aborted && !isExpected(error)) throw error;
    return { found: [], missing: paths };
  }
}

/** Returns other files with the names that are declared on changed lines. */
async function usersOf(scope: SymbolScope, active: ActiveServer, changes: readonly ChangedText[]): Promise<string[]> {
  const names = new Set<string>();
  for (const { path, before, after } of changes) {
    if (before === undefined) continue;
    const lines = removedLines(before, after ?? '');
    for (const name of declaredOn(lines, await scope.files.treeOf(path, scope.call))) names.add(name);
  }
  const { project, sources } = scope.files;
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const found = new Set<string>();
  for (const literal of [...names].slice(0, limits.names)) {
    const users = await project.scanner.filesContaining({ ...walk, literal }, scope.call.signal);
    for (const { path } of users) if (sources.serverOf(path) === active) found.add(path);
  }
  for (const { path } of changes) found.delete(path);
  return [...found].slice(0, limits.files);
}

function declaredOn(lines: ReadonlySet<number>, nodes: readonly SymbolNode[]): string[] {
  return nodes.flatMap(({ name, selectionRange, children }) => [
    ...(lines.has(selectionRange.start.line) && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? [name] : []),
    ...declaredOn(lines, children),
  ]);
}

function gapOf(files: readonly string[], reason: string): Gap[] {
  if (files.length === 0) return [];
  const next = 'Call `get_diagnostics_for_file` after the edit';
  return [{ missing: `New problems in ${namedFiles(files)} are unknown`, reason, next }];
}
