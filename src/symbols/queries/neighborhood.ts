import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { HierarchyKind } from '../../lsp/features/hierarchy.ts';
import { isTest, mayHaveTests } from '../model/is-test.ts';
import { isCallable, kinds } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { type HierarchyStep, namedSymbol, type Related, type SymbolNode } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';
import { hierarchyStep, rememberedStep } from './hierarchy.ts';
import { hoverInfo } from './info.ts';
import { type NamedScope, namedReferences } from './named-references.ts';
import { isTypeSymbol } from './neighbors.ts';

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

/**
 * Returns what is around a symbol of a library without a language server: where the code of the project has its name.
 * Gaps name the parts that are missing.
 */
export async function libraryNeighborhood(scope: NamedScope, symbol: SymbolNode): Promise<Neighborhood> {
  const users = await usersByName(scope, symbol);
  scope.gaps.push({
    missing: `Callees, supertypes, subtypes and information about \`${symbol.name}\` are missing`,
    reason: 'no language server is asked about files of dependencies',
    next: 'Read the body, and the lines above it with `read_file`',
  });
  return {
    info: undefined,
    users: users?.filter((one) => !isTest(one.symbol)),
    callees: undefined,
    supertypes: undefined,
    subtypes: undefined,
    tests: users?.filter((one) => isTest(one.symbol)) ?? [],
    derivations: [],
  };
}

/** Returns the symbols of the project in whose code the name occurs; `undefined` if that cannot be found. */
async function usersByName(scope: NamedScope, target: SymbolNode): Promise<readonly Related[] | undefined> {
  try {
    const { matches } = await namedReferences(scope, target, { kinds: { include: [], exclude: [] } });
    const byUser = Map.groupBy(matches, ({ symbol }) => `${symbol.file}#${namePathOf(symbol)}`);
    return [...byUser.values()].flatMap((own) => {
      const lines = [...new Set(own.map(({ range }) => range.start.line))];
      return own[0] ? [{ symbol: own[0].symbol, lines }] : [];
    });
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    const missing = `Users of \`${target.name}\` are missing`;
    scope.gaps.push({ missing, reason: error.message, next: error.hints[0] ?? 'Search for the name' });
    return undefined;
  }
}

/** Constructors, `default` exports and methods such as `__call__` are used without their names. */
const mayBeUnnamed = /^(?:default$|__)/;
const defaultExport = /\bexport\s+default\b/;

/**
 * True if tests may use a symbol: its name is in the code of a file with tests, or it has another name somewhere. A search
 * for the name costs less than a server's search for references.
 */
async function mayBeTested(scope: SymbolScope, { name, kind, file }: SymbolNode): Promise<boolean> {
  if (kind === kinds.constructor || mayBeUnnamed.test(name)) return true;
  const { project, sources } = scope.files;
  const active = sources.requireServer(file);
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const files = await project.scanner.listFiles(walk, scope.call.signal);
  const paths = files.map(({ path }) => path).filter(mayHaveTests);
  if (paths.length === 0) return false;
  const inTests = await textSearch(scope, { active, name, paths, limit: 1 })?.();
  if (inTests === undefined || inTests.files.length + inTests.unread.length > 0) return true;
  if (defaultExport.test(scope.files.textOf(file).text)) return true;
  const anywhere = await textSearch(scope, { active, name })?.();
  return anywhere?.files.some(({ places }) => places.some(({ alias }) => alias !== undefined)) === true;
}
