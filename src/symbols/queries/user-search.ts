import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import type { Gap } from '../../base/gap.ts';
import type { Related } from '../model/hierarchy-step.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { preOrder, type SymbolNode } from '../model/symbol.ts';
import { type TextSearch, textSearch } from '../model/text-search.ts';
import { hierarchyStep } from './hierarchy-step.ts';

/** What searches may still cost. */
export interface SearchBudget {
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
/** A name with more matches in code is not searched, unless it does not count. */
export const maxMatches = 400;
/** More gaps are reported as one. */
const maxGaps = 2;
const maxNamed = 5;

/** Finds the users of several symbols. */
export class UserSearch {
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
