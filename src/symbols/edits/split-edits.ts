import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import { isOutside } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { spanOf } from '../model/text-range.ts';

const words = /[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$]+/gu;

/**
 * Returns the steps with one edit for each changed word: jdtls replaces everything from the first to the last one of a
 * file. Edits that change more than words stay as they are.
 */
export function splitEdits(scope: SymbolScope, steps: readonly WorkspaceStep[]): WorkspaceStep[] {
  return steps.map((step) => {
    const lines = step.do === 'edit' ? linesOf(scope, step.file) : undefined;
    return step.do !== 'edit' || lines === undefined
      ? step
      : { ...step, edits: step.edits.flatMap((edit) => changedWords(lines, edit)) };
  });
}

function changedWords(lines: TextLines, edit: RangeEdit): RangeEdit[] {
  const { text, starts } = lines;
  const span = spanOf(lines, edit.range);
  const before = span && text.slice(span.start, span.end).match(words);
  const after = edit.newText.replaceAll('\r\n', '\n').match(words);
  if (!span || !before || before.length !== after?.length) return [edit];
  const found: RangeEdit[] = [];
  let offset = span.start;
  for (const [index, word] of before.entries()) {
    const newText = after[index] ?? word;
    const end = offset + word.length;
    if (newText !== word)
      found.push({ range: { start: positionAt(text, starts, offset), end: positionAt(text, starts, end) }, newText });
    offset = end;
  }
  return found;
}

function linesOf(scope: SymbolScope, file: string): TextLines | undefined {
  // An edit of a file that cannot be read fails where it is planned.
  return isOutside({ file }) ? undefined : readable(scope, file);
}
