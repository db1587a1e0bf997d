import { dirname } from 'node:path';
import { requestImplementations } from '../../lsp/features/locations.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { Place } from '../../text/place.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { kinds } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import type { ReferencesQuestion } from '../queries/cross-check.ts';
import { unlessRefused } from '../queries/requests.ts';

/** The target of a rename, and what the server would rename with it. */
interface Renaming extends Pick<ReferencesQuestion, 'active' | 'server' | 'target'> {
  readonly text: IdentifierResult;
  /** True for a location that the server would rename. */
  readonly isRenamed: (location: Place) => boolean;
}

/** A definition that may need the target's new name. */
interface AlternativeDefinition {
  readonly node: SymbolNode;
  /** False if it needs the name only where it is used in the same place as the target. */
  readonly isImplementation: boolean;
}

/**
 * Returns the definitions that may need the target's new name in other build configurations, which the server does not
 * rename with it: the same symbol, defined once for each operating system, and methods in such files that implement the
 * target.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function alternativeDefinitions(scope: SymbolScope, renaming: Renaming): Promise<AlternativeDefinition[]> {
  const { active, target, text } = renaming;
  const packageOf = active.spec.adapter?.conditionalPackage;
  if (packageOf === undefined) return [];
  const packageAt = (file: string) => packageOf(file, scope.files.textOf(file).text);
  const targetPackage = packageAt(target.file);
  const found: AlternativeDefinition[] = [];
  for (const { path: file, places } of text.files) {
    if (file === target.file || scope.files.sources.serverOf(file) !== active) continue;
    const own = packageAt(file);
    if (own === undefined) continue;
    const tree = await scope.files.treeOf(file, scope.call);
    for (const node of symbolsNamedAt(tree, places)) {
      if (renaming.isRenamed(namePlace(node))) continue;
      const isSame = isAlternative(target, node) && targetPackage === own;
      const isImplementation = await implementsTarget(scope, renaming, node);
      if (isSame || isImplementation) found.push({ node, isImplementation });
    }
  }
  return found;
}

/** True if two definitions would exclude each other in one build of their package. */
function isAlternative(target: SymbolNode, node: SymbolNode): boolean {
  return dirname(target.file) === dirname(node.file) && namePathOf(target) === namePathOf(node);
}

async function implementsTarget(
  scope: SymbolScope,
  { active, server, target, isRenamed }: Renaming,
  node: SymbolNode,
): Promise<boolean> {
  if (active.spec.quirks?.hasImplicitInterfaces !== true || target.parent === undefined) return false;
  if (target.kind !== kinds.method || node.kind !== kinds.method) return false;
  await scope.files.show(server, node.file, scope.call);
  // The server may refuse queries in files that no build contains.
  const found = await unlessRefused(() =>
    requestImplementations(server, namePlace(node), scope.files.limits(scope.call)),
  );
  return found?.some(isRenamed) === true;
}
