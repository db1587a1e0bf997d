import { LRUCache } from 'lru-cache';
import { type IndexLocation, IndexStore } from './index-store.ts';
import { matchingFiles, type RequiredText } from './matching-files.ts';
import { type FileTimes, fileKinds, hasTimes, kindAt, type SegmentBuilder, type SegmentFiles } from './segment.ts';

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
type IndexLookup = (path: string, times: FileTimes, number?: number) => IndexedState;

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
  prune(isCurrent: (path: string, isKnown: (times: FileTimes) => boolean) => boolean): string[] {
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
  readonly #times: FileTimes[] = [];
  readonly #places: (SegmentPlace | undefined)[] = [];

  /** Returns the place of file number `number` of the list, found with `find` unless it is known. */
  get(number: number, times: FileTimes, find: () => SegmentPlace | undefined): SegmentPlace | undefined {
    if (this.#times[number] === times) return this.#places[number];
    const place = find();
    this.#times[number] = times;
    this.#places[number] = place;
    return place;
  }
}
