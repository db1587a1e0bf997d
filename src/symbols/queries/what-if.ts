import { remainingMs } from '../../base/call.ts';
import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { isExpected } from '../../base/errors.ts';
import { isTest } from '../model/is-test.ts';
import { isCallable, isTypeKind } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namedSymbol, type Related, type SymbolNode } from '../model/symbol.ts';
import { exhaustiveLimits, findImpacts, type Impact } from './impacts.ts';
import { referencePlaces } from './references.ts';

/** What is asked about code that has not changed: what its deletion or move would reach, or what no test reaches. */
export const whatIfs = ['if-deleted', 'if-moved', 'untested'] as const;
export type WhatIf = (typeof whatIfs)[number];

/** What would be reached in other files. */
export interface Reached {
  /** By file, the 0-based lines that refer to the symbol, imports among them. */
  readonly references: ReadonlyMap<string, readonly number[]>;
  /** Of a deletion: those that use users, over any number of levels. */
  readonly indirect: readonly Related[];
  readonly tests: readonly Related[];
}

const atOnce = 4;

/**
 * Returns what depends on the symbols of files (project-relative), which have not changed, by symbol. Users inside these
 * files do not count. A move reaches what refers to a symbol, a deletion also what uses that; with `untested`, the symbols
 * are the functions, methods and types that no test uses over any number of levels.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findWhatIf(
  scope: SymbolScope,
  { what, files }: { readonly what: WhatIf; readonly files: readonly string[] },
): Promise<ReadonlyMap<SymbolNode, Reached>> {
  const startedAt = performance.now();
  const named: SymbolNode[] = [];
  for (const file of files) {
    scope.call.progress(`Reading ${file}`);
    const symbols = (await scope.files.treeOf(file, scope.call)).flatMap(withMembers);
    named.push(...symbols.filter((one) => namedSymbol(one) === one));
  }
  if (what === 'untested') {
    const impacts = await findImpacts(
      scope,
      named.filter(isTestable),
      startedAt,
      exhaustiveLimits(remainingMs(scope.call)),
    );
    return new Map([...impacts].filter(([, { tests }]) => tests.length === 0).map(([symbol]) => [symbol, nothing]));
  }
  const own = new Set(files);
  const references = await referencesOutside(scope, named, own);
  const used = named.filter((symbol) => references.has(symbol));
  const impacts =
    what === 'if-moved'
      ? undefined
      : await findImpacts(scope, used, startedAt, exhaustiveLimits(remainingMs(scope.call)));
  return new Map(
    used.map((symbol) => [symbol, reachedBy(references.get(symbol) ?? new Map(), impacts?.get(symbol), own)]),
  );
}

const nothing: Reached = { references: new Map(), indirect: [], tests: [] };

function reachedBy(references: Reached['references'], impact: Impact | undefined, own: ReadonlySet<string>): Reached {
  const outside = (related: readonly Related[] = []) => related.filter(({ symbol }) => !own.has(symbol.file));
  return { references, indirect: outside(impact?.indirect), tests: outside(impact?.tests) };
}

/** Returns the lines in other files that refer to symbols; those without any are left out. */
async function referencesOutside(
  scope: SymbolScope,
  symbols: readonly SymbolNode[],
  own: ReadonlySet<string>,
): Promise<Map<SymbolNode, Reached['references']>> {
  const unknown: string[] = [];
  const found = await mapConcurrently(symbols, atOnce, async (symbol) => {
    try {
      const places = (await referencePlaces(scope, symbol)).filter(({ file }) => !own.has(file));
      const byFile = Map.groupBy(places, ({ file }) => file);
      return new Map([...byFile].map(([file, all]) => [file, [...new Set(all.map(({ range }) => range.start.line))]]));
    } catch (error) {
      if (!isExpected(error, 'server.refused')) throw error;
      unknown.push(error.message);
      return new Map<string, number[]>();
    }
  });
  const [reason] = unknown;
  if (reason !== undefined)
    scope.gaps.push({
      missing: `References to ${counted(unknown.length, 'symbol')} are missing`,
      reason,
      next: 'Search for the names',
    });
  return new Map(
    symbols.flatMap((symbol, index) => {
      const references = found[index];
      return references === undefined || references.size === 0 ? [] : [[symbol, references] as const];
    }),
  );
}

/** Returns a symbol, and what it contains if that can be named from outside. */
function withMembers(symbol: SymbolNode): SymbolNode[] {
  return isCallable(symbol) ? [symbol] : [symbol, ...symbol.children.flatMap(withMembers)];
}

function isTestable(symbol: SymbolNode): boolean {
  return !isTest(symbol) && (isCallable(symbol) || isTypeKind(symbol.kind));
}
