import { type Location, requestDefinition } from '../../lsp/features/locations.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { isMemberKind } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { keyOf, type ReferencesQuestion } from './cross-check.ts';
import { tryShow } from './try-show.ts';

/**
 * Returns those of the locations, which a server lists as references or would rename, that it leads to another place of
 * the name in their file: to a variable, as after `let name = name();`. Empty unless the server's data declares this.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function usesOfVariables(
  scope: SymbolScope,
  { active, server, target, place, text }: ReferencesQuestion,
  listed: readonly Location[],
): Promise<Location[]> {
  if (active.spec.quirks?.listsVariables !== true || isMemberKind(target.kind) || text === undefined) return [];
  const known = new Set([
    keyOf(place.path, place.position),
    ...listed.map(({ path, range }) => keyOf(path, range.start)),
  ]);
  const found: Location[] = [];
  for (const { path: file, places } of (await text()).files) {
    const path = scope.files.absolute(file);
    const open = places.filter((one) => !known.has(keyOf(path, one)));
    const here = open.length === 0 ? [] : listed.filter((location) => location.path === path);
    if (here.length === 0 || !(await tryShow(scope, server, file))) continue;
    // Servers list no variables of functions as symbols.
    const tree = await scope.files.treeOf(file, scope.call);
    const symbols = new Set(symbolsNamedAt(tree, open).map(({ selectionRange }) => keyOf(path, selectionRange.start)));
    const variables = new Set(open.map((one) => keyOf(path, one)).filter((key) => !symbols.has(key)));
    for (const location of here) {
      const at = { path, position: location.range.start };
      const { locations } = await requestDefinition(server, at, scope.files.limits(scope.call));
      if (locations.length > 0 && locations.every((one) => variables.has(keyOf(one.path, one.range.start)))) {
        found.push(location);
      }
    }
  }
  return found;
}
