import { LRUCache } from 'lru-cache';
import type { FileState } from '../base/file-state.ts';
import { extensionIn } from '../base/paths.ts';
import { profileOf } from '../languages/profiles.ts';
import { escapedForms, type InertSpans, identifierOccurrences } from '../text/identifiers.ts';
import { lineStarts } from '../text/lines.ts';
import { positionAt } from '../text/position.ts';
import type { FileIdentifiers, IdentifierQuery, IdentifierResult } from './scan-protocol.ts';
import { readTexts } from './scan-search.ts';
import { findFiles } from './scan-walk.ts';
import type { Entry, FileStates, Snapshot } from './snapshot.ts';
import type { TextSource } from './text-index.ts';

interface KnownName {
  readonly entries: readonly Entry[];
  /** By entry, the state in which the file was searched. If all were, this is the array of all states. */
  readonly searched: FileStates;
  /** By path, where the name occurs in those files. */
  readonly found: ReadonlyMap<string, FileIdentifiers>;
}

/** Finding the comments and strings of a generated file of several MB takes longer than reading all other files. */
const minKeptChars = 100_000;
const maxKeptBytes = 4 * 1024 * 1024;
/** What is not code in long texts. */
const keptSpans = new LRUCache<FileState, { readonly language: string; readonly spans: InertSpans }>({
  maxSize: maxKeptBytes,
  sizeCalculation: ({ spans }) => spans.byteLength + 1,
});

/** The files of all names: an agent makes several calls in a row about the same symbols. One has about 100 bytes. */
const maxKeptFiles = 400_000;
/** In any project that many names are kept. */
const minKeptNames = 4;
/** What the state of one file takes of that, unless it is in the array of all states. */
const stateShare = 1 / 12;
/** By the query without its paths and its limit. */
const cache = new WeakMap<Snapshot, LRUCache<string, KnownName>>();

/**
 * Finds the occurrences of a name in code. Files that are unchanged since the last query for the name are not read
 * again.
 *
 * @throws {ExpectedError} `file.not-found`.
 */
export function identifiers(source: TextSource, query: IdentifierQuery): IdentifierResult {
  const { snapshot, checkStop } = source;
  const { name, isPart = false, languages, paths, limit = Number.POSITIVE_INFINITY } = query;
  const { under, includeIgnored, includeLinks, pruneDirectories } = query;
  const scope = { under, includeIgnored, includeLinks, pruneDirectories };
  const entries = findFiles(snapshot, { ...scope, extensions: Object.keys(languages) }, checkStop);
  const states = snapshot.states(entries, checkStop);
  const names = cache.get(snapshot) ?? new LRUCache({ maxSize: maxKeptFiles });
  cache.set(snapshot, names);
  const key = JSON.stringify([name, isPart, languages, scope]);
  const known = names.get(key);
  const searched = known === undefined ? [] : searchedStates(known, entries);
  if (known !== undefined && searched === states && paths === undefined) {
    const files = [...known.found.values()];
    return { files, unread: [], isCutOff: placesIn(files) >= limit };
  }
  const only = paths && new Set(paths);
  const asked = [...entries.entries()].filter(([, { path }]) => only?.has(path) !== false);
  const isKnown = (at: number) => states[at] !== undefined && searched[at] === states[at];
  const stale = asked.filter(([at]) => !isKnown(at));
  const unchanged = (at: number, path: string) => (isKnown(at) ? known?.found.get(path) : undefined);
  let count = placesIn(asked.flatMap(([at, { path }]) => unchanged(at, path) ?? []));
  const isEnough = () => count >= limit;
  const found = new Map<string, FileIdentifiers>();
  const stateOf = new Map(stale.map(([at, { path }]) => [path, states[at]]));
  const stalePaths = stale.length === entries.length ? undefined : [...stateOf.keys()];
  const of = { ...query, paths: stalePaths, isEnough, stateOf: (path: string) => stateOf.get(path) };
  const { undecodable, unreadable } = readStale(source, of, (file) => {
    found.set(file.path, file);
    count += file.places.length;
  });
  const unread = new Set([...undecodable, ...unreadable]);
  const findings = entries.flatMap(({ path }, at) => found.get(path) ?? unchanged(at, path) ?? []);
  // Files that were not read are not known to be without the name.
  const isWhole = only === undefined && unread.size === 0 && !isEnough() && !states.includes(undefined);
  const isSearched = (path: string) => !unread.has(path) && (!isEnough() || found.has(path));
  const partly = () => {
    const some = [...searched];
    for (const [at, { path }] of stale) some[at] = isSearched(path) ? states[at] : undefined;
    return some;
  };
  const size = findings.length + 1 + (isWhole ? 0 : Math.ceil(entries.length * stateShare));
  const kept = {
    entries,
    searched: isWhole ? states : partly(),
    found: new Map(findings.map((one) => [one.path, one])),
  };
  names.set(key, kept, { size: Math.min(size, maxKeptFiles / minKeptNames) });
  const files = only === undefined ? findings : findings.filter(({ path }) => only.has(path));
  return { files, unread: [...unread], isCutOff: isEnough() };
}

function placesIn(files: readonly FileIdentifiers[]): number {
  return files.reduce((sum, { places }) => sum + places.length, 0);
}

/** Returns the states in which files were searched for a name, by their places in a list. */
function searchedStates({ entries: before, searched }: KnownName, entries: readonly Entry[]): FileStates {
  if (before === entries) return searched;
  const byPath = new Map(before.map(({ path }, at) => [path, searched[at]]));
  return entries.map(({ path }) => byPath.get(path));
}

function readStale(
  source: TextSource,
  query: Omit<IdentifierQuery, 'paths'> & {
    paths: readonly string[] | undefined;
    isEnough: () => boolean;
    stateOf: (path: string) => FileState | undefined;
  },
  add: (file: FileIdentifiers) => void,
) {
  if (query.paths?.length === 0) return { undecodable: [], unreadable: [] };
  const { name, languages, isPart = false } = query;
  const extensions = Object.keys(languages);
  const hasEscapes = Object.values(languages).some(
    (language) => profileOf(language)?.lexis?.hasUnicodeEscapes === true,
  );
  const literals = hasEscapes ? [name, ...escapedForms(name)] : [name];
  const indexed = { texts: literals, ignoresCase: false, whole: isPart ? undefined : name };
  return readTexts(source, { ...query, extensions, literals, indexed }, ({ path, text, bytes }) => {
    // The longest extension takes precedence: `.d.ts` over `.ts`.
    const language = languages[extensionIn(path, extensions) ?? ''] ?? '';
    const state = text.length < minKeptChars ? undefined : query.stateOf(path);
    const known = state && ((find: () => InertSpans) => spansOf(state, language, find));
    const occurrences = identifierOccurrences(text, { name, isPart, known }, language);
    if (occurrences.length === 0) return;
    const starts = lineStarts(text);
    const places = occurrences.map(({ offset, length, qualifier, alias }) => {
      const renamed = alias && { alias: { ...positionAt(text, starts, alias.offset), name: alias.name } };
      return { ...positionAt(text, starts, offset), qualifier, ...(length && { length }), ...renamed };
    });
    add({ path, places, hasOddBreaks: hasOddBreaks(text, bytes) });
  });
}

function spansOf(state: FileState, language: string, find: () => InertSpans): InertSpans {
  const kept = keptSpans.get(state);
  if (kept?.language === language) return kept.spans;
  const spans = find();
  keptSpans.set(state, { language, spans });
  return spans;
}

function hasOddBreaks(text: string, bytes: Buffer): boolean {
  return /[\u2028\u2029]/.test(text) || (bytes.includes('\r') && /\r(?!\n)/.test(bytes.toString('latin1')));
}
