import { requestReferences } from '../../lsp/features/locations.ts';
import type { NameQuestion } from '../../symbols/ledger.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { nameKey, namePlace, preOrder, type SymbolNode } from '../../symbols/model/symbol.ts';
import { keepProjectLocations } from '../../symbols/queries/project-locations.ts';
import { contains, type Place, placeKey } from '../../text/place.ts';

/** rust-analyzer names the symbol of a block by its head: `impl Hook for B`, `impl<T> Hook<T> for Vec<T>`. */
const implementing = /^impl\b.*\bfor\b/s;

/**
 * rust-analyzer finds no implementations in bodies of functions:
 *
 * ```rust
 * trait Hook { fn finish(&mut self) {} }
 * #[test]
 * fn local() { struct B; impl Hook for B { fn finish(&mut self) {} } }   // not found
 * ```
 *
 * Returns the implementations of a trait, or of one of its methods, that are missing among the listed ones: the blocks
 * whose head refers to the trait.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function localImplementations(
  scope: SymbolScope,
  { server, target, name }: NameQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  const trait = target.kind === kinds.interface ? target : target.parent;
  if (trait?.kind !== kinds.interface) return [];
  const references = await requestReferences(server, namePlace(trait), scope.files.limits(scope.call));
  const known = new Set(listed.map(placeKey));
  const found: Place[] = [];
  for (const [file, own] of Map.groupBy(await keepProjectLocations(scope, references), (place) => place.file)) {
    const blocks = preOrder(await scope.files.treeOf(file, scope.call)).filter(({ name }) => implementing.test(name));
    for (const block of blocks) {
      if (!own.some(({ range }) => isInHead(block, range.start))) continue;
      const node = trait === target ? block : block.children.find((child) => child.name === name);
      if (node !== undefined && !known.has(nameKey(node))) found.push(namePlace(node));
    }
  }
  return found;
}

/** True for a position between the start of a block and the type that it is for. */
function isInHead({ range, selectionRange }: SymbolNode, position: Place['range']['start']): boolean {
  return contains({ start: range.start, end: selectionRange.start }, position);
}
