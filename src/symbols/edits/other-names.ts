import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { isOutside, isSamePlace, type Place } from '../../text/place.ts';
import type { ReferencesQuestion } from '../ledger.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { namePlace } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';

const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const part = /[\p{L}\p{N}_$@]/u;

/**
 * Returns where the steps of a rename give the new name to something with another name: clangd 22 also renames `N` in
 * `template <axis_t N> const axis_t axis_to_type<N>::axis = N;` if `axis_t` is renamed. Names that differ only in
 * case, spaces and underscores count as equal, because Robot Framework and Nim ignore them. A part of a name is none:
 * the server counts columns differently.
 */
export function otherNames(
  scope: SymbolScope,
  steps: readonly WorkspaceStep[],
  { name, target }: Pick<ReferencesQuestion, 'name' | 'target'>,
): Place[] {
  const edited = steps.flatMap((step) =>
    step.do === 'edit' ? step.edits.map((edit) => ({ ...edit, file: step.file })) : [],
  );
  const newName = edited.find((edit) => isSamePlace(edit, namePlace(target)))?.newText;
  return edited.filter((edit) => {
    const old = edit.newText !== newName || isOutside(edit) ? undefined : identifierAt(scope, edit);
    return old !== undefined && withoutStyle(old) !== withoutStyle(name);
  });
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_]/g, '');
}

/** Returns the identifier that a range covers; `undefined` if it covers something else, or a part of one. */
function identifierAt(scope: SymbolScope, { file, range }: Place): string | undefined {
  // The server may still know a deleted file, and planning the edit reports it.
  const lines = readable(scope, file);
  const span = lines && spanOf(lines, range);
  if (lines === undefined || span === undefined) return undefined;
  const { text } = lines;
  if (part.test(text[span.start - 1] ?? '') || part.test(text[span.end] ?? '')) return undefined;
  const covered = text.slice(span.start, span.end);
  return identifier.test(covered) ? covered : undefined;
}
