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
import type { Snapshot } from './snapshot.ts';
import type { TextSource } from './text-index.ts';

/** The cached result for a file in this state; `found` is absent if the name does not occur in its code. */
interface CachedFile {
  readonly state: FileState;
  readonly found: FileIdentifiers | undefined;
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
/** By the query without its scope; then by path. */
const cache = new WeakMap<Snapshot, LRUCache<string, Map<string, CachedFile>>>();

/**
 * Finds the occurrences of a name in code. Files that are unchanged since the last query for the name are not read
 * again.
 *
 * @throws {ExpectedError} `file.not-found`.
 */
export function identifiers(source: TextSource, query: IdentifierQuery): IdentifierResult {
  const extensions = Object.keys(query.languages);
  const { files, keep } = cachedFiles(source.snapshot, query);
  const only = query.paths && new Set(query.paths);
  const states = new Map<string, FileState | undefined>();
  for (const entry of findFiles(source.snapshot, { ...query, extensions }, source.checkStop)) {
    source.checkStop();
    if (only?.has(entry.path) !== false) states.set(entry.path, source.snapshot.file(entry));
  }
  const paths = [...states.keys()];
  const isCached = (path: string) => {
    const state = states.get(path);
    return state !== undefined && files.get(path)?.state === state;
  };
  const stale = paths.filter((path) => !isCached(path));
  const found = new Map<string, FileIdentifiers>();
  const known = paths.filter(isCached).flatMap((path) => files.get(path)?.found ?? []);
  let count = known.reduce((sum, { places }) => sum + places.length, 0);
  const isEnough = () => count >= (query.limit ?? Number.POSITIVE_INFINITY);
  const stateOf = (path: string) => states.get(path);
  const { undecodable, unreadable } = readStale(source, { ...query, paths: stale, isEnough, stateOf }, (file) => {
    found.set(file.path, file);
    count += file.places.length;
  });
  const unread = new Set([...undecodable, ...unreadable]);
  // Files that were not read are not known to be without the name.
  for (const path of isEnough() ? found.keys() : stale) {
    const state = unread.has(path) ? undefined : states.get(path);
    if (state === undefined) files.delete(path);
    else files.set(path, { state, found: found.get(path) });
  }
  keep();
  return {
    files: paths.flatMap((path) => found.get(path) ?? (isCached(path) ? (files.get(path)?.found ?? []) : [])),
    unread: [...unread],
    isCutOff: isEnough(),
  };
}

function cachedFiles(
  snapshot: Snapshot,
  { name, isPart = false, languages }: IdentifierQuery,
): { files: Map<string, CachedFile>; keep: () => void } {
  const sizeCalculation = ({ size }: Map<string, CachedFile>) => Math.min(size + 1, maxKeptFiles / minKeptNames);
  const names = cache.get(snapshot) ?? new LRUCache({ maxSize: maxKeptFiles, sizeCalculation });
  cache.set(snapshot, names);
  const key = JSON.stringify([name, isPart, languages]);
  const files = names.get(key) ?? new Map<string, CachedFile>();
  return { files, keep: () => names.set(key, files) };
}

function readStale(
  source: TextSource,
  query: IdentifierQuery & { isEnough: () => boolean; stateOf: (path: string) => FileState | undefined },
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
