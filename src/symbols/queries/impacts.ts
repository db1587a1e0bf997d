import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import type { Gap } from '../../base/gap.ts';
import { placeKey } from '../../text/place.ts';
import { isTest } from '../model/is-test.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namedSymbol, preOrder, type Related, type SymbolNode } from '../model/symbol.ts';
import { type TextSearch, textSearch } from '../model/text-search.ts';
import { hierarchyStep } from './hierarchy.ts';

/** What depends on a changed symbol. */
export interface Impact {
  readonly users: readonly Related[];
  /** Users of users, over any number of levels that were searched; without users. */
  readonly indirect: readonly Related[];
  readonly tests: readonly Related[];
}

/** A name with more matches in code is not searched, unless it does not count. */
const maxMatches = 400;
/** Changed symbols whose names are counted, for each that may be searched; the others are not searched. */
const countedPerSearch = 4;
/** For an answer that somebody waits for. */
const usualLimits: ImpactLimits = {
  direct: { symbols: 24, matches: maxMatches, uncounted: 4, ms: 1_600, untimed: 4 },
  indirect: { symbols: 24, matches: 100, uncounted: 0, ms: 2_000, untimed: 2 },
};

const unlimitedMs = 240_000;

/**
 * Returns limits for whoever runs what is found: half of the time in ms that a call has left, beside the time that passed
 * since the question.
 */
export function exhaustiveLimits(leftMs: number | undefined, passedMs = 0): ImpactLimits {
  const ms = Math.round((leftMs ?? unlimitedMs) / 2);
  const limits = { symbols: 2_000, matches: 100_000, uncounted: 50, untimed: 4 };
  return { direct: { ...limits, ms: passedMs + Math.round(ms / 2) }, indirect: { ...limits, ms: passedMs + ms } };
}

/** How far users are searched. */
export interface ImpactLimits {
  readonly direct: Limits;
  readonly indirect: Limits;
}

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
  { direct: directLimits, indirect: indirectLimits }: ImpactLimits = usualLimits,
): Promise<Map<SymbolNode, Impact>> {
  const search = new UserSearch(scope);
  const searched = new Map(symbols.map((symbol) => [symbol, namedSymbol(symbol)]));
  const named = [...new Set(searched.values())].filter((symbol) => symbol !== undefined);
  const direct = await search.users(named.slice(0, countedPerSearch * directLimits.symbols), {
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

/** What searches may still cost. */
interface SearchBudget {
  /** Number of symbols. */
  symbols: number;
  /** Matches of their names in code: a server reads each file with a match. */
  matches: number;
  /** Symbols whose matches do not count. */
  uncounted: number;
  /** Value of `performance.now()` after which no further symbol is searched. */
  readonly until: number;
  /** Symbols that are searched also after this time. */
  untimed: number;
}

const searchedAtOnce = 2;
/** More gaps are reported as one. */
const maxGaps = 2;
const maxNamed = 5;

class UserSearch {
  readonly #scope: SymbolScope;
  readonly #searches = new Map<string, TextSearch>();
  readonly #gaps: Gap[] = [];
  readonly #doubtful: SymbolNode[] = [];

  constructor(scope: SymbolScope) {
    this.#scope = scope;
  }

  /**
   * Returns the users of the symbols that the budget allows, those with the fewest matches first, and reduces the budget;
   * `undefined` for a symbol whose search failed, which becomes a gap.
   */
  async users(
    symbols: readonly SymbolNode[],
    budget: SearchBudget,
  ): Promise<Map<SymbolNode, readonly Related[] | undefined>> {
    if (budget.symbols === 0 || (budget.untimed === 0 && performance.now() >= budget.until)) return new Map();
    const costs = await mapConcurrently(symbols, searchedAtOnce, async (symbol) => ({
      symbol,
      ...(await this.#costOf(symbol)),
    }));
    const unused = costs.filter(({ isUnused }) => isUnused);
    const used = costs.filter(({ isUnused }) => !isUnused).sort((a, b) => a.matches - b.matches);
    const affordable = used.filter(({ matches }) => {
      const isCounted = budget.uncounted === 0;
      if (budget.symbols === 0 || (isCounted && matches > budget.matches)) return false;
      budget.symbols--;
      if (isCounted) budget.matches -= matches;
      else budget.uncounted--;
      return true;
    });
    const untimed = affordable.splice(0, budget.untimed);
    const found = await mapConcurrently(untimed, searchedAtOnce, ({ symbol }) => this.#entryOf(symbol));
    const more = await mapConcurrently(affordable, searchedAtOnce, async ({ symbol }) =>
      performance.now() < budget.until ? [await this.#entryOf(symbol)] : [],
    );
    budget.untimed -= untimed.length;
    return new Map([...unused.map(({ symbol }) => [symbol, []] as const), ...found, ...more.flat()]);
  }

  /** Adds the gaps of all searches to those of the answer. */
  reportGaps(): void {
    const { gaps } = this.#scope;
    if (this.#gaps.length <= maxGaps) {
      gaps.push(...this.#gaps);
      return;
    }
    const named = this.#doubtful.slice(0, maxNamed).map((symbol) => `\`${namePathOf(symbol)}\``);
    const more = this.#doubtful.length - named.length;
    gaps.push({
      missing: `Users of ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''} may be missing`,
      reason: 'the language server cannot resolve all matches of these names',
      next: 'Call `symbol_hierarchy` with kind "callers" and one of them for details',
    });
  }

  /** Returns the matches of a symbol's name; if only its declaration matches, nothing uses it. */
  async #costOf({ name, file, selectionRange }: SymbolNode): Promise<{ matches: number; isUnused: boolean }> {
    const active = this.#scope.files.sources.serverOf(file);
    const limit = maxMatches + 1;
    const search = this.#searches.get(name) ?? (active && textSearch(this.#scope, { active, name, limit }));
    if (search === undefined) return { matches: 0, isUnused: false };
    this.#searches.set(name, search);
    const found = await search().catch((error: unknown) => {
      this.#scope.call.signal.throwIfAborted();
      if (isExpected(error, 'search.too-slow')) return undefined;
      throw error;
    });
    if (found === undefined || found.isCutOff) return { matches: limit, isUnused: false };
    const matches = found.files.flatMap(({ path, places }) => places.map(({ line }) => ({ path, line })));
    const [first] = matches;
    const isDeclaration = first?.path === file && first.line === selectionRange.start.line;
    return { matches: matches.length, isUnused: matches.length === 1 && isDeclaration && found.unread.length === 0 };
  }

  async #entryOf(symbol: SymbolNode): Promise<[SymbolNode, readonly Related[] | undefined]> {
    return [symbol, await this.#usersOf(symbol)];
  }

  async #usersOf(symbol: SymbolNode): Promise<readonly Related[] | undefined> {
    const gaps: Gap[] = [];
    try {
      const scope = { ...this.#scope, gaps };
      const current = await currentOf(scope, symbol);
      return current && (await hierarchyStep(scope, current, 'users')).related;
    } catch (error) {
      this.#scope.call.signal.throwIfAborted();
      if (!(error instanceof ExpectedError)) throw error;
      const missing = `The users of \`${namePathOf(symbol)}\` are missing`;
      gaps.push({ missing, reason: messageOf(error), next: 'Call `search_for_pattern` with the name' });
      return undefined;
    } finally {
      if (gaps.length > 0) this.#doubtful.push(symbol);
      this.#gaps.push(...gaps);
    }
  }
}

/** Returns the server's symbol of the same name path: that of a syntax tree may have another range. */
async function currentOf(scope: SymbolScope, symbol: SymbolNode): Promise<SymbolNode | undefined> {
  const path = namePathOf(symbol);
  const nodes = preOrder(await scope.files.treeOf(symbol.file, scope.call));
  const { line } = symbol.selectionRange.start;
  return (
    nodes.find((node) => node.name === symbol.name && node.selectionRange.start.line === line) ??
    nodes.find((node) => namePathOf(node) === path)
  );
}
