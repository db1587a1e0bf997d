import { ownTool } from '../../scip/message.ts';
import { comparePlaces, type Place, placeKey } from '../../text/place.ts';
import { referencingSymbol } from '../model/at-position.ts';
import { acceptsKind, type KindFilter } from '../model/kinds.ts';
import { readable } from '../model/scope.ts';
import { nameKey, type SymbolNode } from '../model/symbol.ts';
import {
  currentPlace,
  type ImportedSymbol,
  importedSymbol,
  noteIndex,
  reportUndecided,
  treeOf,
} from './imported-symbols.ts';
import type { NamedScope } from './named-references.ts';
import { keepProjectLocations } from './project-locations.ts';
import type { Reference } from './references.ts';

/**
 * Returns the references to a symbol that an imported index has, with their containers from syntax trees; `undefined` if no
 * index has the symbol. A document counts only if it is about the present content of its file. Occurrences of the name
 * that the index does not decide become a gap.
 */
export async function importedReferences(
  scope: NamedScope,
  target: SymbolNode,
  { kinds }: { kinds: KindFilter },
): Promise<{ readonly references: readonly Reference[] } | undefined> {
  const imported = importedSymbol(scope, target);
  if (imported === undefined) return undefined;
  const { index } = imported;
  noteIndex(scope, index);
  const own = await keepProjectLocations(scope, referencesIn(scope, imported, target));
  await reportUndecided(scope, { target, index, own, missing: 'References' });
  const references = await withContainers(scope, own);
  return { references: references.filter(({ symbol }) => acceptsKind(kinds, symbol.kind)) };
}

/** Returns the references in files that have not changed, sorted, without the name of the target itself. */
function referencesIn(scope: NamedScope, { index, symbols }: ImportedSymbol, target: SymbolNode): Place[] {
  const own = new Map<string, Place>();
  // Our own indexes list each reference at all symbols that it means.
  const meant = index.tool.name === ownTool ? symbols : index.withReferring(symbols);
  for (const symbol of meant) {
    for (const found of index.placesOf(symbol)) {
      if (found.isDefinition && symbols.includes(symbol)) continue;
      const place = currentPlace(scope, found);
      if (place !== undefined) own.set(placeKey(place), place);
    }
  }
  own.delete(nameKey(target));
  return [...own.values()].sort(comparePlaces);
}

async function withContainers(scope: NamedScope, places: readonly Place[]): Promise<Reference[]> {
  const references: Reference[] = [];
  for (const [file, own] of Map.groupBy(places, (place) => place.file)) {
    const text = readable(scope, file);
    if (text === undefined) continue;
    const tree = await treeOf(scope, file);
    for (const { range } of own)
      references.push({ symbol: referencingSymbol({ file, text, tree }, range), range, text });
  }
  return references;
}
