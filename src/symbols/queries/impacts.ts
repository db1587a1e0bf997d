import { counted } from '../../base/counted.ts';
import { placeKey } from '../../text/place.ts';
import type { Related } from '../model/hierarchy-step.ts';
import { isTest } from '../model/is-test.ts';
import { namedSymbol } from '../model/named-symbol.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { maxMatches, type SearchBudget, UserSearch } from './user-search.ts';

/** What depends on a changed symbol. */
export interface Impact {
  readonly users: readonly Related[];
  /** Users of users, over any number of levels that were searched; without users. */
  readonly indirect: readonly Related[];
  /** Tests among all of them. */
  readonly tests: readonly Related[];
}

/** Changed symbols whose names are counted; the others are not searched. */
const maxCounted = 100;
const directLimits: Limits = { symbols: 24, matches: maxMatches, uncounted: 4, ms: 1_600, untimed: 4 };
const indirectLimits: Limits = { symbols: 24, matches: 100, uncounted: 0, ms: 2_000, untimed: 2 };

/** Limits of a search; its time, in ms, counts from the question, so that one part may use what another one did not. */
interface Limits extends Omit<SearchBudget, 'until'> {
  readonly ms: number;
}

/**
 * Returns the users of symbols, by symbol; of a symbol without a name, those of the one around it. A search costs about as
 * much as there are matches of the name, so the symbols with the fewest matches are searched first, up to limits; the
 * others become a gap. `startedAt` is the value of `performance.now()` when the question came.
 */
export async function findImpacts(
  scope: SymbolScope,
  symbols: readonly SymbolNode[],
  startedAt: number,
): Promise<Map<SymbolNode, Impact>> {
  const search = new UserSearch(scope);
  const searched = new Map(symbols.map((symbol) => [symbol, namedSymbol(symbol)]));
  const named = [...new Set(searched.values())].filter((symbol) => symbol !== undefined);
  const direct = await search.users(named.slice(0, maxCounted), {
    ...directLimits,
    until: startedAt + directLimits.ms,
  });
  const left = named.filter((symbol) => !direct.has(symbol));
  if (left.length > 0) {
    scope.gaps.push({
      missing: `The users of ${counted(left.length, 'more changed symbol')} are missing`,
      reason: limitsOf(directLimits),
      next: 'Pass a file as `relative_path`, or call `symbol_hierarchy` with a symbol',
    });
  }
  const indirect = await IndirectUsers.of(
    search,
    [...direct.values()].flatMap((users) => users ?? []),
    { ...indirectLimits, until: startedAt + indirectLimits.ms },
  );
  if (indirect.isIncomplete) {
    scope.gaps.push({
      missing: 'Indirect users and tests may be missing',
      reason: limitsOf(indirectLimits),
      next: 'Call `symbol_hierarchy` with kind "callers" and a `depth`',
    });
  }
  search.reportGaps();
  return new Map(
    [...searched].flatMap(([symbol, target]) => {
      const users = target && direct.get(target);
      return target && users ? [[symbol, impactOf(target, users, indirect)]] : [];
    }),
  );
}

/** The users of users, each searched once; those of a callback are the users of what is around it. */
class IndirectUsers {
  readonly #users = new Map<string, readonly Related[]>();
  isIncomplete = false;

  /** Searches the users of `users`, level by level, and reduces the budget. Tests are ends. */
  static async of(search: UserSearch, users: readonly Related[], budget: SearchBudget): Promise<IndirectUsers> {
    const own = new IndirectUsers();
    for (let level = users; level.length > 0; ) {
      const named = level.flatMap(({ symbol }) => namedSymbol(symbol) ?? []);
      const unknown = named.filter((symbol) => !isTest(symbol) && !own.#users.has(placeKey(symbol)));
      const symbols = [...new Map(unknown.map((symbol) => [placeKey(symbol), symbol])).values()];
      const found = await search.users(symbols, budget);
      if (found.size < symbols.length) own.isIncomplete = true;
      for (const [symbol, next] of found) own.#users.set(placeKey(symbol), next ?? []);
      level = [...found.values()].flatMap((next) => next ?? []);
    }
    return own;
  }

  /** Returns the users of the users of a symbol over all levels, nearest first, without the users themselves. */
  beyond(symbol: SymbolNode, users: readonly Related[]): Related[] {
    const seen = new Set([placeKey(symbol), ...users.map((user) => placeKey(user.symbol))]);
    const found: Related[] = [];
    const pending = [...users];
    for (let one = pending.shift(); one !== undefined; one = pending.shift()) {
      for (const user of this.#users.get(placeKey(namedSymbol(one.symbol) ?? one.symbol)) ?? []) {
        if (seen.has(placeKey(user.symbol))) continue;
        seen.add(placeKey(user.symbol));
        found.push(user);
        pending.push(user);
      }
    }
    return found;
  }
}

function limitsOf({ symbols, matches, ms }: Limits): string {
  return `the search covers at most ${symbols} symbols and ${matches} matches of their names, and ends ${ms / 1000} s after the question`;
}

function impactOf(symbol: SymbolNode, users: readonly Related[], indirect: IndirectUsers): Impact {
  const others = indirect.beyond(symbol, users);
  const isTested = (one: Related) => isTest(one.symbol);
  return {
    users: users.filter((one) => !isTested(one)),
    indirect: others.filter((one) => !isTested(one)),
    tests: [...users, ...others].filter(isTested),
  };
}
