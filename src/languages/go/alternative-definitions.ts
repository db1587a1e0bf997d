import { dirname } from 'node:path';
import { requestImplementations } from '../../lsp/features/locations.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { FurtherDefinition } from '../../symbols/adapter.ts';
import { symbolsNamedAt } from '../../symbols/model/at-position.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { SymbolQuestion } from '../../symbols/occurrences/ledger.ts';
import { unlessRefused } from '../../symbols/queries/requests.ts';
import type { Place } from '../../text/place.ts';
import { conditionalPackage } from './build-constraints.ts';

/**
 * gopls renames in one build configuration at a time:
 *
 * ```go
 * // open_windows.go
 * func open() {}   // stays as it is when `open` of open_unix.go is renamed
 * ```
 *
 * Returns the definitions that may need the target's new name in other build configurations: the same symbol, defined once
 * for each operating system, and methods in such files that implement the target.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function alternativeDefinitions(
  scope: SymbolScope,
  question: SymbolQuestion,
  { text, isRenamed }: { readonly text: IdentifierResult; readonly isRenamed: (location: Place) => boolean },
): Promise<FurtherDefinition[]> {
  const { active, target } = question;
  const packageAt = (file: string) => conditionalPackage(file, scope.files.textOf(file).text);
  const targetPackage = packageAt(target.file);
  const found: FurtherDefinition[] = [];
  for (const { path: file, places } of text.files) {
    if (file === target.file || scope.files.sources.serverOf(file) !== active) continue;
    const own = packageAt(file);
    if (own === undefined) continue;
    const tree = await scope.files.treeOf(file, scope.call);
    for (const node of symbolsNamedAt(tree, places)) {
      if (isRenamed(namePlace(node))) continue;
      const isSame = isAlternative(target, node) && targetPackage === own;
      const isImplementation = await implementsTarget(scope, question, node, isRenamed);
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
  { server, target }: SymbolQuestion,
  node: SymbolNode,
  isRenamed: (location: Place) => boolean,
): Promise<boolean> {
  if (target.parent === undefined) return false;
  if (target.kind !== kinds.method || node.kind !== kinds.method) return false;
  await scope.files.show(server, node.file, scope.call);
  // The server may refuse queries in files that no build contains.
  const found = await unlessRefused(() =>
    requestImplementations(server, namePlace(node), scope.files.limits(scope.call)),
  );
  return found?.some(isRenamed) === true;
}
