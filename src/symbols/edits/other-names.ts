import { relativeWithin } from '../../base/paths.ts';
import { comparePositions, type Position } from '../../lsp/documents/ranges.ts';
import type { FilePosition, Location } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { SymbolScope } from '../model/scope.ts';
import { textAt } from './text-at.ts';

const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/**
 * Returns where the steps of a rename give the new name to something with another name: clangd 22 also renames `N` in
 * `template <axis_t N> const axis_t axis_to_type<N>::axis = N;` if `axis_t` is renamed. Names that differ in case only
 * count as equal, because some languages ignore it.
 */
export function otherNames(
  scope: SymbolScope,
  steps: readonly WorkspaceStep[],
  { name, place }: { readonly name: string; readonly place: FilePosition },
): Location[] {
  const edited = steps.flatMap((step) =>
    step.do === 'edit' ? step.edits.map((edit) => ({ ...edit, path: step.path })) : [],
  );
  const isDeclaration = (path: string, start: Position) =>
    path === place.path && comparePositions(start, place.position) === 0;
  const newName = edited.find(({ path, range }) => isDeclaration(path, range.start))?.newText;
  return edited.flatMap(({ path, range, newText }) => {
    const file = relativeWithin(scope.files.project.root, path);
    const old = newText !== newName || file === undefined ? undefined : textAt(scope, { file, range });
    const isOther = old !== undefined && identifier.test(old) && old.toLowerCase() !== name.toLowerCase();
    return isOther ? [{ path, range }] : [];
  });
}
