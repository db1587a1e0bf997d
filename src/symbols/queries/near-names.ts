import { isExpected } from '../../base/errors.ts';
import { nearestFew } from '../../base/nearest.ts';
import { lastName, namePathOf, parsePattern } from '../model/name-path.ts';
import type { Place, SymbolScope } from '../model/scope.ts';
import { preOrder, type SymbolNode } from '../model/symbol.ts';
import { findSymbols } from './find.ts';

/** As many as a reader compares at a glance. */
const maxSuggested = 5;

/** Beyond it the lines with similar words are too many for a word in them to be meant. */
const maxSearchedChars = 400_000;

/** What stands between the names of a path in other notations. */
const otherSeparators = /::|->|[.#]/g;

const allKinds = { include: [], exclude: [] };

/** A question without symbols as its answer. */
export interface Unmatched {
  /** The name path pattern that matches nothing. */
  readonly pattern: string;
  readonly place: Place;
}

/**
 * Returns symbols that a pattern without a match may be meant for, the likeliest first: those with the names of the pattern
 * written with other separators (`Class.method`), those below the same parent with a similar name, those with the last name
 * elsewhere, and those with a similar name.
 */
export async function findNear(scope: SymbolScope, { pattern, place }: Unmatched): Promise<SymbolNode[]> {
  // What could not be searched is part of the answer already.
  const quiet = { ...scope, gaps: [] };
  const path = withSlashes(pattern);
  if (path === '') return [];
  const find = (text: string) => findSymbols(quiet, parsePattern(text), { place, kinds: allKinds });
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
  return place.isFile
    ? nearest(name, preOrder(await scope.files.treeOf(place.path, scope.call)))
    : similar(quiet, name, place);
}

/**
 * Returns what {@link findNear} does or, where that is nothing below the place, symbols of the whole project with the names of
 * the pattern; nothing where the search fails.
 *
 * @throws the signal's reason.
 */
export async function suggestNear(scope: SymbolScope, unmatched: Unmatched): Promise<SymbolNode[]> {
  const { pattern, place } = unmatched;
  return orNothing(scope, async () => {
    const near = await findNear(scope, unmatched);
    const path = withSlashes(pattern);
    if (near.length > 0 || place.path === '' || path === '') return near;
    const everywhere = { place: { path: '', isFile: false }, kinds: allKinds };
    return (await findSymbols({ ...scope, gaps: [] }, parsePattern(path), everywhere)).slice(0, maxSuggested);
  });
}

/**
 * Returns what a search for suggestions finds, nothing where it fails: the caller has an answer without it.
 *
 * @throws the signal's reason.
 */
export async function orNothing(scope: SymbolScope, search: () => Promise<SymbolNode[]>): Promise<SymbolNode[]> {
  try {
    return await search();
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (isExpected(error)) return [];
    throw error;
  }
}

/** Returns a pattern with the separators of name paths, without those at its ends. */
function withSlashes(pattern: string): string {
  return pattern.replace(otherSeparators, '/').replace(/^\/+|\/+$/g, '');
}

/** True if the names of a pattern are separated as in another notation. */
export function hasOtherSeparators(pattern: string): boolean {
  return !pattern.includes('/') && new RegExp(otherSeparators.source).test(pattern);
}

/** What a caller is told whose pattern {@link hasOtherSeparators}. */
export const separatorRule = 'Names in a name path are separated by `/`, as in `Class/method`';

function nearest(name: string, symbols: readonly SymbolNode[]): SymbolNode[] {
  const names = nearestFew(name, [...new Set(symbols.map((symbol) => symbol.name))], maxSuggested);
  const found = names.flatMap((one) => symbols.filter((symbol) => symbol.name === one));
  return found.slice(0, maxSuggested);
}

/** One slip leaves one half of a name as it is: words with either half are looked for in the text. */
async function similar(scope: SymbolScope, name: string, place: Place): Promise<SymbolNode[]> {
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
      ...{ under: place.path, suffixes: sources.suffixes, pruneDirectories: sources.prunedDirectories },
      maxChars: maxSearchedChars,
    },
    scope.call.signal,
  );
  const lines = files.flatMap(({ firstLines }) => (firstLines ?? []).map(({ text }) => text));
  const words = new Set(lines.flatMap((line) => line.match(/[\p{L}\p{N}_$]+/gu) ?? []));
  const found: SymbolNode[] = [];
  for (const one of nearestFew(name, [...words], maxSuggested)) {
    found.push(...(await findSymbols(scope, parsePattern(one), { place, kinds: allKinds })));
    if (found.length >= maxSuggested) break;
  }
  return found.slice(0, maxSuggested);
}

/** Returns where a symbol is, for a reader who looks for it. */
export function describeNear(symbol: SymbolNode): string {
  return `\`${namePathOf(symbol)}\` in \`${symbol.file}\``;
}
