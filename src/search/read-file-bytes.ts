import { closeSync, readSync } from 'node:fs';
import { isSameState, type RecordedState } from '../base/file-state.ts';
import { openRegularFile, type RootedPath, readAll } from '../base/open-regular-file.ts';
import { looksBinary, sniffedBytes } from '../text/decode.ts';
import type { TextCodec } from '../text/encodings.ts';
import { isOutOfDescriptors, outOfDescriptors } from './read-error.ts';
import { openByShortestWay } from './shortest-way.ts';

/** Of larger files the start is read first, because most of them are binary. */
export const maxBlindBytes = 1024 * 1024;

/** Larger files are not read: their text would not fit into one string. */
export const maxFileBytes = 256 * 1024 * 1024;

/** What was read of a file; without bytes if that failed. */
export interface FileBytes {
  readonly bytes: Buffer | undefined;
  /** False if the file has changed since its state was recorded. */
  readonly isOfState: boolean;
}

/**
 * Reads a file, of a large binary one only the start; without bytes if that fails. `isOfState` is false if the file has
 * changed since `state` was recorded.
 *
 * @throws {ExpectedError} `file.unreadable` if too many files are open.
 */
export function readFileBytes(place: RootedPath, state: RecordedState, codec: TextCodec): FileBytes {
  const nothing = { bytes: undefined, isOfState: false };
  if (state.size > maxFileBytes) return nothing;
  try {
    const { fd, stats } = openByShortestWay(place, openRegularFile);
    try {
      const start = stats.size > maxBlindBytes ? readStart(fd) : undefined;
      const isBinary = start !== undefined && looksBinary(start, codec);
      const bytes = isBinary ? start : readAll(fd, stats.size, maxFileBytes);
      return { bytes, isOfState: isSameState(state, stats) };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot read \`${place.path}\``, error);
    return nothing;
  }
}

function readStart(fd: number): Buffer {
  const start = Buffer.alloc(sniffedBytes);
  return start.subarray(0, readSync(fd, start, 0, sniffedBytes, 0));
}
