import type { Changes, ChangesQuery } from './scan-protocol.ts';
import { findFiles, type StopCheck } from './scan-walk.ts';
import type { Snapshot } from './snapshot.ts';

/** More than a project has language servers. Beyond it, the least recently used track is dropped. */
const maxTracks = 64;

/** The fingerprints of one observer's files at its last two cursors. */
interface Track {
  readonly cursor: number;
  readonly files: ReadonlyMap<string, string>;
  /** Kept because an answer may get lost, in which case the observer sends this cursor again. */
  readonly previous: Omit<Track, 'previous'> | undefined;
}

/** Reports file changes to several observers, each with its own cursor, since their previous requests. */
export class ChangeTracks {
  readonly #snapshot: Snapshot;
  /** Least recently used first. */
  #tracks: Track[] = [];
  #lastCursor = 0;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** Compares the files in scope with those at the query's cursor and records the current ones under a new cursor. */
  changes(query: ChangesQuery, checkStop: StopCheck): Changes {
    const files = this.#fingerprints(query, checkStop);
    this.#lastCursor += 1;
    const cursor = this.#lastCursor;
    const track = this.#tracks.find((known) => [known.cursor, known.previous?.cursor].includes(query.cursor ?? -1));
    const since = track?.cursor === query.cursor ? track : track?.previous;
    const others = this.#tracks.filter((other) => other !== track);
    const previous = since && { cursor: since.cursor, files: since.files };
    this.#tracks = [...others, { cursor, files, previous }].slice(-maxTracks);
    const isLost = query.cursor !== undefined && since === undefined;
    return { cursor, ...(since === undefined ? noDifference : difference(since.files, files)), isLost };
  }

  #fingerprints(query: ChangesQuery, checkStop: StopCheck): ReadonlyMap<string, string> {
    const files = new Map<string, string>();
    const { extensions, pruneDirectories } = query;
    for (const entry of findFiles(this.#snapshot, { extensions, pruneDirectories }, checkStop)) {
      checkStop();
      const state = this.#snapshot.file(entry);
      if (state !== undefined) files.set(entry.path, state.fingerprint);
    }
    return files;
  }
}

const noDifference = { created: [], changed: [], deleted: [] };

function difference(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) {
  const created: string[] = [];
  const changed: string[] = [];
  for (const [path, fingerprint] of now) {
    const earlier = before.get(path);
    if (earlier === undefined) created.push(path);
    else if (earlier !== fingerprint) changed.push(path);
  }
  const deleted = [...before.keys()].filter((path) => !now.has(path));
  return { created, changed, deleted };
}
