import { mapConcurrently } from '../../base/concurrent.ts';
import { comparePlaces } from '../../text/place.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import type { HierarchyStep } from '../model/hierarchy-step.ts';
import type { SymbolScope } from '../model/scope.ts';
import { preOrder, type SymbolNode } from '../model/symbol.ts';
import { serverNeighbors, symbolsOf, whyNotListed } from './hierarchy-neighbors.ts';
import { referenceLocations } from './references.ts';
import { isInHeader, isTypeSymbol } from './types-in-header.ts';

/**
 * Returns the direct subtypes of a type, sorted by file and position: those that the server lists, otherwise the types
 * whose headers refer to it. Those references are compared with the text, and what this leaves open becomes a gap.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findSubtypes(scope: SymbolScope, type: SymbolNode): Promise<HierarchyStep> {
  const neighbors = await serverNeighbors(scope, type, 'subtypes');
  if (neighbors !== undefined) return await symbolsOf(scope, neighbors);
  const { files, call } = scope;
  const locations = await referenceLocations(scope, type, { followsAliases: true, missing: 'Subtypes' });
  const own = locations.filter(({ file }) => files.sources.serverOf(file) !== undefined);
  const byFile = [...Map.groupBy(own, ({ file }) => file)];
  const found = await mapConcurrently(byFile, inFlightPerServer, async ([file, uses]) => {
    const types = preOrder(await files.treeOf(file, call)).filter(isTypeSymbol);
    return types.filter((one) => uses.some(({ range }) => isInHeader(scope, one, range.start)));
  });
  const related = found.flat().map((symbol) => ({ symbol, lines: [symbol.selectionRange.start.line] }));
  return {
    related: related.sort((a, b) => comparePlaces(a.symbol, b.symbol)),
    outside: [],
    derivation: `${await whyNotListed(scope, type, 'subtypes')}: the subtypes are the types whose headers refer to \`${type.name}\``,
  };
}
