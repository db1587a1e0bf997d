import { placeAt, placeKey } from '../../text/place.ts';
import type { ProposedRename } from '../adapter.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { Ledger } from '../occurrences/ledger.ts';

/** True if every occurrence that the server resolves is the target or a reference to it. */
export function hasOneMeaning(
  scope: SymbolScope,
  { active, name, isRenamed }: Pick<ProposedRename, 'active' | 'name' | 'isRenamed'>,
  { text, own, unresolved }: Ledger,
): boolean {
  const known = new Set([...own, ...unresolved].map(placeKey));
  return (text?.files ?? []).every(({ path: file, places }) => {
    if (scope.files.sources.serverOf(file) !== active) return true;
    return places
      .map((start) => placeAt(file, start, name.length))
      .every((place) => known.has(placeKey(place)) || isRenamed(place));
  });
}
