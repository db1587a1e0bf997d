import { posix } from 'node:path';
import type { Range } from '../../lsp/documents/ranges.ts';
import type { Location } from '../../lsp/features/locations.ts';
import { isMemberKind } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import type { AllReferences } from '../queries/all-references.ts';
import { keyOf, type ReferencesQuestion } from '../queries/cross-check.ts';
import type { Occurrence } from '../queries/resolve-occurrences.ts';

/** A rename, and what the server would change. */
interface Renaming extends Pick<ReferencesQuestion, 'active' | 'target' | 'name'> {
  readonly references: AllReferences | undefined;
  /** True for a location that the server would rename. */
  readonly isRenamed: (location: Location) => boolean;
}

/** Qualifiers of names in the same package. */
const ownPackage: readonly string[] = ['crate', '$crate', 'self', 'super'];

/**
 * Returns the occurrences that the server does not resolve because it does not analyze the code around them, and that
 * can only mean the target of a rename: everywhere else in the project's code the name means the target, and what is
 * written before it leads to the target's file, type or package. Empty unless the server's data declares such code.
 */
export function unanalyzedOccurrences(scope: SymbolScope, renaming: Renaming): Occurrence[] {
  const { active, references, target } = renaming;
  if (active.spec.quirks?.leavesCodeUnanalyzed !== true || references?.text === undefined) return [];
  const { unresolved, unchecked, unread } = references;
  if (unresolved.length === 0 || unchecked.length > 0 || unread.length > 0) return [];
  if (!hasOneMeaning(scope, renaming, references)) return [];
  const owners = ownersOf(target);
  return unresolved.filter(({ qualifier }) => {
    if (qualifier === '') return !isMemberKind(target.kind);
    return qualifier.endsWith('::') && owners.has(qualifier.slice(0, -2));
  });
}

/** True if every occurrence that the server resolves is the target or a reference to it. */
function hasOneMeaning(
  scope: SymbolScope,
  { active, name, isRenamed }: Renaming,
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

/** Returns the names through which code reaches the target: its package, file, directory and containing symbol. */
function ownersOf({ file, parent, kind }: SymbolNode): ReadonlySet<string> {
  const { name: stem, dir } = posix.parse(file);
  // `impl<T> Trait for Type<T>` is for the last name in front of its arguments.
  const container = parent === undefined ? undefined : /([\p{L}\p{N}_]+)(?:<.*>)?$/u.exec(parent.name)?.[1];
  const inside = container === undefined ? [] : [container, 'Self'];
  return new Set(isMemberKind(kind) ? inside : [...ownPackage, stem, posix.basename(dir), ...inside]);
}

function rangeOf({ line, character }: { line: number; character: number }, name: string): Range {
  return { start: { line, character }, end: { line, character: character + name.length } };
}
