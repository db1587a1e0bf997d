import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { spanOf } from '../model/text-range.ts';

/** Returns the texts of files after edits, by project-relative path. Of two edits at one position the first is made. */
export function textsAfter(scope: SymbolScope, steps: readonly WorkspaceStep[]): Map<string, string> {
  const edits = steps.flatMap((step) => (step.do === 'edit' ? step.edits.map((edit) => ({ ...edit, ...step })) : []));
  const byFile = Map.groupBy(edits, ({ file }) => resolveInProject(scope.files.project, file));
  const texts = new Map<string, string>();
  for (const [file, own] of byFile) {
    const text = textAfter(scope, file, own);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

function textAfter(scope: SymbolScope, file: string, edits: readonly RangeEdit[]): string | undefined {
  const lines = readable(scope, file);
  if (lines === undefined) return undefined;
  const byStart = new Map<number, { start: number; end: number; text: string }>();
  for (const { range, newText } of edits) {
    const span = spanOf(lines, range);
    if (span && !byStart.has(span.start)) byStart.set(span.start, { ...span, text: newText });
  }
  return applyEdits(lines.text, [...byStart.values()], file);
}
