import { ExpectedError } from '../../base/errors.ts';
import type { Related } from '../model/hierarchy-step.ts';
import { isTest } from '../model/is-test.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { type NamedScope, namedReferences } from './named-references.ts';
import type { Neighborhood } from './neighborhood.ts';

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
