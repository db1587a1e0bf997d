import type { FileTimes, SegmentFiles } from './segment.ts';

/** A file of a segment. */
export interface SegmentPlace {
  /** The id of the segment. */
  readonly id: number;
  readonly files: SegmentFiles;
  /** The number of the file in the segment. */
  readonly at: number;
}

/**
 * Finds the files of all segments by path. A table of all paths would take more time in a new process than its question:
 * a question asks for paths in the order in which segments store them, so the next file is usually the one wanted.
 */
export class SegmentPlaces {
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
export class ListedPlaces {
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
