import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import { isTest } from '../model/is-test.ts';
import { isCallable } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { findCallees } from './callees.ts';
import { findCallers, findUsers } from './callers.ts';
import type { HierarchyStep, Related } from './hierarchy-neighbors.ts';
import { hoverInfo } from './info.ts';
import { findSubtypes } from './subtypes.ts';
import { findSupertypes } from './supertypes.ts';
import { isTypeSymbol } from './types-in-header.ts';

/** What is around a symbol. Parts that the symbol cannot have are absent, as are those that could not be found. */
export interface Neighborhood {
  /** Signature and documentation. */
  readonly info: string | undefined;
  /** Symbols that call a function, or that refer to another symbol; without tests. */
  readonly users: readonly Related[] | undefined;
  readonly callees: HierarchyStep | undefined;
  readonly supertypes: HierarchyStep | undefined;
  readonly subtypes: HierarchyStep | undefined;
  /** Users in test files, then tests that use the nearest other users. */
  readonly tests: readonly Related[];
  /** How parts were found that the language server did not list. */
  readonly derivations: readonly string[];
}

/** Users whose own users are searched for tests; each is a search of the project. */
const maxNearUsers = 4;

/**
 * Returns what is around a symbol, over one level; tests over two. A part that a server refuses becomes a gap.
 *
 * @throws {ExpectedError} `server.*`, `install.*` if the server cannot be had.
 */
export async function findNeighborhood(
  scope: SymbolScope,
  symbol: SymbolNode,
  infoBudgetMs: number,
): Promise<Neighborhood> {
  const isType = isTypeSymbol(symbol);
  const stepOf = (part: string, find: Promise<HierarchyStep>) =>
    orGap(scope, `${part} of \`${symbol.name}\` are missing`, find);
  const callers = isCallable(symbol) ? await stepOf('Callers', findCallers(scope, symbol)) : undefined;
  const users = isCallable(symbol)
    ? callers?.related
    : await orGap(scope, `References to \`${symbol.name}\` are missing`, findUsers(scope, symbol));
  // After the references: subtypes may be found among them, and a server that still reads the project has no hover text.
  const [infos, callees, supertypes, subtypes] = await Promise.all([
    hoverInfo(scope, [symbol], infoBudgetMs),
    isCallable(symbol) ? stepOf('Callees', findCallees(scope, symbol)) : undefined,
    isType ? stepOf('Supertypes', findSupertypes(scope, symbol)) : undefined,
    isType ? stepOf('Subtypes', findSubtypes(scope, symbol)) : undefined,
  ]);
  const derivations = [callers, callees, supertypes, subtypes].flatMap((step) => step?.derivation ?? []);
  const others = users?.filter(({ symbol: one }) => !isTest(one));
  const tests = await testsOf(scope, users ?? []);
  return { info: infos.get(symbol), users: others, callees, supertypes, subtypes, tests, derivations };
}

async function testsOf(scope: SymbolScope, users: readonly Related[]): Promise<readonly Related[]> {
  const direct = users.filter(({ symbol }) => isTest(symbol));
  if (direct.length > 0) return direct;
  const near = users.filter(({ symbol }) => isCallable(symbol)).slice(0, maxNearUsers);
  const found = await mapConcurrently(near, maxNearUsers, ({ symbol }) =>
    orGap(scope, `Tests that use \`${symbol.name}\` are missing`, findUsers(scope, symbol)),
  );
  const tests = found.flatMap((step) => step ?? []).filter(({ symbol }) => isTest(symbol));
  return [...new Map(tests.map((one) => [`${one.symbol.file}#${namePathOf(one.symbol)}`, one])).values()];
}

async function orGap<T>(scope: SymbolScope, missing: string, find: Promise<T>): Promise<T | undefined> {
  try {
    return await find;
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError) || error.code !== 'server.refused') throw error;
    scope.gaps.push({ missing, reason: error.message, next: error.hints[0] ?? 'Read the file' });
    return undefined;
  }
}
