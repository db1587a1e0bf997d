import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { HierarchyKind } from '../../lsp/features/hierarchy.ts';
import { placeKey } from '../../text/place.ts';
import { kindName } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { answersOf, type SymbolScope } from '../model/scope.ts';
import { type HierarchyStep, nameKey, type Related, type SymbolNode } from '../model/symbol.ts';
import { prepareServer } from '../prepare-servers/prepare-search.ts';
import { findCallees, findCallers, findSubtypes, findSupertypes, findUsers, isTypeSymbol } from './neighbors.ts';
import { suppliersOf } from './references-elsewhere.ts';

export interface HierarchyEntry extends Related {
  /** Absent at the lowest level. `repeated`: another entry of the symbol has them, or it is above this one. */
  readonly below?: readonly HierarchyEntry[] | 'repeated';
}

/** The neighbors of a symbol, over one or more levels. */
export interface Hierarchy {
  readonly entries: readonly HierarchyEntry[];
  /** Names of direct neighbors outside the project's sources. */
  readonly outside: readonly string[];
  /** How the neighbors were found, if the language server did not list them. */
  readonly derivation: string | undefined;
}

/** Each symbol costs a search of the project. */
const maxSearched = 60;
const searchedAtOnce = 4;

/**
 * Returns the callers, callees, supertypes or subtypes of a symbol, `depth` levels deep. Each symbol is searched once.
 *
 * @throws {ExpectedError} `tool.invalid-input` for the types of a symbol that is no type; `server.*`, `install.*`.
 */
export async function findHierarchy(
  scope: SymbolScope,
  target: SymbolNode,
  { kind, depth }: { kind: HierarchyKind; depth: number },
): Promise<Hierarchy> {
  if ((kind === 'supertypes' || kind === 'subtypes') && !isTypeSymbol(target)) throw notType(target, kind);
  const first = await hierarchyStep(scope, target, kind);
  const walk = { scope, kind, searched: new Set([placeKey(target)]), left: [] };
  const entries = await below(walk, first.related, depth - 1);
  reportUnsearched(walk);
  return { entries, outside: first.outside, derivation: first.derivation };
}

interface Walk {
  readonly scope: SymbolScope;
  readonly kind: HierarchyKind;
  /** Keys of the symbols whose neighbors are in the answer. */
  readonly searched: Set<string>;
  /** Symbols that were not searched, because there are too many. */
  readonly left: SymbolNode[];
}

/** Returns entries with `levels` more levels below them; one level after the other, so that the nearest come first. */
async function below(walk: Walk, related: readonly Related[], levels: number): Promise<readonly HierarchyEntry[]> {
  if (levels <= 0) return related;
  const claimed = related.map((one) => ({ one, state: claim(walk, one.symbol) }));
  const found = await mapConcurrently(claimed, searchedAtOnce, async ({ one, state }) => {
    if (state !== 'new') return state === 'repeated' ? { ...one, below: state } : one;
    return { ...one, below: (await hierarchyStep(walk.scope, one.symbol, walk.kind)).related };
  });
  const entries: HierarchyEntry[] = [];
  for (const entry of found) {
    const isExpanded = 'below' in entry && entry.below !== 'repeated';
    entries.push(isExpanded ? { ...entry, below: await below(walk, entry.below, levels - 1) } : entry);
  }
  return entries;
}

function claim({ searched, left, kind }: Walk, symbol: SymbolNode): 'new' | 'repeated' | 'left' {
  if (searched.has(placeKey(symbol))) return 'repeated';
  if ((kind === 'supertypes' || kind === 'subtypes') && !isTypeSymbol(symbol)) return 'left';
  if (searched.size > maxSearched) {
    left.push(symbol);
    return 'left';
  }
  searched.add(placeKey(symbol));
  return 'new';
}

function reportUnsearched({ scope, kind, left }: Walk): void {
  if (left.length === 0) return;
  const named = left.slice(0, 5).map((symbol) => `\`${namePathOf(symbol)}\``);
  scope.gaps.push({
    missing: `The ${kind} of ${named.join(', ')}${left.length > 5 ? ` and ${counted(left.length - 5, 'more symbol')}` : ''} are missing`,
    reason: `an answer covers ${maxSearched} symbols`,
    next: 'Call `symbol_hierarchy` with these symbols',
  });
}

function notType({ name, kind: symbolKind }: SymbolNode, kind: HierarchyKind): ExpectedError {
  return new ExpectedError(
    'tool.invalid-input',
    `\`${name}\` is a symbol of kind ${kindName(symbolKind)}; only types have ${kind}`,
    { hints: ['pass the class or interface', 'call `find_implementations` with a method'] },
  );
}

const finders: Readonly<
  Record<HierarchyKind | 'users', (scope: SymbolScope, symbol: SymbolNode) => Promise<HierarchyStep>>
> = {
  callers: findCallers,
  users: findUsers,
  callees: findCallees,
  supertypes: findSupertypes,
  subtypes: findSubtypes,
};

/**
 * Returns the direct neighbors of a symbol, for reading: those of an earlier question if no file has changed since.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export function hierarchyStep(
  scope: SymbolScope,
  symbol: SymbolNode,
  kind: HierarchyKind | 'users',
): Promise<HierarchyStep> {
  return rememberedStep(scope, { symbol, kind }, (own) => finders[kind](own, symbol));
}

/**
 * Returns what an earlier call with the same `kind` found around a symbol if no file has changed since, otherwise the
 * result of `find`, for reading.
 *
 * @throws {ExpectedError} `server.*`, `install.*`; what `find` throws.
 */
export async function rememberedStep(
  scope: SymbolScope,
  { symbol, kind }: { symbol: SymbolNode; kind: string },
  find: (scope: SymbolScope) => Promise<HierarchyStep>,
): Promise<HierarchyStep> {
  const { files, call } = scope;
  const active = files.sources.requireServer(symbol.file);
  // Changes of the files of other servers are not reported to this one.
  if (active.spec.mayAnswerStale || suppliersOf(scope, active, symbol.file).length > 0) return await find(scope);
  const known = await files.ask(active, call, async (server) => {
    // Reports the changes that make answers invalid. What it cannot wait for, the search reports.
    await prepareServer({ ...scope, gaps: [] }, { active, server, missing: kind });
    return answersOf(scope, active, server)?.steps;
  });
  if (known === undefined) return await find(scope);
  return await known.answer(`${kind} ${nameKey(symbol)}`, scope.gaps, (gaps) =>
    find({ ...scope, gaps, areChangesReported: true }),
  );
}
