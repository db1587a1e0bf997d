import { isExpected } from '../../base/errors.ts';
import type { Gap } from '../../base/gap.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { OwnedDiagnostic } from '../../symbols/queries/diagnostics.ts';
import { type FileProblem, isReported } from '../../symbols/queries/new-problems.ts';
import type { Symbols } from '../../symbols/symbols.ts';
import type { Output } from '../tool.ts';
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

export function severityName(severity: number | undefined): string {
  return severity === undefined ? 'Unknown' : (severityNames[severity] ?? `Severity_${severity}`);
}

/** Problems that an answer lists; a single missing bracket may cause any number. */
export const maxProblems = 20;

/** How the reader of an answer names lines and files. */
interface LineReader {
  /** Number of a file's first line. */
  readonly firstLine: 0 | 1;
  shown(path: string): string;
}

/** Returns one line for each problem, up to a limit, and one with the number of the others. */
export function problemLines(
  problems: readonly FileProblem[],
  { firstLine, shown }: LineReader = { firstLine: 0, shown: (path) => path },
): string[] {
  const lines = problems.slice(0, maxProblems).map(({ file, diagnostic: { range, severity, message } }) => {
    const kind = severity === 1 ? 'error' : 'warning';
    return `  ${shown(file)}:${range.start.line + firstLine}: ${kind}: ${message.replace(/\s+/g, ' ').trim()}`;
  });
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/**
 * Returns the result of a call with the warnings and errors that its edits caused, as the configuration requests it
 * (`report_edit_diagnostics`), and with notes about them. With `true` they are part of the result, and files that were not
 * compared are a gap; otherwise these are named in the first line.
 */
export async function withEditDiagnostics(output: Output, symbols: Symbols | undefined): Promise<Output> {
  const { value, shorter = [] } = output;
  if (symbols === undefined) return { value, shorter };
  const { reporting, changes, uncompared, unnotedProblems } = symbols.editProblems;
  if (reporting !== true) {
    const notes = reporting === 'auto' ? problemNotes(unnotedProblems) : [];
    return { ...withUncompared({ value, shorter }, uncompared), notes };
  }
  const found = changes.flatMap(({ after: { file }, added }) =>
    added.filter(isReported).map((diagnostic) => ({ file, diagnostic })),
  );
  const shown = await withOwners(found.slice(0, maxProblems), symbols);
  shown.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  const more = found.length - shown.length;
  const whole =
    found.length === 0 ? value : { result: value, 'diagnostics[warning-or-higher]': groupDiagnostics(shown) };
  const notes = more > 0 ? [`${more} more new problems are not listed`] : [];
  return { value: whole, shorter, gaps: gapsOf(uncompared), notes };
}

function problemNotes(problems: readonly FileProblem[]): string[] {
  if (problems.length === 0) return [];
  return [['New problems since this edit (0-based lines):', ...problemLines(problems)].join('\n')];
}

/** Returns the result of an edit with the files that were not checked for new problems in its first line, if there are any. */
export function withUncompared({ value, shorter = [] }: Output, uncompared: string | undefined): Output {
  if (uncompared === undefined) return { value, shorter };
  const part = `not checked for new problems: ${uncompared}`;
  const named = (text: string) => text.replace(/[.:]?(?=\n|$)/, (end) => `; ${part}${end}`);
  function* all(): Iterable<() => string> {
    for (const render of shorter) yield () => named(render());
  }
  return { value: typeof value === 'string' ? named(value) : value, shorter: all(), isIncomplete: true };
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
