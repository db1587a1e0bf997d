import { type RangeEdit, requestRename } from '../../lsp/features/rename.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { isInImport } from '../../text/identifiers.ts';
import { lineStarts } from '../../text/lines.ts';
import { offsetAt, positionAt } from '../../text/position.ts';

/**
 * tsserver 6.0 keeps the public name of a renamed import or export: `export { a }` becomes `export { b as a }`, and
 * after renaming back `export { a as a }`. Here an alias that equals its name is reduced to the name. Covered by
 * "renames there and back" of the refactorings.
 */
export const renameWithPlainAliases: NonNullable<Quirks['rename']> = async (server, request, limits) => {
  const steps = await requestRename(server, request, limits);
  return steps.map((step) => {
    if (step.do !== 'edit') return step;
    const text = server.documents.textOf(step.path);
    const starts = lineStarts(text);
    const edits = step.edits.map((edit) => withoutAlias(edit, { text, starts, name: request.newName }));
    // Of an overloaded function, both names of `b as a` may be renamed, and both edits then cover the whole of it.
    const byRange = new Map(edits.map((edit) => [JSON.stringify(edit.range), edit]));
    return { ...step, edits: [...byRange.values()] };
  });
};

function withoutAlias(
  edit: RangeEdit,
  { text, starts, name }: { text: string; starts: readonly number[]; name: string },
): RangeEdit {
  const start = offsetAt(text, starts, edit.range.start);
  const end = offsetAt(text, starts, edit.range.end);
  if (start === undefined || end === undefined || edit.newText !== name || !isInImport(text, start)) return edit;
  const after = /^\s+as\s+([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(text.slice(end, end + 200));
  if (after?.[1] === name) return covering({ start, end: end + after[0].length });
  const before = /([\p{L}_$][\p{L}\p{N}_$]*)\s+as\s+$/u.exec(text.slice(Math.max(0, start - 200), start));
  return before?.[1] === name ? covering({ start: start - before[0].length, end }) : edit;

  function covering(span: { start: number; end: number }): RangeEdit {
    const range = { start: positionAt(text, starts, span.start), end: positionAt(text, starts, span.end) };
    return { range, newText: name };
  }
}
