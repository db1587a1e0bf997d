import { isExpected } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import type { ProblemChange } from '../../symbols/edits/edit-problems.ts';
import type { OwnedDiagnostic } from '../../symbols/queries/diagnostics.ts';
import type { Symbols } from '../../symbols/symbols.ts';
import { groupDiagnostics } from './group-diagnostics.ts';

/** Errors and warnings are reported; information and hints concern style. */
const leastSevere = 2;

/**
 * Returns the result of a call with what its edits broke, if the configuration requests it (`report_edit_diagnostics`):
 * the warnings and errors in each edited file that did not exist before. Files without known diagnostics are gaps.
 */
export async function withEditDiagnostics(
  result: unknown,
  symbols: Symbols | undefined,
): Promise<{ value: unknown; gaps: readonly Gap[] }> {
  if (!symbols?.editProblems.comparesAll) return { value: result, gaps: [] };
  const { changes } = symbols.editProblems;
  const found: OwnedDiagnostic[] = [];
  for (const change of changes) found.push(...(await brokenBy(change, symbols)));
  found.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  const value = found.length === 0 ? result : { result, 'diagnostics[warning-or-higher]': groupDiagnostics(found) };
  return { value, gaps: gapsOf(changes) };
}

/** Returns diagnostics with their symbols, if these are known: the edit is committed, so failures must not hide it. */
async function brokenBy({ file, problems }: ProblemChange, symbols: Symbols): Promise<OwnedDiagnostic[]> {
  const broken = problems?.added.filter(({ severity }) => (severity ?? leastSevere) <= leastSevere) ?? [];
  try {
    return await symbols.withOwners(file, broken);
  } catch (error) {
    if (!isExpected(error)) throw error;
    return broken.map((diagnostic) => ({ file, owner: undefined, diagnostic }));
  }
}

function gapsOf(changes: readonly ProblemChange[]): Gap[] {
  const unknown = changes.flatMap(({ file, problems }) => (problems === undefined ? [file] : []));
  if (unknown.length === 0) return [];
  return [
    {
      missing: `New problems in ${namedFiles(unknown)} are unknown`,
      reason: 'the language server published no diagnostics in time',
      next: 'Call `get_diagnostics_for_file` for it',
    },
  ];
}
