import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import type { AllReferences } from '../queries/all-references.ts';
import { qualifierType } from '../queries/qualifier-type.ts';
import type { Occurrence } from '../queries/resolve-occurrences.ts';
import { tryShow } from '../queries/try-show.ts';
import { hasOneMeaning, type ProposedRename } from './has-one-meaning.ts';

/**
 * Returns the occurrences that make a rename doubtful where names may depend on the parameters of a template: those that
 * the server does not resolve and that may be the target, and, if the name has other meanings too, those that the server
 * renames although they are members of such a parameter. Empty unless the server's data declares dependent names.
 *
 * @throws {ExpectedError} `server.*`, `file.*`.
 */
export async function dependentOccurrences(scope: SymbolScope, rename: ProposedRename): Promise<readonly Occurrence[]> {
  const { active, references, target } = rename;
  if (active.spec.quirks?.hasDependentNames !== true || references === undefined) return [];
  const unresolved = references.unresolved.filter((one) => mayMean(target, one));
  if (!isType(target.parent) || hasOneMeaning(scope, rename, references)) return unresolved;
  return [...unresolved, ...(await guessedOccurrences(scope, rename, references))];
}

/** True if an occurrence may be the target by what stands before it: only a member of a type follows any name. */
function mayMean({ parent }: SymbolNode, { qualifier }: Occurrence): boolean {
  return isType(parent) || qualifier === '' || qualifier === `${parent?.name ?? ''}::`;
}

function isType(symbol: SymbolNode | undefined): boolean {
  return symbol !== undefined && [kinds.class, kinds.struct, kinds.interface].some((kind) => kind === symbol.kind);
}

/** Returns the occurrences that the server renames as members of a template's parameter: it took its default for it. */
async function guessedOccurrences(
  scope: SymbolScope,
  { active, server, name, isRenamed }: ProposedRename,
  { text }: AllReferences,
): Promise<Occurrence[]> {
  if (!server.supports('textDocument/typeDefinition')) return [];
  const guessed: Occurrence[] = [];
  for (const { path: file, places } of text?.files ?? []) {
    const path = scope.files.absolute(file);
    const selected = places.flatMap(({ line, character, qualifier }): Occurrence[] => {
      const range = { start: { line, character }, end: { line, character: character + name.length } };
      return qualifier !== '' && isRenamed({ path, range }) ? [{ file, range, qualifier }] : [];
    });
    const isOwn = scope.files.sources.serverOf(file) === active;
    if (!isOwn || selected.length === 0 || !scope.files.textOf(file).text.includes('template')) continue;
    await server.documents.holding(path, async () => {
      if (!(await tryShow(scope, server, file))) return;
      for (const one of selected) {
        if ((await qualifierType(scope, server, one))?.isParameter === true) guessed.push(one);
      }
    });
  }
  return guessed;
}
