import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';

/**
 * A change within this time of the moment a state was recorded may not show in the recorded times: file systems stamp
 * with the clock of the last tick (at most 10 ms here).
 */
const racyMs = 50;

/** Some file systems (FAT, HFS+, old NFS) store whole or even seconds only. */
const coarseRacyMs = 2100;

/** Larger files that are being written are taken as changed each time instead of being hashed. */
export const maxHashedBytes = 16 * 1024 * 1024;

/** What was recorded about a file or directory, to find out later whether it is still the same. */
export interface RecordedState {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
  /** The file could have changed since without a trace in the other fields. */
  readonly isRacy: boolean;
}

/** Returns what the file system says about an absolute path, links followed; `undefined` if it cannot be reached. */
export function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns what to record about `stats`, which were taken at `now` or later. */
export function recordState(stats: Stats, now: number): RecordedState {
  const { mtimeMs, ctimeMs, size, ino } = stats;
  const window = ctimeMs % 1000 === 0 ? coarseRacyMs : racyMs;
  return { mtimeMs, ctimeMs, size, ino, isRacy: Math.max(mtimeMs, ctimeMs) > now - window };
}

/** Returns whether `stats` have the same times, size and identity; compared by inequality, as files may get older. */
export function isSameState(recorded: RecordedState, stats: Stats): boolean {
  return (
    recorded.mtimeMs === stats.mtimeMs &&
    recorded.ctimeMs === stats.ctimeMs &&
    recorded.size === stats.size &&
    recorded.ino === stats.ino
  );
}

/** A file's recorded state and the fingerprint it was given. */
export interface FileState extends RecordedState {
  readonly fingerprint: string;
}

/**
 * Returns the state of a file: `known` itself if nothing has changed. `read` returns its content.
 *
 * The times cannot tell two writes in one tick apart. A file that changed just now therefore has a hash of its content
 * in its fingerprint, and is hashed again until its times are old enough to be trusted.
 */
export function currentState(
  { stats, now, read }: { readonly stats: Stats; readonly now: number; readonly read: () => Uint8Array },
  known: FileState | undefined,
): FileState {
  const isSame = known !== undefined && isSameState(known, stats);
  if (isSame && !known.isRacy) return known;
  const state = recordState(stats, now);
  const times = `${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}:${stats.ino}`;
  // Once hashed, always hashed: the fingerprint of an unchanged file must not change when it stops being racy.
  const isHashed = state.isRacy || isSame;
  return { ...state, fingerprint: isHashed ? `${times}:${contentMark(read, stats.size, now)}` : times };
}

function contentMark(read: () => Uint8Array, size: number, now: number): string {
  if (size > maxHashedBytes) return `at-${now}`;
  try {
    return createHash('sha1').update(read()).digest('base64url');
  } catch {
    return `unread-${now}`;
  }
}
