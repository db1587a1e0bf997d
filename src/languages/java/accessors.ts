import { requestDefinition } from '../../lsp/features/locations.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace } from '../../symbols/model/symbol.ts';
import type { ReferencesQuestion } from '../../symbols/queries/cross-check.ts';
import { tryShow } from '../../symbols/queries/requests.ts';
import { isSamePlace, type Place } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';

const accessor = /^(?:get|set|is)[^\p{Ll}]/u;

/**
 * jdtls lists what looks like a call of an accessor among the references to a field:
 *
 * ```java
 * private int total;
 * int getTotal() { return 0; }
 * int twice() { return 2 * getTotal(); }   // listed as a reference to `total`
 * ```
 *
 * Returns a predicate for locations in the project that name such a symbol; `undefined` for other servers and kinds of
 * symbols. A tool may generate accessors of the field: jdtls resolves their names to the field itself, and these are
 * references.
 */
export function otherAccessors(
  scope: SymbolScope,
  question: Pick<ReferencesQuestion, 'active' | 'server' | 'target' | 'name'>,
): ((location: Place) => Promise<boolean>) | undefined {
  const { active, target, name } = question;
  const generated = active.spec.adapter?.generatedAccessors;
  if (generated === undefined || (target.kind !== kinds.field && target.kind !== kinds.constant)) return undefined;
  const mayBeGenerated = generated.test(scope.files.textOf(target.file).text);
  return async (location) => {
    const { text, starts } = scope.files.textOf(location.file);
    const offset = offsetAt(text, starts, location.range.start);
    const isAccessor = offset !== undefined && accessor.test(text.slice(offset)) && !text.startsWith(name, offset);
    return isAccessor && (!mayBeGenerated || (await leadsElsewhere(scope, question, location)));
  };
}

/** True if a name has a definition other than the target's. */
async function leadsElsewhere(
  scope: SymbolScope,
  { server, target }: Pick<ReferencesQuestion, 'server' | 'target'>,
  place: Place,
): Promise<boolean> {
  if (!(await tryShow(scope, server, place.file))) return false;
  const { locations, others } = await requestDefinition(server, place, scope.files.limits(scope.call));
  const isTarget = locations.some((found) => isSamePlace(found, namePlace(target)));
  return !isTarget && locations.length + others.length > 0;
}
