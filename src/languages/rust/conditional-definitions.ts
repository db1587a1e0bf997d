import type { DefinitionsByBuild } from '../../symbols/adapter.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { preOrder, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { SymbolQuestion } from '../../symbols/occurrences/ledger.ts';
import { reasonsNotAnalyzed } from '../../symbols/prepare-servers/not-analyzed.ts';

/**
 * rust-analyzer renames only what the build contains:
 *
 * ```rust
 * #[cfg(unix)] fn open() {}
 * #[cfg(windows)] fn open() {}   // stays as it is when the other one is renamed
 * fn main() { open() }
 * ```
 *
 * Returns the target and the other definitions of its name path in its file. `excluded` is empty if the target is the only
 * one, or if the server does not report what it does not analyze.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function conditionalDefinitions(
  scope: SymbolScope,
  { active, server, target }: SymbolQuestion,
): Promise<DefinitionsByBuild> {
  const alone = { analyzed: [target], excluded: [] };
  const tree = await scope.files.treeOf(target.file, scope.call);
  const alike = preOrder(tree).filter((node) => isAlike(node, target));
  if (alike.length < 2) return alone;
  const reasonAt = await reasonsNotAnalyzed(scope, { active, server, file: target.file });
  const isAnalyzed = ({ selectionRange }: SymbolNode) => reasonAt(selectionRange.start) === undefined;
  return { analyzed: alike.filter(isAnalyzed), excluded: alike.filter((node) => !isAnalyzed(node)) };
}

/** A module does not take the place of a function or a type of its name. */
function isAlike(node: SymbolNode, target: SymbolNode): boolean {
  return numberless(node) === numberless(target) && (node.kind === kinds.module) === (target.kind === kinds.module);
}

function numberless(symbol: SymbolNode): string {
  return namePathOf(symbol).replaceAll(/\[\d+\]/g, '');
}
