import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { discard } from '../base/discarded.ts';
import { systemCode } from '../base/errors.ts';
import type { FileMetadata } from '../base/file-state.ts';
import { makePrivateDirectory } from '../base/private-directory.ts';
import { matchingFiles, type RequiredText } from './matching-files.ts';
import {
  fileKinds,
  hasTimes,
  kindAt,
  type Segment,
  type SegmentBuilder,
  type SegmentFiles,
  type SegmentWords,
} from './segment.ts';

/** After a failure the index is not tried again for this long. */
const retryMs = 60_000;

/** Each segment takes time in each question, so many segments with fewer files than this are joined. */
const smallSegment = 512;
const maxSmallSegments = 16;

/** Questions about the same texts often follow one another. */
const keptTexts = 4;

/** By the id of the segment, as from `matchingFiles`: 1 or 0 for each file, or `undefined` if no file can be excluded. */
type MatchingFiles = Map<number, Uint8Array | undefined>;

/** What the index knows about a file. */
export type IndexedState =
  /** Nothing: it is new or has changed. */
  | 'unknown'
  /** It contains none of the texts. */
  | 'excluded'
  /** It is binary. */
  | 'binary'
  /** It may contain one of the texts. */
  | 'candidate';

/** Returns what the index knows about a file with given metadata; `number` is its 0-based number in the list, if any. */
type IndexLookup = (path: string, times: FileMetadata, number?: number) => IndexedState;

/**
 * Index of the words in a project's files, to exclude files from a search without reading them. A file is only excluded
 * if its metadata are those for which it was indexed. Every failure only makes the index know less.
 */
export class FileIndex {
  readonly #location: IndexLocation;
  readonly #segments = new Map<number, SegmentFiles>();
  #places = new SegmentPlaces([]);
  /** By the list, for the current segments. */
  #listed = new WeakMap<object, ListedPlaces>();
  /** By the texts as JSON. Segments never change, and their ids are not used again. */
  readonly #matching = new LRUCache<string, MatchingFiles>({ max: keptTexts });
  #store: IndexStore | undefined;
  #retryAt = 0;

  constructor(location: IndexLocation) {
    this.#location = location;
  }

  /**
   * Returns a lookup that says which files cannot contain any of the texts; `undefined` excludes none. The lookup is
   * valid until the next call. Repeated lookups of the files of the same `list`, which must not change, are faster.
   */
  lookup(texts: readonly RequiredText[] | undefined, list?: object): IndexLookup {
    // Only indexing creates the file: most projects need none.
    if (this.#store !== undefined || IndexStore.exists(this.#location)) this.#use((store) => this.#refresh(store));
    const excluded = texts && this.#excludedBy(texts);
    const known = list && this.#listedPlaces(list);
    return (path, times, number) => {
      const find = () => this.#places.find(path, (files, at) => hasTimes(files, at, times));
      const place = known === undefined || number === undefined ? find() : known.get(number, times, find);
      if (place === undefined) return 'unknown';
      const kind = kindAt(place.files, place.at);
      if (kind === fileKinds.binary) return 'binary';
      return kind === fileKinds.words && excluded?.(place) === true ? 'excluded' : 'candidate';
    };
  }

  /** The number of files that the last lookup knew, with earlier states of files. */
  get fileCount(): number {
    return this.#segments.values().reduce((sum, { paths }) => sum + paths.length, 0);
  }

  #listedPlaces(list: object): ListedPlaces {
    const places = this.#listed.get(list) ?? new ListedPlaces();
    this.#listed.set(list, places);
    return places;
  }

  /** Stores a segment. Returns false if that failed. */
  add(builder: SegmentBuilder): boolean {
    const isStored = this.#use((store) => {
      store.add(builder.build());
      return true;
    });
    return isStored === true;
  }

  /**
   * Removes segments most of whose files have changed or no longer exist, and small ones when there are many.
   * `isCurrent` returns true if the metadata of a file fulfill a condition. Returns the paths of the current files in the
   * removed segments, to be indexed again.
   */
  prune(isCurrent: (path: string, isKnown: (times: FileMetadata) => boolean) => boolean): string[] {
    const orphans = this.#use((store) => {
      this.#refresh(store);
      // A newer segment takes precedence.
      const newest = new Map(
        [...this.#segments].flatMap(([id, { paths }]) => paths.map((path) => [path, id] as const)),
      );
      const small = [...this.#segments.values()].filter(({ paths }) => paths.length < smallSegment).length;
      return [...this.#segments].flatMap(([id, files]) => {
        const live = files.paths.filter(
          (path, at) => newest.get(path) === id && isCurrent(path, (times) => hasTimes(files, at, times)),
        );
        const isTooSmall = files.paths.length < smallSegment && small > maxSmallSegments;
        if (live.length * 2 > files.paths.length && !isTooSmall) return [];
        store.remove(id);
        return live;
      });
    });
    return orphans ?? [];
  }

  /** Ends a series of additions: what they wrote twice is removed. */
  finish(): void {
    this.#use((store) => store.truncateLog());
  }

  close(): void {
    this.#store?.close();
    this.#store = undefined;
  }

  /** Reads the segments that are new, and forgets those that were removed. */
  #refresh(store: IndexStore): void {
    const ids = new Set(store.ids());
    if (ids.size === this.#segments.size && ids.isSubsetOf(this.#segments)) return;
    for (const id of this.#segments.keys()) {
      if (!ids.has(id)) this.#segments.delete(id);
    }
    for (const id of ids) {
      // A damaged segment is empty for this process.
      if (!this.#segments.has(id)) this.#segments.set(id, store.files(id) ?? { paths: [], states: new Float64Array() });
    }
    this.#places = new SegmentPlaces(this.#segments);
    this.#listed = new WeakMap();
  }

  /** Returns a function that is true for files that contain none of the texts. */
  #excludedBy(texts: readonly RequiredText[]): (place: SegmentPlace) => boolean {
    const key = JSON.stringify(texts);
    const matching: MatchingFiles = this.#matching.get(key) ?? new Map();
    this.#matching.set(key, matching);
    // What could not be searched by an earlier question may have been repaired.
    for (const [id, found] of matching) if (found === undefined) matching.delete(id);
    return ({ id, at }) => {
      if (!matching.has(id)) matching.set(id, this.#matchingFiles(id, texts));
      return matching.get(id)?.[at] === 0;
    };
  }

  #matchingFiles(id: number, texts: readonly RequiredText[]): Uint8Array | undefined {
    const fileCount = this.#segments.get(id)?.paths.length ?? 0;
    return this.#use((store) => {
      const words = store.words(id);
      return words && matchingFiles({ ...words, fileCount, postings: () => store.postings(id) }, texts);
    });
  }

  /** Runs `work` on the open file; returns `undefined` if that fails. */
  #use<T>(work: (store: IndexStore) => T): T | undefined {
    if (this.#store === undefined && performance.now() < this.#retryAt) return undefined;
    try {
      this.#store ??= IndexStore.open(this.#location);
      return work(this.#store);
    } catch {
      this.#retryAt = performance.now() + retryMs;
      this.#closeQuietly();
      return undefined;
    }
  }

  #closeQuietly(): void {
    try {
      this.#store?.close();
    } catch {
      // A damaged file may not even close.
    }
    this.#store = undefined;
  }
}

interface SegmentPlace {
  readonly id: number;
  readonly files: SegmentFiles;
  /** The number of the file in the segment. */
  readonly at: number;
}

/**
 * Finds the files of all segments by path. A table of all paths would take more time in a new process than its question:
 * a question asks for paths in the order in which segments store them, so the next file is usually the one wanted.
 */
class SegmentPlaces {
  readonly #segments: readonly (readonly [id: number, files: SegmentFiles])[];
  /** The segment and the file after the one that was found last. */
  #segment = 0;
  #next = 0;

  constructor(segments: Iterable<readonly [id: number, files: SegmentFiles]>) {
    this.#segments = [...segments];
  }

  /** Returns a file that has the path and fulfills a condition, or `undefined`. */
  find(path: string, isWanted: (files: SegmentFiles, at: number) => boolean): SegmentPlace | undefined {
    const likely = this.#segments[this.#segment];
    if (likely !== undefined && likely[1].paths[this.#next] === path && isWanted(likely[1], this.#next)) {
      return { id: likely[0], files: likely[1], at: this.#next++ };
    }
    for (const [number, [id, files]] of this.#segments.entries()) {
      const at = indexIn(files.paths, path);
      if (at === -1 || !isWanted(files, at)) continue;
      this.#segment = number;
      this.#next = at + 1;
      return { id, files, at };
    }
    return undefined;
  }
}

/** Returns the index of a path in sorted paths, or -1. */
function indexIn(paths: readonly string[], path: string): number {
  let low = 0;
  let high = paths.length - 1;
  // Most segments hold one range of the project's paths.
  if (high < 0 || path < (paths[0] ?? '') || path > (paths[high] ?? '')) return -1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((paths[middle] ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return paths[low] === path ? low : -1;
}

/**
 * The places of the files of one list, so that the next question about the same list need not search for them. A place
 * counts only for the very object with the file's metadata for which it was found.
 */
class ListedPlaces {
  readonly #times: FileMetadata[] = [];
  readonly #places: (SegmentPlace | undefined)[] = [];

  /** Returns the place of file number `number` of the list, found with `find` unless it is known. */
  get(number: number, times: FileMetadata, find: () => SegmentPlace | undefined): SegmentPlace | undefined {
    if (this.#times[number] === times) return this.#places[number];
    const place = find();
    this.#times[number] = times;
    this.#places[number] = place;
    return place;
  }
}

/** Increased when the stored format changes. Each version has a file of its own. */
const formatVersion = 1;
/** Questions do not wait for another process: they are answered without the index instead. */
const busyTimeoutMs = 100;
/** No path contains it. */
const separator = '\0';

const schema = `CREATE TABLE IF NOT EXISTS segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER, paths BLOB, states BLOB,
  words_checksum INTEGER, words BLOB, skips BLOB, postings_checksum INTEGER, postings BLOB)`;

interface IndexLocation {
  /** Absolute path of the project's cache directory, created at the first access. */
  readonly directory: string;
  /** Name of the project's encoding. Each encoding has a file of its own, because what is text depends on it. */
  readonly encoding: string;
}

/**
 * The SQLite file with the segments of one project's index, which several processes may use at once. Segments never
 * change; their ids increase and are not used again. What a segment contains is checked when it is read, because wrong
 * content would make answers incomplete.
 */
export class IndexStore {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** True if the file exists, whether or not it can be used. */
  static exists(location: IndexLocation): boolean {
    return existsSync(pathOf(location));
  }

  /**
   * Opens the file, and creates it with its directory if needed.
   *
   * @throws {Error} if the directory or the file cannot be used.
   */
  static open(location: IndexLocation): IndexStore {
    makePrivateDirectory(location.directory);
    const path = pathOf(location);
    for (const ending of ['', '-wal', '-shm']) requireOwnFile(path + ending);
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(path);
    try {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`);
      database.exec(schema);
    } catch (error) {
      database.close();
      throw error;
    }
    return new IndexStore(database);
  }

  /** Returns the ids of all segments, in ascending order. */
  ids(): number[] {
    const rows = this.#database.prepare('SELECT id FROM segments ORDER BY id').all();
    return rows.map(({ id }) => Number(id));
  }

  /** Returns the files of a segment, or `undefined` if it does not exist or is damaged. */
  files(id: number): SegmentFiles | undefined {
    const row = this.#database.prepare('SELECT checksum, paths, states FROM segments WHERE id = ?').get(id);
    const [paths, states] = [bufferOf(row?.paths), bufferOf(row?.states)];
    if (row === undefined || row.checksum !== checksum([paths, states])) return undefined;
    const text = paths.toString('utf8');
    return { paths: text === '' ? [] : text.split(separator), states: new Float64Array(aligned(states)) };
  }

  /** Returns the words of a segment, or `undefined` if it does not exist or is damaged. */
  words(id: number): SegmentWords | undefined {
    const columns = 'checksum, words_checksum, words, skips';
    const row = this.#database.prepare(`SELECT ${columns} FROM segments WHERE id = ?`).get(id);
    const [words, skips] = [bufferOf(row?.words), bufferOf(row?.skips)];
    // With the checksum of the files, so that words never belong to the files of another segment.
    if (row === undefined || row.words_checksum !== checksum([words, skips], row.checksum)) return undefined;
    return { words, skips: new Uint32Array(aligned(skips)) };
  }

  /** Returns the postings of a segment, or `undefined` if it does not exist or is damaged. */
  postings(id: number): Buffer | undefined {
    const columns = 'words_checksum, postings_checksum, postings';
    const row = this.#database.prepare(`SELECT ${columns} FROM segments WHERE id = ?`).get(id);
    const postings = bufferOf(row?.postings);
    if (row === undefined || row.postings_checksum !== checksum([postings], row.words_checksum)) return undefined;
    return postings;
  }

  add({ files, words: { words, skips }, postings }: Segment): void {
    const paths = Buffer.from(files.paths.join(separator), 'utf8');
    const [stateBytes, skipBytes] = [bytesOf(files.states), bytesOf(skips)];
    const filesSum = checksum([paths, stateBytes]);
    const wordsSum = checksum([words, skipBytes], filesSum);
    const postingsSum = checksum([postings], wordsSum);
    const columns = 'checksum, paths, states, words_checksum, words, skips, postings_checksum, postings';
    this.#database
      .prepare(`INSERT INTO segments (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
      .run(filesSum, paths, stateBytes, wordsSum, words, skipBytes, postingsSum, postings);
  }

  remove(id: number): void {
    this.#database.prepare('DELETE FROM segments WHERE id = ?').run(id);
  }

  /** Moves what was added into the file itself; otherwise the log would stay as large until the last process ends. */
  truncateLog(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#database.close();
  }
}

function pathOf({ directory, encoding }: IndexLocation): string {
  return join(directory, `words-v${formatVersion}-${encoding.replace(/[^\w-]/g, '_')}.sqlite`);
}

/** A link would let this program write to a file of somebody else's choice. */
function requireOwnFile(path: string): void {
  try {
    if (!lstatSync(path).isFile()) throw new Error(`\`${path}\` is not a regular file`);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

function bufferOf(value: SQLOutputValue | undefined): Buffer {
  if (!(value instanceof Uint8Array)) return Buffer.alloc(0);
  // Few are kept for long.
  discard(value.byteLength);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Returns a copy of the bytes, from which numbers can be read. */
function aligned(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}

/** Returns a checksum of some parts and of the checksum of other parts of the same segment. */
function checksum(parts: readonly Buffer[], other: SQLOutputValue = 0): number {
  // The lengths are included: bytes must not move from one part to the next.
  const start = Buffer.from([other, ...parts.map(({ length }) => length)].join(' '));
  return [start, ...parts].reduce((sum, part) => crc32(part, sum), 0);
}
