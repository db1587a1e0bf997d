import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { ProposedRename, UncertainOccurrences } from '../../symbols/adapter.ts';
import { hasOneMeaning } from '../../symbols/edits/has-one-meaning.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { preOrder, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { Ledger } from '../../symbols/occurrences/ledger.ts';
import type { Occurrence } from '../../symbols/occurrences/occurrence.ts';
import { tryShow } from '../../symbols/queries/requests.ts';
import { placeAt } from '../../text/place.ts';
import { declaringType, isAlternativeMember, qualifierType } from './dependent-names.ts';

/**
 * clangd renames some names that depend on the parameters of a template, and leaves out others:
 *
 * ```cpp
 * struct Square { double area() const; };
 * template <class Shape>
 * double twice(const Shape &shape) { return 2 * shape.area(); }   // may be `Square::area`
 * ```
 *
 * Returns the occurrences that make a rename doubtful: those that clangd does not resolve and that may be the target, and,
 * if the name has other meanings too, those that it renames although they are members of such a parameter, or of another
 * declaration of the target's template.
 *
 * @throws {ExpectedError} `server.*`, `file.*`.
 */
export async function dependentOccurrences(scope: SymbolScope, rename: ProposedRename): Promise<UncertainOccurrences> {
  const { references, target } = rename;
  if (references === undefined) return { certain: [], doubtful: [] };
  const unresolved = references.unresolved.filter((one) => mayMean(target, one));
  const isCertain = declaringType(target) === undefined || hasOneMeaning(scope, rename, references);
  const guessed = isCertain ? [] : await guessedOccurrences(scope, rename, references);
  return { certain: [], doubtful: [...unresolved, ...guessed] };
}

/** True if an occurrence may be the target by what stands before it: only a member of a type follows any name. */
function mayMean(target: SymbolNode, { qualifier }: Occurrence): boolean {
  return declaringType(target) !== undefined || qualifier === '' || qualifier === `${target.parent?.name ?? ''}::`;
}

/**
 * Returns the occurrences that the server renames although they may be another symbol: members of a template's parameter,
 * for which it took the default, and of a template of which several declarations have such a member.
 */
async function guessedOccurrences(scope: SymbolScope, rename: ProposedRename, { text }: Ledger): Promise<Occurrence[]> {
  const { active, server, name, isRenamed } = rename;
  if (!server.supports('textDocument/typeDefinition')) return [];
  const hasAlternatives = await isDeclaredAgain(scope, rename, text?.files ?? []);
  const guessed: Occurrence[] = [];
  for (const { path: file, places } of text?.files ?? []) {
    const selected = places.flatMap(({ qualifier, ...start }): Occurrence[] => {
      const place = placeAt(file, start, name.length);
      return qualifier !== '' && isRenamed(place) ? [{ ...place, qualifier }] : [];
    });
    const isOwn = scope.files.sources.serverOf(file) === active;
    if (!isOwn || selected.length === 0 || !scope.files.textOf(file).text.includes('template')) continue;
    await server.documents.holding(file, async () => {
      if (!(await tryShow(scope, server, file))) return;
      for (const one of selected) {
        const isGuess =
          (await qualifierType(scope, server, one))?.isParameter === true ||
          (hasAlternatives && (await isDependent(scope, rename, one)));
        if (isGuess) guessed.push(one);
      }
    });
  }
  return guessed;
}

/** True if another declaration of the target's template has a member of its name. */
async function isDeclaredAgain(
  scope: SymbolScope,
  { active, target }: ProposedRename,
  files: IdentifierResult['files'],
): Promise<boolean> {
  for (const { path: file } of files) {
    if (scope.files.sources.serverOf(file) !== active) continue;
    const symbols = preOrder(await scope.files.treeOf(file, scope.call));
    if (symbols.some((one) => isAlternativeMember(one, target))) return true;
  }
  return false;
}

async function isDependent(
  scope: SymbolScope,
  { active, server }: ProposedRename,
  occurrence: Occurrence,
): Promise<boolean> {
  return (await active.spec.adapter?.isDependentName?.(server, occurrence, scope.files.limits(scope.call))) === true;
}
