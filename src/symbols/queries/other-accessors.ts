import { requestDefinition } from '../../lsp/features/locations.ts';
import { isSamePlace, type Place } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace } from '../model/symbol.ts';
import type { ReferencesQuestion } from './cross-check.ts';
import { tryShow } from './requests.ts';

const accessor = /^(?:get|set|is)[^\p{Ll}]/u;

/**
 * Returns a predicate for locations in the project that name what looks like an accessor of a field but is another
 * symbol, for servers that take it for a reference; `undefined` if they do not. A tool may generate accessors of the
 * field: the server leads their names to the field itself, and these are references.
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
