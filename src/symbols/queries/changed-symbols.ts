import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { ChangedFile, ChangedFiles } from '../../project/changed-files.ts';
import { decode } from '../../text/decode.ts';
import { getCodec } from '../../text/encodings.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import { textLines } from '../../text/text-lines.ts';
import { isTest } from '../model/is-test.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { preOrder, type SymbolNode } from '../model/symbol.ts';
import { type FileState, type SymbolChanges, symbolChanges } from '../model/symbol-changes.ts';
import { parsedLanguageOf } from '../model/syntax-language.ts';
import { textSearch } from '../model/text-search.ts';
import { findUsers } from './callers.ts';
import type { Related } from './hierarchy-neighbors.ts';

/** What depends on a changed symbol. */
export interface Impact {
  readonly users: readonly Related[];
  /** Users of users, over any number of levels that were searched; without users. */
  readonly indirect: readonly Related[];
  /** Tests among all of them. */
  readonly tests: readonly Related[];
}

/** Matches of the name of a deleted symbol in code. */
export interface Remaining {
  readonly file: string;
  readonly lines: readonly number[];
}

/** The symbols that differ between two states of a repository. */
export interface ChangedSymbols extends SymbolChanges {
  /** By symbol, of the new state; absent for symbols that were not searched. */
  readonly impacts: ReadonlyMap<SymbolNode, Impact>;
  /** By deleted symbol; absent if its name is no identifier. */
  readonly remaining: ReadonlyMap<SymbolNode, readonly Remaining[]>;
}

/** Each file is parsed twice. */
const maxFiles = 400;
/** Each symbol costs a search of the project. */
const maxSearched = 24;
const maxIndirect = 24;
const searchedAtOnce = 4;

/**
 * Returns the symbols that differ between two states of a repository, with what depends on them now. Only the changed
 * files are parsed; language servers find the users. What is beyond the limits becomes a gap.
 */
export async function findChangedSymbols(scope: SymbolScope, { files }: ChangedFiles): Promise<ChangedSymbols> {
  if (files.length > maxFiles) {
    const reason = `an answer covers ${maxFiles} of the ${counted(files.length, 'changed file')}`;
    scope.gaps.push({ missing: 'Changed symbols are missing', reason, next: 'Pass a directory as `relative_path`' });
  }
  const unread: string[] = [];
  const states = await mapConcurrently(files.slice(0, maxFiles), searchedAtOnce, async (file) => {
    const [old, current] = [await stateOf(scope, file, 'old'), await stateOf(scope, file, 'new')];
    if (old === 'unread' || current === 'unread') unread.push(file.path);
    return old === 'unread' || current === 'unread' ? { old: undefined, new: undefined } : { old, new: current };
  });
  if (unread.length > 0) {
    const reason = `${namedFiles(unread)} could not be read or parsed`;
    scope.gaps.push({ missing: 'Changed symbols are missing', reason, next: 'Compare the files by their text' });
  }
  const changes = symbolChanges(states);
  return { ...changes, impacts: await impactsOf(scope, changes), remaining: await remainingOf(scope, changes.deleted) };
}

async function stateOf(
  scope: SymbolScope,
  file: ChangedFile,
  side: 'old' | 'new',
): Promise<FileState | undefined | 'unread'> {
  const content = file[side];
  const language = parsedLanguageOf(scope.files.sources, file.path);
  if (content === undefined || language === undefined) return undefined;
  try {
    const text = content === 'on-disk' ? scope.files.textOf(file.path) : decoded(scope, content);
    if (text === undefined) return 'unread';
    const { nodes } = await scope.files.parsed.treeOf(file.path, text, language);
    return { tree: nodes, text };
  } catch (error) {
    scope.call.signal.throwIfAborted();
    // Deleted since Git listed it.
    return error instanceof ExpectedError && error.code === 'file.not-found' ? undefined : 'unread';
  }
}

function decoded({ files }: SymbolScope, content: Buffer) {
  const result = decode(content, getCodec(files.project.config.encoding));
  return result.kind === 'text' ? textLines(normalizeNewlines(result.text)) : undefined;
}

async function impactsOf(scope: SymbolScope, { changed, moved }: SymbolChanges): Promise<Map<SymbolNode, Impact>> {
  const all = [...moved.map(({ to }) => to), ...changed];
  const searched = all.slice(0, maxSearched);
  reportUnsearched(scope, all.length - searched.length);
  const direct = await mapConcurrently(searched, searchedAtOnce, (symbol) => usersOf(scope, symbol));
  const indirect = new IndirectUsers(scope);
  const impacts = new Map<SymbolNode, Impact>();
  for (const [index, symbol] of searched.entries()) {
    const users = direct[index];
    if (users === undefined) continue;
    const others = await indirect.of(symbol, users);
    const isTested = (one: Related) => isTest(one.symbol);
    impacts.set(symbol, {
      users: users.filter((one) => !isTested(one)),
      indirect: others.filter((one) => !isTested(one)),
      tests: [...users, ...others].filter(isTested),
    });
  }
  indirect.report();
  return impacts;
}

function reportUnsearched(scope: SymbolScope, left: number): void {
  if (left === 0) return;
  scope.gaps.push({
    missing: `The users of ${counted(left, 'more changed symbol')} are missing`,
    reason: `an answer covers the users of ${maxSearched} symbols`,
    next: 'Pass a file as `relative_path`, or call `symbol_hierarchy` with a symbol',
  });
}

/** Finds users of users for several symbols; each user is searched once, up to a limit. */
class IndirectUsers {
  readonly #scope: SymbolScope;
  readonly #known = new Map<string, readonly Related[]>();
  #isIncomplete = false;

  constructor(scope: SymbolScope) {
    this.#scope = scope;
  }

  /** Returns the users of the users of a symbol over all levels, nearest first, without the users themselves. */
  async of(symbol: SymbolNode, users: readonly Related[]): Promise<Related[]> {
    const seen = new Set([keyOf(symbol), ...users.map((user) => keyOf(user.symbol))]);
    const found: Related[] = [];
    const pending = users.filter((user) => !isTest(user.symbol));
    for (let one = pending.shift(); one !== undefined; one = pending.shift()) {
      for (const user of await this.#usersOf(one.symbol)) {
        if (seen.has(keyOf(user.symbol))) continue;
        seen.add(keyOf(user.symbol));
        found.push(user);
        if (!isTest(user.symbol)) pending.push(user);
      }
    }
    return found;
  }

  async #usersOf(symbol: SymbolNode): Promise<readonly Related[]> {
    const known = this.#known.get(keyOf(symbol));
    if (known !== undefined) return known;
    this.#isIncomplete ||= this.#known.size >= maxIndirect;
    if (this.#isIncomplete) return [];
    const users = (await usersOf(this.#scope, symbol)) ?? [];
    this.#known.set(keyOf(symbol), users);
    return users;
  }

  report(): void {
    if (!this.#isIncomplete) return;
    this.#scope.gaps.push({
      missing: 'Indirect users and tests may be missing',
      reason: `an answer follows ${maxIndirect} users`,
      next: 'Call `symbol_hierarchy` with kind "callers" and a `depth`',
    });
  }
}

/** Returns the users of a symbol; `undefined` if they cannot be found, which becomes a gap. */
async function usersOf(scope: SymbolScope, symbol: SymbolNode): Promise<readonly Related[] | undefined> {
  try {
    const current = await currentOf(scope, symbol);
    return current && (await findUsers(scope, current));
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    scope.gaps.push({
      missing: `The users of \`${namePathOf(symbol)}\` are missing`,
      reason: messageOf(error),
      next: 'Call `search_for_pattern` with the name',
    });
    return undefined;
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

async function remainingOf(
  scope: SymbolScope,
  deleted: readonly SymbolNode[],
): Promise<Map<SymbolNode, readonly Remaining[]>> {
  const remaining = new Map<SymbolNode, readonly Remaining[]>();
  await mapConcurrently(deleted, searchedAtOnce, async (symbol) => {
    const active = scope.files.sources.serverOf(symbol.file);
    const search = active && textSearch(scope, { active, name: symbol.name });
    if (search === undefined) return;
    const { files } = await search();
    const found = files.map(({ path, places }) => ({
      file: path,
      lines: [...new Set(places.map(({ line }) => line))],
    }));
    remaining.set(symbol, found);
  });
  return remaining;
}

function keyOf({ file, range: { start } }: SymbolNode): string {
  return `${file}:${start.line}:${start.character}`;
}
