import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { HierarchyKind } from '../../lsp/features/hierarchy.ts';
import type { HierarchyStep, Related } from '../model/hierarchy-step.ts';
import { isTest } from '../model/is-test.ts';
import { isCallable } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { namedSymbol } from '../model/named-symbol.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { hierarchyStep } from './hierarchy-step.ts';
import { hoverInfo } from './info.ts';
import { mayBeTested } from './may-be-tested.ts';
import { rememberedStep } from './remembered-step.ts';
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
  const stepOf = (kind: HierarchyKind | 'users', part: string) =>
    orGap(scope, `${part} \`${symbol.name}\` are missing`, hierarchyStep(scope, symbol, kind));
  const users = await (isCallable(symbol) ? stepOf('callers', 'Callers of') : stepOf('users', 'References to'));
  // After the references: subtypes may be found among them, and a server that still reads the project has no hover text.
  const [infos, callees, supertypes, subtypes] = await Promise.all([
    hoverInfo(scope, [symbol], infoBudgetMs),
    isCallable(symbol) ? stepOf('callees', 'Callees of') : undefined,
    isType ? stepOf('supertypes', 'Supertypes of') : undefined,
    isType ? stepOf('subtypes', 'Subtypes of') : undefined,
  ]);
  const derivations = [users, callees, supertypes, subtypes].flatMap((step) => step?.derivation ?? []);
  const others = users?.related.filter(({ symbol: one }) => !isTest(one));
  const tests = await rememberedStep(scope, { symbol, kind: 'tests' }, async (own) => ({
    related: await testsOf(own, users?.related ?? []),
    outside: [],
  }));
  return {
    info: infos.get(symbol),
    users: others,
    callees,
    supertypes,
    subtypes,
    tests: tests.related,
    derivations,
  };
}

async function testsOf(scope: SymbolScope, users: readonly Related[]): Promise<readonly Related[]> {
  const direct = users.filter(({ symbol }) => isTest(symbol));
  if (direct.length > 0) return direct;
  const callable = users.flatMap(({ symbol }) => namedSymbol(symbol) ?? []).filter(isCallable);
  const near = [...new Set(callable)].slice(0, maxNearUsers);
  const found = await mapConcurrently(near, maxNearUsers, async (symbol) =>
    (await mayBeTested(scope, symbol))
      ? await orGap(scope, `Tests that use \`${symbol.name}\` are missing`, hierarchyStep(scope, symbol, 'users'))
      : undefined,
  );
  const tests = found.flatMap((step) => step?.related ?? []).filter(({ symbol }) => isTest(symbol));
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
