import { type IndexLocation, IndexStore } from './index-store.ts';
import { KeptParts } from './kept-parts.ts';
import { matchingFiles } from './matching-files.ts';
import type { RequiredText } from './required-words.ts';
import { type FileTimes, fileKinds, hasTimes, kindAt, type SegmentFiles, type SegmentWords } from './segment.ts';
import type { SegmentBuilder } from './segment-builder.ts';

/** After a failure the index is not tried again for this long. */
const retryMs = 60_000;

/**
 * Words of segments, and lists of files, are kept in memory up to these sizes. What is kept stays: each question searches
 * all segments in the same order, and would not find the last ones kept in the place of the first.
 */
const keptWordBytes = 24 * 1024 * 1024;
const keptPostingBytes = 2 * 1024 * 1024;

/** Each segment takes time in each question, so many segments with fewer files than this are joined. */
const smallSegment = 512;
const maxSmallSegments = 16;

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

/** Returns what the index knows about a file with given metadata. */
export type IndexLookup = (path: string, times: FileTimes) => IndexedState;

/** More than the files of a segment. */
const maxAt = 65_536;

/**
 * Index of the words in a project's files, to exclude files from a search without reading them. A file is only excluded
 * if its metadata are those for which it was indexed. Every failure only makes the index know less.
 */
export class FileIndex {
  readonly #location: IndexLocation;
  readonly #segments = new Map<number, SegmentFiles>();
  /** By path the id of the segment times {@link maxAt}, plus the file's number: objects would take more memory. */
  #places = new Map<string, number>();
  readonly #words = new KeptParts<SegmentWords>(keptWordBytes, ({ words, skips }) => words.length + skips.byteLength);
  readonly #postings = new KeptParts<Buffer>(keptPostingBytes, ({ length }) => length);
  #store: IndexStore | undefined;
  #retryAt = 0;

  constructor(location: IndexLocation) {
    this.#location = location;
  }

  /**
   * Returns a lookup that says which files cannot contain any of the texts; `undefined` excludes none. The lookup is
   * valid until the next call.
   */
  lookup(texts: readonly RequiredText[] | undefined): IndexLookup {
    // Only indexing creates the file: most projects need none.
    if (this.#store !== undefined || IndexStore.exists(this.#location)) this.#use((store) => this.#refresh(store));
    const matching = new Map<number, Uint8Array | undefined>();
    const isExcluded = (id: number, at: number) => {
      if (texts === undefined) return false;
      if (!matching.has(id)) matching.set(id, this.#matching(id, texts));
      return matching.get(id)?.[at] === 0;
    };
    return (path, times) => {
      const place = this.#places.get(path) ?? 0;
      const [id, at] = [segmentOf(place), place % maxAt];
      const files = this.#segments.get(id);
      if (files === undefined || !hasTimes(files, at, times)) return 'unknown';
      const kind = kindAt(files, at);
      if (kind === fileKinds.binary) return 'binary';
      return kind === fileKinds.words && isExcluded(id, at) ? 'excluded' : 'candidate';
    };
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
      const byId = Map.groupBy(this.#places, ([, place]) => segmentOf(place));
      const small = [...this.#segments.values()].filter(({ paths }) => paths.length < smallSegment).length;
      return [...this.#segments].flatMap(([id, files]) => {
        const live = (byId.get(id) ?? []).filter(([path, place]) =>
          isCurrent(path, (times) => hasTimes(files, place % maxAt, times)),
        );
        const isTooSmall = files.paths.length < smallSegment && small > maxSmallSegments;
        if (live.length * 2 > files.paths.length && !isTooSmall) return [];
        store.remove(id);
        return live.map(([path]) => path);
      });
    });
    return orphans ?? [];
  }

  close(): void {
    this.#store?.close();
    this.#store = undefined;
  }

  /** Reads the segments that are new, and forgets those that were removed. */
  #refresh(store: IndexStore): void {
    const ids = new Set(store.ids());
    const isGone = [...this.#segments.keys()].some((id) => !ids.has(id));
    if (isGone) {
      for (const id of this.#segments.keys()) {
        if (ids.has(id)) continue;
        this.#segments.delete(id);
        this.#words.drop(id);
        this.#postings.drop(id);
      }
      this.#places = new Map();
      for (const [id, files] of this.#segments) this.#place(id, files);
    }
    for (const id of ids) {
      if (this.#segments.has(id)) continue;
      const files = store.files(id);
      // A damaged segment is empty for this process.
      const known = files ?? { paths: [], states: new Float64Array() };
      this.#segments.set(id, known);
      this.#place(id, known);
    }
  }

  #place(id: number, files: SegmentFiles): void {
    for (const [at, path] of files.paths.entries()) this.#places.set(path, id * maxAt + at);
  }

  #matching(id: number, texts: readonly RequiredText[]): Uint8Array | undefined {
    const fileCount = this.#segments.get(id)?.paths.length ?? 0;
    return this.#use((store) => {
      const words = this.#words.get(id, () => store.words(id));
      if (words === undefined) return undefined;
      const postings = () => this.#postings.get(id, () => store.postings(id));
      return matchingFiles({ ...words, fileCount, postings }, texts);
    });
  }

  /** Runs `work` on the open file; returns `undefined` if that fails. */
  #use<T>(work: (store: IndexStore) => T): T | undefined {
    if (this.#store === undefined && Date.now() < this.#retryAt) return undefined;
    try {
      this.#store ??= IndexStore.open(this.#location);
      return work(this.#store);
    } catch {
      this.#retryAt = Date.now() + retryMs;
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

/** Ids begin with 1, so 0 is no segment. */
function segmentOf(place: number): number {
  return Math.floor(place / maxAt);
}
