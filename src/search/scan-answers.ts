import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { shrinkHeap } from '../base/discarded.ts';
import type { FileState } from '../base/file-state.ts';
import { extensionIn } from '../base/paths.ts';
import type { Answered, WorkerProgress } from '../base/worker-protocol.ts';
import { profileOf } from '../languages/profiles.ts';
import { getCodec } from '../text/encodings.ts';
import { escapedForms, type InertSpans, identifierOccurrences } from '../text/identifiers.ts';
import { lineStarts } from '../text/lines.ts';
import {
  contentDigest,
  occurrenceMark,
  renderOccurrence,
  renderOccurrenceId,
  renderOccurrenceLine,
} from '../text/occurrence.ts';
import { positionAt } from '../text/position.ts';
import { compileSubstitution, type Substitution } from '../text/substitute.ts';
import { textLines } from '../text/text-lines.ts';
import { DirectoryWatches } from './directory-watches.ts';
import { FileContents } from './file-contents.ts';
import { CharBudget } from './match-collector.ts';
import type {
  Changes,
  ChangesQuery,
  FileEdits,
  FileIdentifiers,
  FileOccurrences,
  IdentifierQuery,
  IdentifierResult,
  OccurrenceQuery,
  OccurrenceResult,
  ScanOperations,
  ScanRequest,
  ScanSetup,
} from './scan-protocol.ts';
import { filesContaining, matches, readTexts, search, wholeMatches } from './scan-search.ts';
import { findFiles, findNames, isIgnoredPath, listDirectory, type StopCheck } from './scan-walk.ts';
import { type Entry, type FileStates, Snapshot } from './snapshot.ts';
import { indexFiles, TextIndex, type TextSource } from './text-index.ts';

/** Limit for one worker. A project has at most two workers. */
const keptContentBytes = 24 * 1024 * 1024;

/** Handles the requests about one project's files. */
interface ScanAnswers {
  /** Handles a request, and caches what it reads for the next ones. Reports the progress of one that takes long. */
  answer(request: ScanRequest, onProgress?: (progress: WorkerProgress) => void): Answered<ScanOperations>;
  /** Frees the memory of the caches, and closes the index until the next request. */
  release(): void;
}

/**
 * Returns what handles the requests about one project's files.
 * Everything is synchronous: in a separate thread this is several times faster, and nothing else has to wait.
 *
 * @throws {ExpectedError} `config.invalid` for an unknown encoding.
 */
export function answerScans(setup: ScanSetup): ScanAnswers {
  const watches = setup.descriptor && new DirectoryWatches(setup.root, setup.descriptor);
  const snapshot = new Snapshot(setup, watches);
  const stopFlag = new Int32Array(setup.stopFlag);
  let current = 0;
  const checkStop = () => {
    if (Atomics.load(stopFlag, 0) === current) throw new Error('The request was abandoned');
  };
  const codec = getCodec(setup.encoding);
  const emptySource = (): TextSource => {
    const contents = new FileContents({ maxBytes: keptContentBytes, codec });
    return { snapshot, contents, codec, checkStop, index: TextIndex.of(setup.index, codec) };
  };
  let source = emptySource();
  const tracks = new ChangeTracks(snapshot);
  const release = () => {
    source.index?.files.close();
    source = emptySource();
    shrinkHeap();
  };
  const answer: ScanAnswers['answer'] = (request, onProgress = () => undefined) => {
    current = request.id;
    snapshot.begin({ id: request.id, asOf: 'asOf' in request.query ? request.query.asOf : undefined });
    try {
      const answered = answerOf(request, { ...source, onProgress }, tracks);
      return { answer: answered, unindexed: source.index?.takeUnindexed() };
    } finally {
      source.contents.end();
    }
  };
  return { answer, release };
}

function answerOf(
  request: ScanRequest,
  source: TextSource & { readonly onProgress: (progress: WorkerProgress) => void },
  tracks: ChangeTracks,
): ScanOperations[ScanRequest['kind']]['answer'] {
  const { snapshot, checkStop } = source;
  switch (request.kind) {
    case 'listFiles':
      return listFiles(source, request.query);
    case 'findNames':
      return findNames(snapshot, request.query, checkStop);
    case 'listDirectory':
      return listDirectory(snapshot, request.query, checkStop);
    case 'filesContaining':
      return filesContaining(source, request.query);
    case 'identifiers':
      return identifiers(source, request.query);
    case 'ignored':
      return request.query.paths.filter((path) => isIgnoredPath(snapshot, path));
    case 'changes':
      return tracks.changes(request.query, checkStop);
    case 'extensionCounts':
      return extensionCounts(source);
    case 'search':
      return search(source, request.query);
    case 'matches':
      return matches(request.query);
    case 'occurrences':
      return occurrences(source, request.query);
    case 'wholeMatches':
      return wholeMatches(request.query);
    case 'updateIndex':
      return indexFiles(source, request.query.unindexed, source.onProgress);
    case 'substitutions':
      return compileSubstitution(request.query).find(request.query.text, request.query.path);
  }
}

function listFiles(source: TextSource, query: ScanOperations['listFiles']['query']) {
  return findFiles(source.snapshot, query, source.checkStop).flatMap((entry) => {
    source.checkStop();
    const state = source.snapshot.file(entry);
    return state === undefined ? [] : [{ path: entry.path, fingerprint: state.fingerprint }];
  });
}

function extensionCounts(source: TextSource): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of findFiles(source.snapshot, {}, source.checkStop)) {
    const dot = name.lastIndexOf('.');
    const extension = dot > 0 ? name.slice(dot) : '';
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** More than a project has language servers. Beyond it, the least recently used track is dropped. */
const maxTracks = 64;

/** Files with their states. Of very many files, those of successive requests are the same objects. */
interface SeenFiles {
  readonly entries: readonly Entry[];
  readonly states: FileStates;
}

/** One observer's files at its last two cursors. */
interface Track extends SeenFiles {
  readonly cursor: number;
  /** Kept because an answer may get lost, in which case the observer sends this cursor again. */
  readonly previous: Omit<Track, 'previous'> | undefined;
}

/** Reports file changes to several observers, each with its own cursor, since their previous requests. */
class ChangeTracks {
  readonly #snapshot: Snapshot;
  /** Least recently used first. */
  #tracks: Track[] = [];
  #lastCursor = 0;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** Compares the files in scope with those at the query's cursor and records the current ones under a new cursor. */
  changes(query: ChangesQuery, checkStop: StopCheck): Changes {
    const { extensions, pruneDirectories } = query;
    const entries = findFiles(this.#snapshot, { extensions, pruneDirectories }, checkStop);
    const seen = { entries, states: this.#snapshot.states(entries, checkStop) };
    this.#lastCursor += 1;
    const cursor = this.#lastCursor;
    const track = this.#tracks.find((known) => [known.cursor, known.previous?.cursor].includes(query.cursor ?? -1));
    const since = track?.cursor === query.cursor ? track : track?.previous;
    const others = this.#tracks.filter((other) => other !== track);
    const previous = since && { cursor: since.cursor, entries: since.entries, states: since.states };
    this.#tracks = [...others, { cursor, ...seen, previous }].slice(-maxTracks);
    const isLost = query.cursor !== undefined && since === undefined;
    return { cursor, ...(since === undefined ? noDifference : difference(since, seen)), isLost };
  }
}

const noDifference = { created: [], changed: [], deleted: [] };

function difference(before: SeenFiles, now: SeenFiles) {
  if (before.entries === now.entries && before.states === now.states) return noDifference;
  const created: string[] = [];
  const changed: string[] = [];
  const old = fingerprints(before);
  const current = fingerprints(now);
  for (const [path, fingerprint] of current) {
    const earlier = old.get(path);
    if (earlier === undefined) created.push(path);
    else if (earlier !== fingerprint) changed.push(path);
  }
  const deleted = [...old.keys()].filter((path) => !current.has(path));
  return { created, changed, deleted };
}

/** By path, without what cannot be read. */
function fingerprints({ entries, states }: SeenFiles): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ path }, at) => {
      const state = states[at];
      return state === undefined ? [] : [[path, state.fingerprint] as const];
    }),
  );
}

interface FileSubstitutions {
  readonly path: string;
  readonly text: string;
  readonly bytes: Buffer;
  readonly found: readonly Substitution[];
}

/** Remaining space for renderings: replacing a million words must not build a list that is too long for any answer. */
interface CharBudgets {
  readonly changes: CharBudget;
  readonly places: CharBudget;
}

/**
 * Finds the occurrences that a rule would replace in the files in scope.
 *
 * @throws {ExpectedError} `search.bad-pattern`, `search.bad-glob`, `search.too-slow`, `tool.invalid-input`,
 *   `edit.no-group`, `file.not-found`.
 */
function occurrences(source: TextSource, query: OccurrenceQuery): OccurrenceResult {
  const rule = compileSubstitution(query);
  const budgets = { changes: CharBudget.counted(query.maxChars), places: new CharBudget(query.maxChars) };
  const files: FileOccurrences[] = [];
  const unread = readTexts(source, { ...query, literals: rule.literals, indexed: rule.indexed }, (file) => {
    const found = rule.find(file.text, file.path);
    if (found.length > 0) files.push(collected({ ...file, found }, query, budgets));
  });
  return { files: files.map((file) => withoutPartial(file, budgets)), ...unread };
}

function collected(file: FileSubstitutions, query: OccurrenceQuery, budgets: CharBudgets): FileOccurrences {
  const { path, found } = file;
  return {
    path,
    count: found.length,
    ambiguousCount: found.filter(({ isAmbiguous }) => isAmbiguous).length,
    ...rendered(file, budgets),
    ...(query.withEdits ? { edits: editsOf(file) } : {}),
  };
}

function rendered(
  { path, text, bytes, found }: FileSubstitutions,
  { changes, places }: CharBudgets,
): Pick<FileOccurrences, 'changes' | 'places'> {
  const kept: { changes: string[]; places: string[] } = { changes: [], places: [] };
  if (places.isUsedUp && changes.isUsedUp) return kept;
  const lines = textLines(text);
  const content = contentDigest(bytes);
  for (const [index, occurrence] of found.entries()) {
    if (places.isUsedUp && changes.isUsedUp) break;
    const id = renderOccurrenceId({ path, index, mark: occurrenceMark(content, occurrence) });
    const place = renderOccurrenceLine(id, occurrence, lines);
    if (places.take(place.length + 1)) kept.places.push(place);
    if (changes.isUsedUp) continue;
    const change = renderOccurrence(id, occurrence, lines);
    if (changes.take(change.length + 1)) kept.changes.push(change);
  }
  return kept;
}

function withoutPartial(file: FileOccurrences, budgets: CharBudgets): FileOccurrences {
  const { changes, places, ...others } = file;
  return {
    ...others,
    ...(budgets.changes.isUsedUp || changes === undefined ? {} : { changes }),
    ...(budgets.places.isUsedUp || places === undefined ? {} : { places }),
  };
}

function editsOf({ bytes, found }: FileSubstitutions): FileEdits {
  const content = contentDigest(bytes);
  return {
    contentHash: createHash('sha1').update(bytes).digest('hex'),
    offsets: found.flatMap(({ start, end }) => [start, end]),
    replacements: found.map(({ replacement }) => replacement),
    marks: found.map((range) => occurrenceMark(content, range)),
  };
}

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
function identifiers(source: TextSource, query: IdentifierQuery): IdentifierResult {
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
