import { kinds } from '../../symbols/model/kinds.ts';
import { readable, type SymbolScope } from '../../symbols/model/scope.ts';
import { nameKey, namePlace, preOrder } from '../../symbols/model/symbol.ts';
import { spanOf } from '../../symbols/model/text-range.ts';
import { type NameQuestion, readLimits } from '../../symbols/occurrences/ledger.ts';
import { listedReferences } from '../../symbols/occurrences/open-ledger.ts';
import { keepProjectLocations } from '../../symbols/queries/project-locations.ts';
import { contains, type Place, placeKey } from '../../text/place.ts';

/** rust-analyzer names the symbol of a block by its head: `impl Hook for B`, `impl<T> Hook<T> for Vec<T>`. */
const implementing = /^impl\b.*\bfor\b/s;
const beforeType = /^\s*(?:<[^{;]*>)?\s*for\b/;
/** Text after a name that is searched for the type. */
const maxChars = 400;

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
  { active, server, target, name }: NameQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  const trait = target.kind === kinds.interface ? target : target.parent;
  if (trait?.kind !== kinds.interface) return [];
  const references = await listedReferences(scope, { active, server, target: trait }, readLimits);
  const known = new Set(listed.map(placeKey));
  const found: Place[] = [];
  for (const [file, own] of Map.groupBy(await keepProjectLocations(scope, references), (place) => place.file)) {
    const blocks = preOrder(await scope.files.treeOf(file, scope.call)).filter(({ name }) => implementing.test(name));
    for (const block of blocks) {
      if (!own.some((place) => contains(block.range, place.range.start) && isImplemented(scope, place))) continue;
      const node = trait === target ? block : block.children.find((child) => child.name === name);
      if (node !== undefined && !known.has(nameKey(node))) found.push(namePlace(node));
    }
  }
  return found;
}

/** True for `Trait` in `impl<T> Trait<T> for Type`, not in `impl<T: Trait> Other for T`. */
function isImplemented(scope: SymbolScope, { file, range }: Place): boolean {
  const lines = readable(scope, file);
  const end = lines && spanOf(lines, range)?.end;
  return end !== undefined && beforeType.test(lines?.text.slice(end, end + maxChars) ?? '');
}
