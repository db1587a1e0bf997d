import { counted } from '../../base/counted.ts';
import { namedFiles } from '../../base/gap.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { textLines } from '../../text/text-lines.ts';
import type { SymbolMoveTask } from '../adapter.ts';
import type { SymbolScope } from '../model/scope.ts';
import { spanOf } from '../model/text-range.ts';
import { textSearch } from '../model/text-search.ts';
import { problemsInTime } from '../queries/diagnostics.ts';
import { isAboutCreated, type TrialError, tryEdits } from './edit-trial.ts';
import { keepName, moveRefused } from './moves.ts';

const maxShown = 5;

/** More files would take longer than the move. */
const maxFiles = 100;

/**
 * Asks the language server about the texts that a move leads to, and about the files that contain the name.
 *
 * @throws {ExpectedError} `edit.refused` with the errors that the files do not have now.
 */
export async function requireNoErrors(
  scope: SymbolScope,
  { active, to, target: { symbol }, reExports }: SymbolMoveTask,
  steps: readonly WorkspaceStep[],
): Promise<void> {
  const { name, file: from, range } = symbol;
  const texts = textsAfter(scope, steps);
  const users = (await textSearch(scope, { active, name })?.())?.files ?? [];
  const named = users.map(({ path }) => path).filter((file) => scope.files.sources.serverOf(file) === active);
  const all = [...new Set([...texts.keys(), ...named])];
  const files = all.slice(0, Math.max(maxFiles, texts.size));
  const known = await problemsInTime(scope, [from]);
  const { errors, unchecked } = await tryEdits(scope, { active, texts, files });
  const movedErrors = (known.get(from)?.problems ?? [])
    .filter((one) => range.start.line <= one.range.start.line && one.range.start.line <= range.end.line)
    .map(({ message }) => message);
  const created = steps.flatMap((step) =>
    step.do === 'create' ? [resolveInProject(scope.files.project, step.file)] : [],
  );
  const isMovedError = ({ file, diagnostic }: TrialError) => file === to && movedErrors.includes(diagnostic.message);
  const added = errors.filter((one) => !isMovedError(one) && !isAboutCreated(active, one.diagnostic, created));
  if (added.length > 0) {
    const shown = added.slice(0, maxShown).map(({ file, diagnostic: { range: at, message } }) => {
      return `\`${file}\` ${at.start.line}: ${message.split('\n')[0]?.replace(/\.$/, '') ?? ''}`;
    });
    const more = added.length > maxShown ? `; and ${added.length - maxShown} more` : '';
    const count = counted(added.length, 'new error');
    const reason = `it would cause ${count} (0-based lines of the changed text): ${shown.join('; ')}${more}`;
    throw moveRefused(name, reason, reExports ? undefined : [keepName]);
  }
  const open = [...unchecked, ...all.slice(files.length)];
  if (open.length === 0) return;
  scope.gaps.push({
    missing: `New errors in ${namedFiles(open)} are unknown`,
    reason: 'the language server was not asked, or did not report them in time',
    next: 'Call `get_diagnostics_for_file`',
  });
}

/** Returns the texts that steps lead to, with `\n` line breaks, by project-relative path. */
function textsAfter({ files }: SymbolScope, steps: readonly WorkspaceStep[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const created = new Set(steps.flatMap((step) => (step.do === 'create' ? [step.file] : [])));
  const edits = steps.flatMap((step) => (step.do === 'edit' ? [step] : []));
  for (const [named, own] of Map.groupBy(edits, (step) => step.file)) {
    const file = resolveInProject(files.project, named);
    const lines = created.has(named) ? textLines('') : files.textOf(file);
    const replaced = own.flatMap((step) =>
      step.edits.flatMap(({ range, newText }) => {
        const span = spanOf(lines, range);
        return span === undefined ? [] : [{ ...span, text: newText }];
      }),
    );
    texts.set(file, applyEdits(lines.text, replaced, file));
  }
  return texts;
}
