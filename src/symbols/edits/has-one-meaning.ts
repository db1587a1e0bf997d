import { type Place, placeAt, placeKey } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { AllReferences } from '../queries/all-references.ts';
import type { ReferencesQuestion } from '../queries/cross-check.ts';

/** A rename, and what the server would change. */
export interface ProposedRename extends Pick<ReferencesQuestion, 'active' | 'server' | 'target' | 'name'> {
  readonly references: AllReferences | undefined;
  /** True for a location that the server would rename. */
  readonly isRenamed: (location: Place) => boolean;
}

/** True if every occurrence that the server resolves is the target or a reference to it. */
export function hasOneMeaning(
  scope: SymbolScope,
  { active, name, isRenamed }: Pick<ProposedRename, 'active' | 'name' | 'isRenamed'>,
  { text, locations, unresolved }: AllReferences,
): boolean {
  const known = new Set([...locations, ...unresolved].map(placeKey));
  return (text?.files ?? []).every(({ path: file, places }) => {
    if (scope.files.sources.serverOf(file) !== active) return true;
    return places
      .map((start) => placeAt(file, start, name.length))
      .every((place) => known.has(placeKey(place)) || isRenamed(place));
  });
}
