import { requestDefinition } from '../../lsp/features/locations.ts';
import { keyAt, type Place, placeKey } from '../../text/place.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { isMemberKind } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey } from '../model/symbol.ts';
import type { ReferencesQuestion } from './cross-check.ts';
import { tryShow } from './requests.ts';

/**
 * Returns those of the locations, which a server lists as references or would rename, that it leads to another place of
 * the name in their file: to a variable, as after `let name = name();`. Empty unless the server's data declares this.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function usesOfVariables(
  scope: SymbolScope,
  { active, server, target, text }: ReferencesQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  if (active.spec.adapter?.listsVariables !== true || isMemberKind(target.kind) || text === undefined) return [];
  const known = new Set([nameKey(target), ...listed.map(placeKey)]);
  const found: Place[] = [];
  for (const { path: file, places } of (await text()).files) {
    const open = places.filter((one) => !known.has(keyAt(file, one)));
    const here = open.length === 0 ? [] : listed.filter((location) => location.file === file);
    if (here.length === 0 || !(await tryShow(scope, server, file))) continue;
    // Servers list no variables of functions as symbols.
    const tree = await scope.files.treeOf(file, scope.call);
    const symbols = new Set(symbolsNamedAt(tree, open).map(nameKey));
    const variables = new Set(open.map((one) => keyAt(file, one)).filter((key) => !symbols.has(key)));
    for (const location of here) {
      const { locations } = await requestDefinition(server, location, scope.files.limits(scope.call));
      if (locations.length > 0 && locations.every((one) => variables.has(placeKey(one)))) {
        found.push(location);
      }
    }
  }
  return found;
}
