import { LRUCache } from 'lru-cache';
import type { FileState } from '../base/file-state.ts';
import { lexisOf } from '../text/code-lexis.ts';
import { identifierOccurrences } from '../text/identifiers.ts';
import { lineStarts } from '../text/lines.ts';
import { positionAt } from '../text/position.ts';
import { escapedForms } from '../text/unicode-escapes.ts';
import type { FileIdentifiers, IdentifierQuery, IdentifierResult } from './scan-protocol.ts';
import { readTexts, type TextSource } from './scan-search.ts';
import { findFiles } from './scan-walk.ts';
import type { Snapshot } from './snapshot.ts';

/** The cached result for a file in this state; `found` is absent if the name does not occur in its code. */
interface CachedFile {
  readonly state: FileState;
  readonly found: FileIdentifiers | undefined;
}

/** A few names suffice: an agent makes several calls in a row about the same symbol. */
const maxNames = 4;
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
  const files = cachedFiles(source.snapshot, query);
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
  const { undecodable, unreadable } = readStale(source, { ...query, paths: stale }, found);
  const unread = new Set([...undecodable, ...unreadable]);
  for (const path of stale) {
    const state = unread.has(path) ? undefined : states.get(path);
    if (state === undefined) files.delete(path);
    else files.set(path, { state, found: found.get(path) });
  }
  return { files: paths.flatMap((path) => found.get(path) ?? files.get(path)?.found ?? []), unread: [...unread] };
}

function cachedFiles(
  snapshot: Snapshot,
  { name, isPart = false, languages }: IdentifierQuery,
): Map<string, CachedFile> {
  const names = cache.get(snapshot) ?? new LRUCache<string, Map<string, CachedFile>>({ max: maxNames });
  cache.set(snapshot, names);
  const key = JSON.stringify([name, isPart, languages]);
  const files = names.get(key) ?? new Map<string, CachedFile>();
  names.set(key, files);
  return files;
}

function readStale(source: TextSource, query: IdentifierQuery, found: Map<string, FileIdentifiers>) {
  if (query.paths?.length === 0) return { undecodable: [], unreadable: [] };
  const { name, languages, isPart = false } = query;
  // The longest extension takes precedence: `.d.ts` over `.ts`.
  const extensions = Object.keys(languages).sort((a, b) => b.length - a.length);
  const hasEscapes = Object.values(languages).some((language) => lexisOf(language)?.hasUnicodeEscapes === true);
  const literals = hasEscapes ? [name, ...escapedForms(name)] : [name];
  const indexed = { texts: literals, ignoresCase: false, whole: isPart ? undefined : name };
  return readTexts(source, { ...query, extensions, literals, indexed }, ({ path, text, bytes }) => {
    const extension = extensions.find((one) => path.endsWith(one));
    const language = languages[extension ?? ''] ?? '';
    const occurrences = identifierOccurrences(text, { name, isPart }, language);
    if (occurrences.length === 0) return;
    const starts = lineStarts(text);
    const places = occurrences.map(({ offset, length, qualifier, alias }) => {
      const renamed = alias && { alias: { ...positionAt(text, starts, alias.offset), name: alias.name } };
      return { ...positionAt(text, starts, offset), qualifier, ...(length && { length }), ...renamed };
    });
    found.set(path, { path, places, hasOddBreaks: hasOddBreaks(text, bytes) });
  });
}

function hasOddBreaks(text: string, bytes: Buffer): boolean {
  return /[\u2028\u2029]/.test(text) || (bytes.includes('\r') && /\r(?!\n)/.test(bytes.toString('latin1')));
}
