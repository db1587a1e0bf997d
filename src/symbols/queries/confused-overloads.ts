import { requestReferences } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { type Place, placeKey } from '../../text/place.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import type { ReferencesQuestion } from './cross-check.ts';

/** An overload whose uses the server may take for those of the target, or the other way around. */
interface ConfusedOverload {
  readonly node: SymbolNode;
  /**
   * Which of the two is written with longer names of types, so that the server finds only its own uses; `undefined` if
   * neither is.
   */
  readonly exact: 'overload' | 'target' | undefined;
}

/**
 * Returns the overloads of a method whose parameters have types of the same simple names as its own, for servers that
 * confuse them.
 */
export function confusedOverloads(scope: SymbolScope, active: ActiveServer, target: SymbolNode): ConfusedOverload[] {
  const read = active.spec.adapter?.confusedParameterTypes;
  if (read === undefined || target.kind !== kinds.method || target.overloadIndex === undefined) return [];
  const lines = scope.files.textOf(target.file);
  const typesOf = ({ range, selectionRange }: SymbolNode) => {
    const span = spanOf(lines, { start: selectionRange.end, end: range.end });
    return span && read(lines.text.slice(span.start, span.end));
  };
  const own = typesOf(target);
  if (own === undefined) return [];
  const siblings = target.parent?.children.filter((node) => node !== target && node.name === target.name) ?? [];
  return siblings.flatMap((node): ConfusedOverload[] => {
    const types = typesOf(node);
    if (types?.length !== own.length || types.some((type, index) => simple(type) !== simple(own[index] ?? '')))
      return [];
    const lengths = types.map((type, index) => type.length - (own[index] ?? '').length);
    const isLonger = lengths.some((length) => length > 0);
    const isShorter = lengths.some((length) => length < 0);
    return [{ node, exact: isLonger === isShorter ? undefined : isLonger ? 'overload' : 'target' }];
  });
}

/** Returns those of a method's listed references that are uses of its overloads. */
export async function overloadReferences(
  scope: SymbolScope,
  { active, server, target }: ReferencesQuestion,
  listed: readonly Place[],
): Promise<Place[]> {
  if (listed.length === 0) return [];
  const others = new Set<string>();
  for (const { node, exact } of confusedOverloads(scope, active, target)) {
    if (exact !== 'overload') continue;
    const uses = await requestReferences(server, namePlace(node), scope.files.limits(scope.call));
    for (const use of uses) others.add(placeKey(use));
  }
  return listed.filter((place) => others.has(placeKey(place)));
}

function simple(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}
