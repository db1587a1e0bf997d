import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf, systemCode } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { readRegularFile } from '../base/open-regular-file.ts';
import { makePrivateDirectory } from '../base/private-directory.ts';
import { maxFileBytes } from '../search/file-reader.ts';
import { hashOf, hashOrProblem } from './content-hash.ts';

const stepSchema = z.object({
  /** As in the commit: relative to the root of its scope, or absolute. */
  path: z.string(),
  /** Absolute path with links resolved. */
  target: z.string(),
  /** SHA-256 of the content before and after the commit; absent if no file existed. */
  before: z.string().optional(),
  after: z.string().optional(),
  /** Permissions before and after the commit. */
  modeBefore: z.int().optional(),
  modeAfter: z.int().optional(),
  /** True if the commit removed a symbolic link, whose target remains. */
  isLink: z.boolean().optional(),
});

const recordSchema = z.object({
  kind: z.enum(['edit', 'undo', 'redo']),
  tool: z.string(),
  /** Id of the session, and of the process that it ran in. */
  session: z.string(),
  pid: z.int(),
  /** Ids of the records that an undo or redo is about. */
  of: z.array(z.string()),
  /** Absolute paths of the directories that the commit created, outer ones first. */
  made: z.array(z.string()),
  steps: z.array(stepSchema),
});

/** The change of one file by a recorded commit. */
export type RecordedStep = z.infer<typeof stepSchema>;

type RecordContent = z.infer<typeof recordSchema>;

export interface EditRecord extends RecordContent {
  readonly id: string;
  /** Milliseconds since the epoch. Later records have later times. */
  readonly timeMs: number;
}

/** Contents before and after a change, and its record. */
export interface NewRecord extends RecordContent {
  readonly id: string;
  readonly contents: readonly Uint8Array[];
}

/** Records and contents beyond these limits are removed, the oldest first; the latest record stays. */
const limits = { records: 100, bytes: 64 * 1024 * 1024, ageMs: 14 * 24 * 60 * 60 * 1000 };

/** Removing old records reads the remaining ones; this many more are collected first. */
const spareRecords = 25;

const maxRecordBytes = 16 * 1024 * 1024;

/** `<time in ms>-<bytes of contents>-<commit id>`; a record whose commit is not known to have ended is `.pending`. */
const nameForm = /^(\d+)-(\d+)-(\d+-[0-9a-f]{12})\.(json|pending)$/;

interface RecordName {
  readonly name: string;
  readonly timeMs: number;
  readonly sizeBytes: number;
  readonly id: string;
  readonly isPending: boolean;
}

/**
 * Writes the record of a commit that is about to be made, and returns its absolute path. The record counts from {@link
 * confirmRecord} on; if the process ends before that, {@link settleRecords} decides. `directory` is that of the scope,
 * whose lock the caller holds.
 */
export function addRecord(directory: string, { id, contents, ...content }: NewRecord): string {
  const history = historyOf(directory);
  makePrivateDirectory(history);
  makePrivateDirectory(contentsOf(directory));
  for (const bytes of contents) storeContent(directory, bytes);
  const sizeBytes = contents.reduce((sum, { length }) => sum + length, 0);
  const timeMs = Math.max(Date.now(), (namesIn(directory).at(-1)?.timeMs ?? 0) + 1);
  const path = join(history, `${timeMs}-${sizeBytes}-${id}.pending`);
  writePrivately(path, JSON.stringify(content));
  return path;
}

/** Makes a record count, because its commit was made. Removes what exceeds the limits. */
export function confirmRecord(path: string): void {
  renameSync(path, path.replace(/\.pending$/, '.json'));
  removeOld(dirname(dirname(path)));
}

/** Removes the record of a commit that was not made. */
export function dropRecord(path: string): void {
  rmSync(path, { force: true });
}

/**
 * Decides about the records of commits whose process ended: a commit was made if one of its files has the new content.
 * Must be called before any other change of the files, by the holder of the lock. A commit that still has a journal is
 * skipped.
 */
export function settleRecords(directory: string): void {
  for (const { name, id, isPending } of namesIn(directory)) {
    if (!isPending || existsSync(join(directory, id))) continue;
    const path = join(historyOf(directory), name);
    if (wasMade(readRecord(path))) confirmRecord(path);
    else dropRecord(path);
  }
}

/** Returns the recorded commits of a scope, oldest first. `directory` is that of the scope. */
export function readRecords(directory: string): EditRecord[] {
  return namesIn(directory).flatMap(({ name, id, timeMs, isPending }) => {
    const content = readRecord(join(historyOf(directory), name));
    if (content === undefined || (isPending && !wasMade(content))) return [];
    return [{ ...content, id, timeMs }];
  });
}

/** Returns the bytes with a hash, or `undefined` if they are no longer stored. */
export function recordedContent(directory: string, hash: string): Uint8Array | undefined {
  try {
    const location = { root: contentsOf(directory), path: hash, links: 'none' } as const;
    const bytes = readRegularFile(location, maxFileBytes);
    return hashOf(bytes) === hash ? bytes : undefined;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log('edits').warn(`cannot read a recorded content: ${messageOf(error)}`);
    return undefined;
  }
}

function historyOf(directory: string): string {
  return join(directory, 'history');
}

function contentsOf(directory: string): string {
  return join(historyOf(directory), 'contents');
}

function namesIn(directory: string): RecordName[] {
  return entriesOf(historyOf(directory))
    .flatMap((name) => {
      const [, timeMs, sizeBytes, id, extension] = nameForm.exec(name) ?? [];
      if (id === undefined) return [];
      return [{ name, id, timeMs: Number(timeMs), sizeBytes: Number(sizeBytes), isPending: extension === 'pending' }];
    })
    .sort((a, b) => a.timeMs - b.timeMs);
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function readRecord(path: string): RecordContent | undefined {
  try {
    const location = { root: dirname(path), path: basename(path), links: 'none' } as const;
    return recordSchema.parse(JSON.parse(readRegularFile(location, maxRecordBytes).toString('utf8')));
  } catch (error) {
    log('edits').warn(`cannot read the record \`${path}\` of an edit: ${messageOf(error)}`);
    return undefined;
  }
}

function wasMade(record: RecordContent | undefined): boolean {
  return (
    record?.steps.some(({ target, before, after }) => before !== after && hashOrProblem(target) === after) === true
  );
}

function storeContent(directory: string, bytes: Uint8Array): void {
  const path = join(contentsOf(directory), hashOf(bytes));
  if (statSync(path, { throwIfNoEntry: false })?.size !== bytes.length) writePrivately(path, bytes);
}

/** Not synced, which would double the time of a small edit: a content that a power failure damages has another hash. */
function writePrivately(path: string, content: string | Uint8Array): void {
  const staged = `${path}.${process.pid}`;
  try {
    writeFileSync(staged, content, { mode: 0o600 });
    renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}

function removeOld(directory: string): void {
  const oldestMs = Date.now() - limits.ageMs;
  const names = namesIn(directory);
  // The latest edit can always be undone, however large it is, and does not cost the ones before it.
  const [latest, ...others] = names.toReversed();
  const isOver =
    names.length > limits.records + spareRecords ||
    others.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > limits.bytes ||
    (names[0]?.timeMs ?? oldestMs) < oldestMs;
  if (!isOver || latest === undefined) return;
  const kept = new Set([latest]);
  let left = limits.bytes;
  for (const name of others) {
    left -= name.sizeBytes;
    if (left < 0 || kept.size >= limits.records || name.timeMs < oldestMs) break;
    kept.add(name);
  }
  const history = historyOf(directory);
  for (const name of names) if (!kept.has(name) && !name.isPending) rmSync(join(history, name.name), { force: true });
  removeUnused(directory);
}

function removeUnused(directory: string): void {
  const history = historyOf(directory);
  const records = namesIn(directory).map(({ name }) => readRecord(join(history, name)));
  const used = new Set(
    records.flatMap((record) => record?.steps.flatMap(({ before, after }) => [before, after]) ?? []),
  );
  for (const name of entriesOf(contentsOf(directory))) {
    if (!used.has(name)) rmSync(join(contentsOf(directory), name), { force: true });
  }
}
