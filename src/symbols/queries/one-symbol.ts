import { ExpectedError, isExpected } from '../../base/errors.ts';
import { nearestFew } from '../../base/nearest.ts';
import { parseDependencyAddress } from '../../search/dependency-address.ts';
import { asciiJson } from '../../text/json.ts';
import { kindName } from '../model/kinds.ts';
import { lastName, namePathOf, parsePattern } from '../model/name-path.ts';
import { resolveRoot, type SearchRoot, type SymbolScope, treeIn } from '../model/scope.ts';
import { preOrder, type SymbolNode } from '../model/symbol.ts';
import { findInDependencies } from './dependency-symbols.ts';
import { findSymbols } from './find.ts';

const anyKind = { include: [], exclude: [] };

/**
 * Returns the symbol that `namePath` identifies below `relativePath`: the only match, or the only match whose full name
 * path equals `namePath`, `/` around it aside; see docs/compatibility.md, Unique symbols.
 *
 * @throws {ExpectedError} `symbol.not-found`; `symbol.ambiguous`, which lists the candidates; errors of
 *   {@link findSymbols}.
 */
export async function uniqueSymbol(scope: SymbolScope, namePath: string, relativePath: string): Promise<SymbolNode> {
  const root = await resolveRoot(scope, relativePath);
  const found = await findSymbols(scope, parsePattern(namePath), { root, kinds: anyKind });
  if (found.length === 0) throw await notFound(scope, namePath, root);
  return onlyOf(found, namePath);
}

/** The most common names have hundreds of definitions in libraries. */
const maxCandidates = 30;

/**
 * As {@link uniqueSymbol}, among the symbols of the libraries too, or those of a library if `relativePath` is the address
 * of one.
 *
 * @throws {ExpectedError} as {@link uniqueSymbol}; `file.*`.
 */
export async function uniqueInLibraries(
  scope: SymbolScope,
  namePath: string,
  relativePath: string,
): Promise<SymbolNode> {
  const pattern = parsePattern(namePath);
  const within = parseDependencyAddress(relativePath) && relativePath;
  const root = within === undefined ? await resolveRoot(scope, relativePath) : undefined;
  const own = root === undefined ? [] : await findSymbols(scope, pattern, { root, kinds: anyKind });
  const found = [...own, ...(await findInDependencies(scope, pattern, { within, kinds: anyKind }))];
  if (found.length > 0) return onlyOf(found, namePath, maxCandidates);
  const where = within === undefined ? 'the project or its libraries' : `\`${within}\``;
  throw new ExpectedError('symbol.not-found', `no symbol matches \`${namePath}\` in ${where}`, {
    hints: ['call `find_symbol` with `include_dependencies` and `substring_matching`'],
  });
}

function onlyOf(found: readonly SymbolNode[], namePath: string, maxListed = found.length): SymbolNode {
  const [only] = found;
  if (only && found.length === 1) return only;
  const wanted = namePath.replace(/^\/+|\/+$/g, '');
  const exact = found.filter((symbol) => namePathOf(symbol) === wanted);
  if (exact.length === 1 && exact[0]) return exact[0];
  const name = lastName(parsePattern(namePath));
  const named = found.filter((symbol) => symbol.name === name);
  if (named.length === 1 && named[0]) return named[0];
  // Candidate lists are indented and ASCII only; see docs/compatibility.md, JSON in answers.
  const candidates = found.slice(0, maxListed).map((symbol) => ({
    name_path: namePathOf(symbol),
    kind: kindName(symbol.kind),
    relative_path: symbol.file,
  }));
  const first = candidates.length < found.length ? `, the first ${candidates.length} are` : '';
  throw new ExpectedError(
    'symbol.ambiguous',
    `\`${namePath}\` matches ${found.length} symbols${first}: ${asciiJson(JSON.stringify(candidates, null, 2))}`,
    { hints: ['pass one of these name paths, with its `relative_path`'] },
  );
}

/** Returns the error for a name path without a match, with suggestions. */
async function notFound(scope: SymbolScope, namePath: string, root: SearchRoot): Promise<ExpectedError> {
  const where = root.path === '' ? 'the project' : `\`${root.path}\``;
  const near = (await suggestNear(scope, { pattern: namePath, root })).map(describeNear);
  const alternatives = new Intl.ListFormat('en', { type: 'disjunction', style: 'long' }).format(near);
  return new ExpectedError('symbol.not-found', `no symbol matches \`${namePath}\` in ${where}`, {
    hints: [
      ...(near.length > 0 ? [`did you mean ${alternatives}?`] : []),
      ...(hasOtherSeparators(namePath) ? [separatorRule] : []),
      'call `get_symbols_overview` with the file to see what it defines',
      'call `find_symbol` with `substring_matching` to search by part of a name',
    ],
  });
}

/** As many as a reader can compare at a glance. */
const maxSuggested = 5;

/** Limit for the text of lines with similar words. Beyond it the name is too common for a suggestion. */
const maxSearchedChars = 400_000;

/** Separators of names in other notations. */
const otherSeparators = /::|->|[.#]/g;

const allKinds = { include: [], exclude: [] };

/** A query that no symbol matches. */
interface UnmatchedPattern {
  readonly pattern: string;
  readonly root: SearchRoot;
}

/**
 * Suggests symbols for a pattern without a match. Returns the first of these that is not empty: exact matches if the
 * pattern has other separators (`Class.method`), siblings with a similar name, symbols with the last name elsewhere,
 * and symbols with a similar name.
 */
export async function findNear(scope: SymbolScope, { pattern, root }: UnmatchedPattern): Promise<SymbolNode[]> {
  // The answer to the pattern itself already has the gaps.
  const quiet = { ...scope, gaps: [] };
  const path = withSlashes(pattern);
  if (path === '') return [];
  const find = (text: string) => findSymbols(quiet, parsePattern(text), { root, kinds: allKinds });
  const exact = path === pattern ? [] : await find(path);
  if (exact.length > 0) return exact.slice(0, maxSuggested);
  const names = path.split('/');
  const name = lastName(parsePattern(path));
  const siblings =
    names.length > 1 ? (await find(names.slice(0, -1).join('/'))).flatMap(({ children }) => children) : [];
  const near = nearest(name, siblings);
  if (near.length > 0) return near;
  const elsewhere = names.length > 1 ? await find(name) : [];
  if (elsewhere.length > 0) return elsewhere.slice(0, maxSuggested);
  return root.isFile ? nearest(name, preOrder(await treeIn(scope, root.path))) : similar(quiet, name, root);
}

/**
 * As {@link findNear}, but searches the whole project for the pattern if nothing is found below the directory. Returns
 * an empty list if the search fails.
 *
 * @throws the signal's reason.
 */
async function suggestNear(scope: SymbolScope, unmatched: UnmatchedPattern): Promise<SymbolNode[]> {
  const { pattern, root } = unmatched;
  return orEmpty(scope, async () => {
    const near = await findNear(scope, unmatched);
    const path = withSlashes(pattern);
    if (near.length > 0 || root.path === '' || path === '') return near;
    const everywhere = { root: { path: '', isFile: false }, kinds: allKinds };
    return (await findSymbols({ ...scope, gaps: [] }, parsePattern(path), everywhere)).slice(0, maxSuggested);
  });
}

/**
 * Returns the result of a search for suggestions, or an empty list if it fails: suggestions are optional.
 *
 * @throws the signal's reason.
 */
export async function orEmpty(scope: SymbolScope, search: () => Promise<SymbolNode[]>): Promise<SymbolNode[]> {
  try {
    return await search();
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (isExpected(error)) return [];
    throw error;
  }
}

/** Replaces other separators by `/`, and removes separators at both ends. */
function withSlashes(pattern: string): string {
  return pattern.replace(otherSeparators, '/').replace(/^\/+|\/+$/g, '');
}

/** True if a pattern uses the separators of another notation. */
export function hasOtherSeparators(pattern: string): boolean {
  return !pattern.includes('/') && new RegExp(otherSeparators.source).test(pattern);
}

/** Hint for a pattern that {@link hasOtherSeparators}. */
export const separatorRule = 'Names in a name path are separated by `/`, as in `Class/method`';

function nearest(name: string, symbols: readonly SymbolNode[]): SymbolNode[] {
  const names = nearestFew(name, [...new Set(symbols.map((symbol) => symbol.name))], maxSuggested);
  const found = names.flatMap((one) => symbols.filter((symbol) => symbol.name === one));
  return found.slice(0, maxSuggested);
}

/**
 * Returns symbols with a similar name. A single typo leaves one half of the name intact, so searches words with either
 * half.
 */
async function similar(scope: SymbolScope, name: string, root: SearchRoot): Promise<SymbolNode[]> {
  const {
    project: { scanner },
    sources,
  } = scope.files;
  const half = Math.ceil(name.length / 2);
  const [start, end] = [name.slice(0, half), name.slice(-half)].map((part) => RegExp.escape(part));
  const isWord = /^[\p{L}\p{N}_$]{3,}$/u.test(name);
  if (!isWord) return [];
  const word = `(?:${start}[\\w$]*|[\\w$]*${end})`;
  const { files } = await scanner.search(
    {
      ...{ pattern: `(?i)(?<![\\w$])${word}(?![\\w$])`, multiline: true, contextBefore: 0, contextAfter: 0 },
      ...{ under: root.path, extensions: sources.extensions, pruneDirectories: sources.prunedDirectories },
      maxChars: maxSearchedChars,
    },
    scope.call.signal,
  );
  const lines = files.flatMap(({ firstLines }) => (firstLines ?? []).map(({ text }) => text));
  const words = new Set(lines.flatMap((line) => line.match(/[\p{L}\p{N}_$]+/gu) ?? []));
  const found: SymbolNode[] = [];
  for (const one of nearestFew(name, [...words], maxSuggested)) {
    found.push(...(await findSymbols(scope, parsePattern(one), { root, kinds: allKinds })));
    if (found.length >= maxSuggested) break;
  }
  return found.slice(0, maxSuggested);
}

/** Returns a symbol's name path and file for a message. */
export function describeNear(symbol: SymbolNode): string {
  return `\`${namePathOf(symbol)}\` in \`${symbol.file}\``;
}
