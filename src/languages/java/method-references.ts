import { requestTypeDefinition } from '../../lsp/features/locations.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { Inquiry, Judge, Ruling } from '../../symbols/occurrences/ledger.ts';
import type { Occurrence } from '../../symbols/occurrences/occurrence.ts';
import { isOutside, isSamePlace, type Place, placeAt } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';

/** Text around a name that is searched for the rest of the expression. */
const maxChars = 200;
const beforeName = /(?<word>[\p{L}_$][\p{L}\p{N}_$]*)?\s*::\s*(?:<[^<>]*>\s*)?$/u;
/**
 * jdtls 1.59 leads the variable in `if (!(name instanceof Type) && …)` to a method. `=` follows a member of an annotation,
 * `;` a static import; a comment or a Unicode escape may precede them.
 */
const behindMethod = /^\s*[(=;/\\]/;
const constructorAfterName = /^\s*(?:<[^<>]*>\s*)?::\s*new\b/;

/**
 * jdtls resolves the name in a method reference to the function type of the expression, not to the method:
 *
 * ```java
 * class Item { String label() { return ""; } }
 * Function<Item, String> toText = Item::label;
 * // the definition of `label` is `Function.apply`
 * ```
 *
 * Decides such an occurrence by the type before it; which of several overloads it means stays open. What cannot be a
 * method is none, if the server resolves it to methods nevertheless.
 */
export const methodReferenceJudge: Judge<SymbolScope> = {
  name: 'method reference',
  open: async (scope, inquiry) => {
    return async (candidate) => (candidate.isListed ? undefined : rulingOf(scope, inquiry, candidate));
  },
};

const own: Ruling = { verdict: 'own', reason: 'the type before `::` declares the symbol' };
const other: Ruling = { verdict: 'other', reason: 'the type before `::` has another method of this name' };
const noMethod: Ruling = { verdict: 'other', reason: 'it is no method' };
const overloaded: Ruling = { verdict: 'open', reason: 'it may mean any overload' };
const open: Ruling = { verdict: 'open', reason: 'the expression before `::` has no known type' };

async function rulingOf(
  scope: SymbolScope,
  { server, target, name, overloads }: Inquiry,
  occurrence: Occurrence,
): Promise<Ruling | undefined> {
  const { text, starts } = scope.files.textOf(occurrence.file);
  const offset = offsetAt(text, starts, occurrence.range.start);
  const end = offsetAt(text, starts, occurrence.range.end);
  if (offset === undefined || end === undefined) return undefined;
  const after = text.slice(end, end + maxChars);
  const isConstructor = target.kind === kinds.constructor && constructorAfterName.test(after);
  const before = beforeName.exec(text.slice(Math.max(0, offset - maxChars), offset));
  if (!isConstructor && before === null) {
    const mayBeOwn = target.kind !== kinds.method || behindMethod.test(after);
    return mayBeOwn ? undefined : noMethod;
  }
  const word = before?.groups?.word;
  if (!isConstructor && word === undefined) return open;
  const at = isConstructor || before === null ? offset : offset - before[0].length;
  if (!server.supports('textDocument/typeDefinition')) return open;
  const place = placeAt(occurrence.file, positionAt(text, starts, at));
  const { locations, others } = await requestTypeDefinition(server, place, scope.files.limits(scope.call));
  if (locations.some((location) => isNameOf(target.parent, location))) return overloads.length > 1 ? overloaded : own;
  // A type outside the project, or another one with a constructor, has none of the project's methods.
  if (locations.length === 0) return others.length > 0 ? other : open;
  return isConstructor || (await declares(scope, locations, name)) ? other : open;
}

function isNameOf(symbol: SymbolNode | undefined, place: Place): boolean {
  return symbol !== undefined && isSamePlace(namePlace(symbol), place);
}

/** True if all the types have a member of this name of their own; otherwise they may inherit that in question. */
async function declares(scope: SymbolScope, types: readonly Place[], name: string): Promise<boolean> {
  const has = async (location: Place) => {
    if (isOutside(location)) return false;
    const isInType = (symbols: readonly SymbolNode[]): boolean =>
      symbols.some((symbol) =>
        isNameOf(symbol, location) ? symbol.children.some((child) => child.name === name) : isInType(symbol.children),
      );
    return isInType(await scope.files.treeOf(location.file, scope.call));
  };
  return (await Promise.all(types.map(has))).every(Boolean);
}
