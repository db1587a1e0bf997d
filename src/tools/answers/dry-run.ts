import { counted } from '../../base/counted.ts';
import { type ReadChange, readChange } from '../../edits/read-change.ts';
import type { FileProblem } from '../../symbols/queries/new-problems.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';
import type { BareContext, Output, SymbolsContext } from '../tool.ts';
import { problemLines } from './problem-lines.ts';

/**
 * Runs an edit without writing anything. Returns the changes that it plans as a unified diff, and the problems that they
 * would cause; the edit's own result if it plans none.
 *
 * @throws {ExpectedError} what the edit throws.
 */
export async function dryRun(
  { project, edits, symbols }: BareContext & Partial<SymbolsContext>,
  edit: () => Promise<Output>,
): Promise<Output> {
  if (project === undefined || edits === undefined || symbols === undefined) throw new Error('edits need a project');
  const ran = await edits.collecting(edit);
  const changes = edits.changes.map((change) => readChange(change, project.config.encoding));
  if (changes.length === 0) return ran;
  const { problems, compared, gaps } = await symbols.preview(changes.filter(({ isText }) => isText));
  const header = `Nothing was changed. The edit would change ${counted(changes.length, 'file')}:`;
  const found = resultLines(problems, compared);
  const names = () => changes.map(({ path }) => path).join('\n');
  return {
    value: [header, ...changes.map(diffOf), ...found].join('\n'),
    shorter: [() => [header, names(), ...found].join('\n'), () => [header, ...found].join('\n')],
    gaps: [...(ran.gaps ?? []), ...gaps],
    notes: ran.notes ?? [],
  };
}

function diffOf(change: ReadChange): string {
  if (!change.isText) return `Binary file ${change.path} differs`;
  return unifiedDiff(change)?.trimEnd() ?? `--- a/${change.path}\n+++ b/${change.path}\n(too many changes to show)`;
}

function resultLines(problems: readonly FileProblem[], compared: readonly string[]): string[] {
  if (compared.length === 0) return [];
  if (problems.length === 0) return [`No new problems in ${counted(compared.length, 'compared file')}.`];
  return ['New problems (0-based lines of the changed text):', ...problemLines(problems)];
}
