import { comparePlaces, placeKey } from '../../text/place.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { acceptsKind, type KindFilter, kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { currentPlace, importedSymbol, noteIndex, reportUndecided, treeOf } from './imported-symbols.ts';
import type { NamedScope } from './named-references.ts';
import { keepProjectLocations } from './project-locations.ts';

/**
 * Returns the implementations of a symbol that an imported index has; `undefined` if no index has the symbol. Occurrences of
 * the name in files that the index does not cover become a gap: each may be in an implementation.
 */
export async function importedImplementations(
  scope: NamedScope,
  target: SymbolNode,
  options: { kinds: KindFilter },
): Promise<SymbolNode[] | undefined> {
  const imported = importedSymbol(scope, target);
  if (imported === undefined) return undefined;
  const { index, symbols } = imported;
  noteIndex(scope, index);
  const listed = symbols
    .flatMap((symbol) => index.implementationsOf(symbol))
    .flatMap((symbol) => index.placesOf(symbol))
    .flatMap((found) => (found.isDefinition ? (currentPlace(scope, found) ?? []) : []));
  const distinct = [...new Map(listed.map((place) => [placeKey(place), place])).values()];
  const own = (await keepProjectLocations(scope, distinct)).sort(comparePlaces);
  const found: SymbolNode[] = [];
  for (const [file, places] of Map.groupBy(own, (place) => place.file)) {
    const starts = places.map(({ range }) => range.start);
    found.push(...symbolsNamedAt(await treeOf(scope, file), starts));
  }
  // Where types implement an interface without naming it, each has its methods.
  const { hasImplicitInterfaces } = scope.files.sources.requireServer(target.file).spec.quirks ?? {};
  const method = target.children.find(({ kind }) => kind === kinds.method);
  const named = (hasImplicitInterfaces && method) || target;
  await reportUndecided(scope, { target: named, index, own, missing: 'Implementations', mayDeclare: true });
  return found.filter(({ kind }) => acceptsKind(options.kinds, kind));
}

export function importedDocumentation(scope: SymbolScope, symbol: SymbolNode): string | undefined {
  const imported = importedSymbol(scope, symbol);
  if (imported === undefined) return undefined;
  const text = imported.symbols.flatMap((id) => imported.index.documentationOf(id) ?? [])[0];
  if (text !== undefined) noteIndex(scope, imported.index);
  return text;
}
