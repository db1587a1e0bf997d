import type { Changes, ChangesQuery } from './scan-protocol.ts';
import { findFiles, type StopCheck } from './scan-walk.ts';
import type { Entry, FileStates, Snapshot } from './snapshot.ts';

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
