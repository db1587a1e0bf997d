import { isExpected } from '../../base/errors.ts';
import { distinctPlaces, type Place, placeKey } from '../../text/place.ts';
import { findMentions } from '../edits/mentions.ts';
import { isTypeKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, preOrder, type SymbolNode } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';
import { findImplementations } from './implementations.ts';

/** What still has the name of a symbol that is gone. */
export interface LeftBehind {
  /** Members that overrode it, and that nothing calls any more as such. */
  readonly overrides: readonly SymbolNode[];
  /** Documents, comments and strings that name it. */
  readonly mentions: readonly Place[];
}

/**
 * Returns what still has the name of a symbol that is gone, besides uses in code:
 *
 * ```python
 * class Base:
 *     def forward(self): ...       # was `_proxy`
 * class Derived(Base):
 *     def _proxy(self): ...        # no longer overrides anything, and no compiler says so
 * ```
 *
 * @throws {ExpectedError} `server.*`, `search.too-slow`.
 */
export async function leftBehind(scope: SymbolScope, gone: SymbolNode): Promise<LeftBehind> {
  const active = scope.files.sources.serverOf(gone.file);
  const search = active && textSearch(scope, { active, name: gone.name });
  if (active === undefined || search === undefined) return { overrides: [], mentions: [] };
  const declared: SymbolNode[] = [];
  for (const { path } of (await search()).files) {
    declared.push(...preOrder(await scope.files.treeOf(path, scope.call)).filter(({ name }) => name === gone.name));
  }
  const overrides = await overridesOfGone(scope, gone, declared);
  // What documents say of a name may be about another symbol that has it.
  const others = declared.filter((one) => !overrides.includes(one));
  if (others.length > 0) return { overrides, mentions: [] };
  const named = { active, symbol: gone, name: gone.name, inStrings: true };
  const found = await findMentions(scope, undefined, named, []);
  const tested = new Set(found.tests.map(placeKey));
  const mentions = [...found.tests, ...found.uses, ...found.mentions.filter((one) => !tested.has(placeKey(one)))];
  return { overrides, mentions: distinctPlaces(mentions) };
}

/** Returns the members among those of a name that overrode a member of a type which still exists. */
async function overridesOfGone(
  scope: SymbolScope,
  { file, parent }: SymbolNode,
  declared: readonly SymbolNode[],
): Promise<SymbolNode[]> {
  const members = declared.filter((one) => one.parent !== undefined && isTypeKind(one.parent.kind));
  if (parent === undefined || !isTypeKind(parent.kind) || members.length === 0) return [];
  if (readable(scope, file) === undefined) return [];
  const path = namePathOf(parent);
  const type = preOrder(await scope.files.treeOf(file, scope.call)).find((one) => namePathOf(one) === path);
  if (type === undefined) return [];
  try {
    const below = await findImplementations(scope, type, { kinds: { include: [], exclude: [] } });
    const keys = new Set(below.map(nameKey));
    return members.filter((one) => one.parent !== undefined && keys.has(placeKey(namePlace(one.parent))));
  } catch (error) {
    // A server without implementations: a compiler of such a language reports an override of nothing, or there are none.
    if (!isExpected(error, 'server.refused')) throw error;
    return [];
  }
}
