import { requestReferences } from '../../lsp/features/locations.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import { symbolsNamedAt } from '../../symbols/model/at-position.ts';
import { isMemberKind } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { ReferencesQuestion } from '../../symbols/queries/cross-check.ts';
import { isSameRange, type Place, placeAt } from '../../text/place.ts';

/** The rename of a member, as the server proposes it. */
interface MemberRename extends Pick<ReferencesQuestion, 'active' | 'server' | 'target'> {
  readonly text: IdentifierResult;
  readonly steps: readonly WorkspaceStep[];
  /** True for a location that some of the steps change. */
  readonly isChanged: (location: Place, steps: readonly WorkspaceStep[]) => boolean;
  /** Requests the rename of another member of the same name. */
  readonly rename: (place: Place) => Promise<readonly WorkspaceStep[]>;
}

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
export async function withUnionMembers(scope: SymbolScope, renaming: MemberRename): Promise<WorkspaceStep[]> {
  const { active, server, target, isChanged, rename } = renaming;
  const steps = [...renaming.steps];
  if (active.spec.adapter?.renamesOneOfUnion !== true || !isMember(target)) return steps;
  const limits = scope.files.limits(scope.call);
  const others = [];
  for (const node of await otherMembers(scope, renaming)) {
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
  { active, text, steps, isChanged }: MemberRename,
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
