import { isExpected } from '../../base/errors.ts';
import type { Gap } from '../../base/gap.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { OwnedDiagnostic } from '../../symbols/queries/diagnostics.ts';
import { type FileProblem, isReported } from '../../symbols/queries/new-problems.ts';
import type { Symbols } from '../../symbols/symbols.ts';
import { groupSymbols } from './symbol-entries.ts';

export const severityNames: Readonly<Record<number, string>> = {
  1: 'Error',
  2: 'Warning',
  3: 'Information',
  4: 'Hint',
};

/** Returns diagnostics grouped by file, severity and name path; `<file>` has the diagnostics outside symbols. */
export function groupDiagnostics(found: readonly OwnedDiagnostic[]): unknown {
  return groupBySymbol(found, ({ diagnostic: { message, range, code, source } }) => ({ message, range, code, source }));
}

/** Like {@link groupDiagnostics}, with each diagnostic rendered by `render`. */
export function groupBySymbol(
  found: readonly OwnedDiagnostic[],
  render: (diagnostic: OwnedDiagnostic) => object,
): unknown {
  const entries = found.map((one) => ({
    relative_path: one.file,
    severity: severityName(one.diagnostic.severity),
    owner: one.owner ? namePathOf(one.owner) : '<file>',
    ...render(one),
  }));
  return groupSymbols(entries, { own: ['relative_path', 'severity', 'owner'], children: [] });
}

/** Returns the name of a severity in answers. */
export function severityName(severity: number | undefined): string {
  return severity === undefined ? 'Unknown' : (severityNames[severity] ?? `Severity_${severity}`);
}

/** Problems that an answer lists; a single missing bracket may cause any number. */
export const maxProblems = 20;

/** Returns one line for each problem, up to a limit, and one with the number of the others. Lines are 0-based. */
export function problemLines(problems: readonly FileProblem[]): string[] {
  const lines = problems.slice(0, maxProblems).map(({ file, diagnostic: { range, severity, message } }) => {
    const kind = severity === 1 ? 'error' : 'warning';
    return `  ${file}:${range.start.line}: ${kind}: ${message.replace(/\s+/g, ' ').trim()}`;
  });
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/**
 * Returns the result of a call with the warnings and errors that its edits caused, as the configuration requests it
 * (`report_edit_diagnostics`). With `true` they are part of the result, and files that were not compared are a gap; with
 * `auto` both are notes.
 */
export async function withEditDiagnostics(
  result: unknown,
  symbols: Symbols | undefined,
): Promise<{ value: unknown; gaps: readonly Gap[]; notes: readonly string[] }> {
  if (!symbols || symbols.editProblems.reporting === false) return { value: result, gaps: [], notes: [] };
  const { reporting, changes, uncompared, unnotedProblems } = symbols.editProblems;
  if (reporting === 'auto') return { value: result, gaps: [], notes: problemNotes(unnotedProblems, uncompared) };
  const found = changes.flatMap(({ file, problems }) =>
    (problems?.added ?? []).filter(isReported).map((diagnostic) => ({ file, diagnostic })),
  );
  const shown = await withOwners(found.slice(0, maxProblems), symbols);
  shown.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  const more = found.length - shown.length;
  const value = found.length === 0 ? result : { result, 'diagnostics[warning-or-higher]': groupDiagnostics(shown) };
  return { value, gaps: gapsOf(uncompared), notes: more > 0 ? [`${more} more new problems are not listed`] : [] };
}

function problemNotes(problems: readonly FileProblem[], uncompared: string | undefined): string[] {
  const lines = ['New problems since this edit (0-based lines):', ...problemLines(problems)];
  return [
    ...(problems.length > 0 ? [lines.join('\n')] : []),
    ...(uncompared === undefined ? [] : [`Not checked for new problems: ${uncompared}`]),
  ];
}

/** Returns problems with their symbols, if these are known: the edit is committed, so failures must not hide it. */
async function withOwners(problems: readonly FileProblem[], symbols: Symbols): Promise<OwnedDiagnostic[]> {
  const owned: OwnedDiagnostic[] = [];
  for (const [file, own] of Map.groupBy(problems, (problem) => problem.file)) {
    const diagnostics = own.map(({ diagnostic }) => diagnostic);
    try {
      owned.push(...(await symbols.withOwners(file, diagnostics)));
    } catch (error) {
      if (!isExpected(error)) throw error;
      owned.push(...diagnostics.map((diagnostic) => ({ file, owner: undefined, diagnostic })));
    }
  }
  return owned;
}

function gapsOf(uncompared: string | undefined): Gap[] {
  if (uncompared === undefined) return [];
  return [
    {
      missing: `New problems in ${uncompared} are unknown`,
      reason: 'an edit compares a limited number of files, for a limited time',
      next: 'Call `get_diagnostics_for_file` for them',
    },
  ];
}
