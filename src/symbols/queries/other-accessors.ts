import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';

/**
 * Returns a predicate for text that begins with a call of what looks like an accessor of a field, for servers that take
 * it for a reference; `undefined` if they do not, or if a tool may generate accessors of the field, whose calls are its
 * references.
 */
export function otherAccessors(
  scope: SymbolScope,
  { active, target, name }: { readonly active: ActiveServer; readonly target: SymbolNode; readonly name: string },
): ((text: string) => boolean) | undefined {
  const generated = active.spec.quirks?.generatedAccessors;
  if (generated === undefined || (target.kind !== kinds.field && target.kind !== kinds.constant)) return undefined;
  if (generated.test(scope.files.textOf(target.file).text)) return undefined;
  return (text) => /^(?:get|set|is)[^\p{Ll}]/u.test(text) && !text.startsWith(name);
}
