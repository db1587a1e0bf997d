import type { Changes, ChangesQuery } from './scan-protocol.ts';
import { findFiles, type StopCheck } from './scan-walk.ts';
import type { Snapshot } from './snapshot.ts';

/** More questioners than a project has language servers; beyond it the one that asked least recently is forgotten. */
const maxTracks = 64;

/** The fingerprints of one questioner's files at its last two cursors. */
interface Track {
  readonly cursor: number;
  readonly files: ReadonlyMap<string, string>;
  /** Kept because an answer may get lost on its way: the questioner then asks with this cursor again. */
  readonly previous: Omit<Track, 'previous'> | undefined;
}

/** Tells several questioners, each by its own cursor, what has changed since they last asked. */
export class ChangeTracks {
  readonly #snapshot: Snapshot;
  /** Least recently used first. */
  #tracks: Track[] = [];
  #lastCursor = 0;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** Compares the files in scope with those at the query's cursor and remembers the present ones. */
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
    const { suffixes, pruneDirectories } = query;
    for (const entry of findFiles(this.#snapshot, { suffixes, pruneDirectories }, checkStop)) {
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
