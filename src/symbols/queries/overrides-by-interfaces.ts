import { requestImplementations } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { type Place, placeKey } from '../../text/place.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { kinds } from '../model/kinds.ts';
import { type OutsideMember, type Overrides, type OverridesQuestion, overridesDeadline } from '../model/overrides.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { prepareSearch } from '../prepare-servers/prepare-search.ts';
import { outsideMember } from './outside-members.ts';
import { keepProjectLocations } from './project-locations.ts';

/**
 * Returns the overrides of a method in a language where a type implements an interface by having its methods: the methods
 * that the server leads to from one another, from interfaces to types and back, over any number of steps.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function implementedOverrides(
  scope: SymbolScope,
  active: ActiveServer,
  { target, isUpward = false, deadline = overridesDeadline(scope.call) }: OverridesQuestion,
): Promise<Overrides | undefined> {
  if (!isMethod(target) || (isUpward && isOfInterface(target))) return undefined;
  const found = new Map([[nameKey(target), target]]);
  const outside = new Map<string, OutsideMember>();
  const implementedOutside = new Map<string, OutsideMember>();
  const pending = [target];
  let isPartial = false;
  for (let one = pending.pop(); one !== undefined; one = isUpward ? undefined : pending.pop()) {
    if (performance.now() > deadline) {
      isPartial = true;
      break;
    }
    const step = await implementationsOf(scope, active, one);
    const places = isOfInterface(one) ? implementedOutside : outside;
    for (const location of step.outside) {
      const member = await outsideMember(scope, location, one.name);
      places.set(member.place, member);
    }
    for (const symbol of step.symbols.filter((other) => !found.has(nameKey(other)))) {
      found.set(nameKey(symbol), symbol);
      pending.push(symbol);
    }
  }
  found.delete(nameKey(target));
  return {
    members: [...found.values()],
    outside: [...outside.values()],
    implementedOutside: [...implementedOutside.values()],
    colliding: [],
    unknown: [],
    isPartial,
  };
}

function isMethod(symbol: SymbolNode): boolean {
  return symbol.receiver !== undefined || isOfInterface(symbol);
}

function isOfInterface({ kind, parent }: SymbolNode): boolean {
  return kind === kinds.method && parent?.kind === kinds.interface;
}

/** Methods that the server leads to; `outside` are those in no source of the project. */
interface Implementations {
  readonly symbols: readonly SymbolNode[];
  readonly outside: readonly Place[];
}

async function implementationsOf(
  scope: SymbolScope,
  active: ActiveServer,
  symbol: SymbolNode,
): Promise<Implementations> {
  const { file, name, selectionRange } = symbol;
  const { files, call } = scope;
  const locations = await files.ask(active, call, async (server) => {
    await prepareSearch(scope, {
      active,
      server,
      file,
      position: selectionRange.start,
      literal: name,
      missing: 'Implementations',
    });
    await files.show(server, file, call);
    const ask = active.spec.quirks?.implementations ?? requestImplementations;
    return await ask(server, namePlace(symbol), files.limits(call));
  });
  const kept = await keepProjectLocations(scope, locations);
  const symbols: SymbolNode[] = [];
  for (const [of, own] of Map.groupBy(kept, (one) => one.file)) {
    const tree = await files.treeOf(of, call);
    const starts = own.map(({ range }) => range.start);
    symbols.push(...symbolsNamedAt(tree, starts));
  }
  const inside = new Set(kept.map(placeKey));
  return { symbols, outside: locations.filter((place) => !inside.has(placeKey(place))) };
}
