import type { Location } from '../../lsp/features/locations.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { AllReferences } from '../queries/all-references.ts';
import { keyOf, type ReferencesQuestion } from '../queries/cross-check.ts';

/** A rename, and what the server would change. */
export interface ProposedRename extends Pick<ReferencesQuestion, 'active' | 'server' | 'target' | 'name'> {
  readonly references: AllReferences | undefined;
  /** True for a location that the server would rename. */
  readonly isRenamed: (location: Location) => boolean;
}

/** True if every occurrence that the server resolves is the target or a reference to it. */
export function hasOneMeaning(
  scope: SymbolScope,
  { active, name, isRenamed }: Pick<ProposedRename, 'active' | 'name' | 'isRenamed'>,
  { text, locations, unresolved }: AllReferences,
): boolean {
  const known = new Set([
    ...locations.map(({ path, range }) => keyOf(path, range.start)),
    ...unresolved.map(({ file, range }) => keyOf(scope.files.absolute(file), range.start)),
  ]);
  return (text?.files ?? []).every(({ path: file, places }) => {
    if (scope.files.sources.serverOf(file) !== active) return true;
    const path = scope.files.absolute(file);
    return places.every((place) => known.has(keyOf(path, place)) || isRenamed({ path, range: rangeOf(place, name) }));
  });
}

function rangeOf({ line, character }: Location['range']['start'], name: string): Location['range'] {
  return { start: { line, character }, end: { line, character: character + name.length } };
}
