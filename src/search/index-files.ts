import { discard } from '../base/discarded.ts';
import { type RecordedState, recordState, tryStat } from '../base/file-state.ts';
import type { WorkerProgress } from '../base/worker-protocol.ts';
import { fileKinds } from '../index/segment.ts';
import { fileWords, type IndexedFile, SegmentBuilder } from '../index/segment-builder.ts';
import { decode } from '../text/decode.ts';
import { FileReader } from './file-reader.ts';
import type { UnindexedFiles } from './scan-protocol.ts';
import type { TextSource } from './scan-search.ts';
import { findFiles } from './scan-walk.ts';

/** About the memory that building a segment takes. */
const segmentBytes = 32 * 1024 * 1024;

const filesPerReport = 500;

const noWords: ReadonlySet<string> = new Set();

/**
 * Indexes the given files or, without a list, all that are not ignored, and removes what has become outdated. Files
 * that the index knows are not read. Returns the number of files indexed.
 *
 * A file that has just been written is left out: it may change again without a difference in its times.
 */
export function indexFiles(
  source: TextSource,
  unindexed: UnindexedFiles | undefined,
  onProgress: (progress: WorkerProgress) => void,
): number {
  const reader = new FileReader(source.codec);
  try {
    return indexAll({ ...source, reader, onProgress }, unindexed);
  } finally {
    reader.release();
  }
}

interface Indexing extends TextSource {
  readonly reader: FileReader;
  readonly onProgress: (progress: WorkerProgress) => void;
}

function indexAll(source: Indexing, unindexed: UnindexedFiles | undefined): number {
  const { snapshot, index, checkStop } = source;
  if (index === undefined) return 0;
  const orphans = index.files.prune((path, isKnown) => {
    const stats = tryStat(snapshot.absolute(path));
    return stats !== undefined && isKnown(stats);
  });
  const paths = unindexed?.split('\0') ?? findFiles(snapshot, {}, checkStop).map(({ path }) => path);
  let count = 0;
  let builder = new SegmentBuilder();
  let lookUp = index.files.lookup(undefined);
  const flush = () => {
    if (builder.fileCount === 0) return true;
    const isStored = index.files.add(builder);
    count += isStored ? builder.fileCount : 0;
    builder = new SegmentBuilder();
    discard(segmentBytes);
    // Another process may have indexed some of the files in the meantime.
    lookUp = index.files.lookup(undefined);
    return isStored;
  };
  // Segments store their files in this order.
  const all = [...new Set([...paths, ...orphans])].sort();
  for (const [doneCount, path] of all.entries()) {
    checkStop();
    if (doneCount % filesPerReport === 0) source.onProgress({ doneCount, fileCount: all.length });
    const state = settledState(snapshot.absolute(path));
    if (state === undefined || lookUp(path, state) !== 'unknown') continue;
    const file = indexedFile(source, path, state);
    if (file !== undefined) builder.add(file);
    if (builder.isFull && !flush()) return count;
  }
  flush();
  if (count > 0) index.files.finish();
  source.onProgress({ doneCount: all.length, fileCount: all.length });
  return count;
}

/** Returns the state of a regular file, or `undefined` if a change might not show in its times. */
function settledState(path: string): RecordedState | undefined {
  const now = Date.now();
  const stats = tryStat(path);
  const state = stats?.isFile() === true ? recordState(stats, now) : undefined;
  return state?.isRacy === false ? state : undefined;
}

/** Returns a file with its words, or `undefined` if it cannot be read or is just changing. */
function indexedFile(source: Indexing, path: string, times: RecordedState): IndexedFile | undefined {
  const { bytes, isOfState } = source.reader.read(source.snapshot.place(path), times);
  if (bytes === undefined || !isOfState) return undefined;
  const file = { path, times, words: noWords };
  const decoded = decode(bytes, source.codec);
  if (decoded.kind === 'binary') return { ...file, kind: fileKinds.binary };
  // The bytes of a literal are those in the file only if the encoding extends ASCII. A file that cannot be decoded is
  // reported by each question.
  const hasBytes = decoded.kind === 'text' && decoded.codec.extendsAscii;
  const words = hasBytes ? fileWords(bytes) : undefined;
  return words === undefined ? { ...file, kind: fileKinds.opaque } : { ...file, kind: fileKinds.words, words };
}
