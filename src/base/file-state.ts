import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { attempt } from './attempt.ts';

/**
 * A change this soon after a state was recorded may leave the recorded times equal: file systems stamp files with the
 * clock of the last tick, which is up to 10 ms old.
 */
const racyMs = 50;

/** The same for file systems with a resolution of one or two seconds (FAT, HFS+, old NFS). */
const coarseRacyMs = 2100;

/** Recently written files above this size count as changed each time instead of being hashed. */
export const maxHashedBytes = 16 * 1024 * 1024;

/** The metadata that change with a file or directory. */
export interface FileMetadata {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
}

/** The metadata of a file or directory at one moment, to detect later changes. */
export interface RecordedState extends FileMetadata {
  /** True if the file may have changed since without a difference in the other fields. */
  readonly isRacy: boolean;
}

/** Returns the metadata of an absolute path, links followed; `undefined` if the path cannot be reached. */
export function tryStat(path: string): Stats | undefined {
  return attempt(() => statSync(path, { throwIfNoEntry: false }), undefined);
}

/** Returns the state to record for `stats`, which were read at `now` or later. */
export function recordState(stats: FileMetadata, now: number): RecordedState {
  const { mtimeMs, ctimeMs, size, ino } = stats;
  const window = ctimeMs % 1000 === 0 ? coarseRacyMs : racyMs;
  return { mtimeMs, ctimeMs, size, ino, isRacy: Math.max(mtimeMs, ctimeMs) > now - window };
}

/** True if `stats` have the same times, size and inode. Any difference counts, as restored files have older times. */
export function isSameState(recorded: FileMetadata, stats: FileMetadata): boolean {
  return (
    recorded.mtimeMs === stats.mtimeMs &&
    recorded.ctimeMs === stats.ctimeMs &&
    recorded.size === stats.size &&
    recorded.ino === stats.ino
  );
}

export interface FileState extends RecordedState {
  readonly fingerprint: string;
}

/** Renders the fingerprint when it is needed: the text takes more memory than all numbers of a state. */
class StateOfFile implements FileState {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
  readonly isRacy: boolean;
  readonly #content: string | undefined;

  constructor({ mtimeMs, ctimeMs, size, ino, isRacy }: RecordedState, content: string | undefined) {
    this.mtimeMs = mtimeMs;
    this.ctimeMs = ctimeMs;
    this.size = size;
    this.ino = ino;
    this.isRacy = isRacy;
    this.#content = content;
  }

  get fingerprint(): string {
    const times = `${this.mtimeMs}:${this.ctimeMs}:${this.size}:${this.ino}`;
    return this.#content === undefined ? times : `${times}:${this.#content}`;
  }
}

/**
 * Returns the state of a file: `known` itself if nothing has changed. `read` returns the file's content.
 *
 * Two writes within one tick leave equal times. The fingerprint of a file that has just changed therefore includes a
 * hash of its content, and the file is hashed again until its times are old enough to be trusted.
 */
export function currentState(
  { stats, now, read }: { readonly stats: FileMetadata; readonly now: number; readonly read: () => Uint8Array },
  known: FileState | undefined,
): FileState {
  const isSame = known !== undefined && isSameState(known, stats);
  if (isSame && !known.isRacy) return known;
  const state = recordState(stats, now);
  // Once hashed, always hashed: the fingerprint of an unchanged file must not change when it stops being racy.
  const isHashed = state.isRacy || isSame;
  return new StateOfFile(state, isHashed ? contentHash(read, stats.size, now) : undefined);
}

function contentHash(read: () => Uint8Array, size: number, now: number): string {
  if (size > maxHashedBytes) return `at-${now}`;
  return attempt(() => createHash('sha1').update(read()).digest('base64url'), `unread-${now}`);
}
