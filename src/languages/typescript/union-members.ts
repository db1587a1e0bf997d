import { requestReferences } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { FurtherRenaming } from '../../symbols/adapter.ts';
import { symbolsNamedAt } from '../../symbols/model/at-position.ts';
import { isMemberKind } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { SymbolQuestion } from '../../symbols/occurrences/ledger.ts';
import { isSameRange, placeAt } from '../../text/place.ts';

/** Each member costs a request for its references; names of more members than this are too common. */
const maxMembers = 20;

/**
 * tsserver renames one of the declarations of a member of a union:
 *
 * ```ts
 * interface Cat { name: string }
 * interface Dog { name: string }
 * const nameOf = (pet: Cat | Dog) => pet.name;   // refers to both members
 * ```
 *
 * Returns the steps of a rename with those for other members of the same name that have a reference in common with it.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function withUnionMembers(
  scope: SymbolScope,
  { active, server, target }: SymbolQuestion,
  renaming: FurtherRenaming,
): Promise<WorkspaceStep[]> {
  const { isChanged, rename } = renaming;
  const steps = [...renaming.steps];
  if (!isMember(target)) return steps;
  const limits = scope.files.limits(scope.call);
  const others = [];
  for (const node of await otherMembers(scope, active, renaming)) {
    await scope.files.show(server, node.file, scope.call);
    const declaration = namePlace(node);
    others.push({ declaration, references: await requestReferences(server, declaration, limits) });
  }
  // Each further type may have references in common with another one.
  for (const _ of others) {
    const next = others.find(
      ({ declaration, references }) =>
        !isChanged(declaration, steps) && references.some((location) => isChanged(location, steps)),
    );
    if (next === undefined) break;
    for (const step of await rename(next.declaration)) {
      if (step.do !== 'edit') continue;
      const edits = step.edits.filter(({ range }) => !isChanged({ file: step.file, range }, steps));
      steps.push({ ...step, edits });
    }
  }
  return steps;
}

async function otherMembers(
  scope: SymbolScope,
  active: ActiveServer,
  { text, steps, isChanged }: FurtherRenaming,
): Promise<readonly SymbolNode[]> {
  const found: SymbolNode[] = [];
  for (const { path: file, places } of text.files) {
    if (scope.files.sources.serverOf(file) !== active) continue;
    const unchanged = places.filter((start) => !isChanged(placeAt(file, start), steps));
    if (unchanged.length === 0) continue;
    const tree = await scope.files.treeOf(file, scope.call);
    found.push(...symbolsNamedAt(tree, unchanged).filter((node) => isMember(node) && !isShorthand(node)));
    if (found.length > maxMembers) return [];
  }
  return found;
}

/** True for `{ name }`, where the server would rename the variable. */
function isShorthand({ range, selectionRange }: SymbolNode): boolean {
  return isSameRange(range, selectionRange);
}

function isMember({ kind, parent }: SymbolNode): boolean {
  return parent !== undefined && isMemberKind(kind);
}
