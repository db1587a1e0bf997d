import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { discard } from '../base/discarded.ts';
import { systemCode } from '../base/errors.ts';
import { makePrivateDirectory } from '../base/private-directory.ts';
import type { Segment, SegmentFiles, SegmentWords } from './segment.ts';

/** Increased when the stored format changes. Each version has a file of its own. */
const formatVersion = 1;
/** Questions do not wait for another process: they are answered without the index instead. */
const busyTimeoutMs = 100;
/** No path contains it. */
const separator = '\0';

const schema = `CREATE TABLE IF NOT EXISTS segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, checksum INTEGER, paths BLOB, states BLOB,
  words_checksum INTEGER, words BLOB, skips BLOB, postings_checksum INTEGER, postings BLOB)`;

export interface IndexLocation {
  /** Absolute path of the project's cache directory, created at the first access. */
  readonly directory: string;
  /** Name of the project's encoding. Each encoding has a file of its own, because what is text depends on it. */
  readonly encoding: string;
}

/**
 * The SQLite file with the segments of one project's index, which several processes may use at once. Segments never
 * change; their ids increase and are not used again. What a segment contains is checked when it is read, because wrong
 * content would make answers incomplete.
 */
export class IndexStore {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** True if the file exists, whether or not it can be used. */
  static exists(location: IndexLocation): boolean {
    return existsSync(pathOf(location));
  }

  /**
   * Opens the file, and creates it with its directory if needed.
   *
   * @throws {Error} if the directory or the file cannot be used.
   */
  static open(location: IndexLocation): IndexStore {
    makePrivateDirectory(location.directory);
    const path = pathOf(location);
    for (const ending of ['', '-wal', '-shm']) requireOwnFile(path + ending);
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(path);
    try {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`);
      database.exec(schema);
    } catch (error) {
      database.close();
      throw error;
    }
    return new IndexStore(database);
  }

  /** Returns the ids of all segments, in ascending order. */
  ids(): number[] {
    const rows = this.#database.prepare('SELECT id FROM segments ORDER BY id').all();
    return rows.map(({ id }) => Number(id));
  }

  /** Returns the files of a segment, or `undefined` if it does not exist or is damaged. */
  files(id: number): SegmentFiles | undefined {
    const row = this.#database.prepare('SELECT checksum, paths, states FROM segments WHERE id = ?').get(id);
    const [paths, states] = [bufferOf(row?.paths), bufferOf(row?.states)];
    if (row === undefined || row.checksum !== checksum([paths, states])) return undefined;
    const text = paths.toString('utf8');
    return { paths: text === '' ? [] : text.split(separator), states: new Float64Array(aligned(states)) };
  }

  /** Returns the words of a segment, or `undefined` if it does not exist or is damaged. */
  words(id: number): SegmentWords | undefined {
    const columns = 'checksum, words_checksum, words, skips';
    const row = this.#database.prepare(`SELECT ${columns} FROM segments WHERE id = ?`).get(id);
    const [words, skips] = [bufferOf(row?.words), bufferOf(row?.skips)];
    // With the checksum of the files, so that words never belong to the files of another segment.
    if (row === undefined || row.words_checksum !== checksum([words, skips], row.checksum)) return undefined;
    return { words, skips: new Uint32Array(aligned(skips)) };
  }

  /** Returns the postings of a segment, or `undefined` if it does not exist or is damaged. */
  postings(id: number): Buffer | undefined {
    const columns = 'words_checksum, postings_checksum, postings';
    const row = this.#database.prepare(`SELECT ${columns} FROM segments WHERE id = ?`).get(id);
    const postings = bufferOf(row?.postings);
    if (row === undefined || row.postings_checksum !== checksum([postings], row.words_checksum)) return undefined;
    return postings;
  }

  add({ files, words: { words, skips }, postings }: Segment): void {
    const paths = Buffer.from(files.paths.join(separator), 'utf8');
    const [stateBytes, skipBytes] = [bytesOf(files.states), bytesOf(skips)];
    const filesSum = checksum([paths, stateBytes]);
    const wordsSum = checksum([words, skipBytes], filesSum);
    const postingsSum = checksum([postings], wordsSum);
    const columns = 'checksum, paths, states, words_checksum, words, skips, postings_checksum, postings';
    this.#database
      .prepare(`INSERT INTO segments (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
      .run(filesSum, paths, stateBytes, wordsSum, words, skipBytes, postingsSum, postings);
  }

  remove(id: number): void {
    this.#database.prepare('DELETE FROM segments WHERE id = ?').run(id);
  }

  /** Moves what was added into the file itself; otherwise the log would stay as large until the last process ends. */
  truncateLog(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#database.close();
  }
}

function pathOf({ directory, encoding }: IndexLocation): string {
  return join(directory, `words-v${formatVersion}-${encoding.replace(/[^\w-]/g, '_')}.sqlite`);
}

/** A link would let this program write to a file of somebody else's choice. */
function requireOwnFile(path: string): void {
  try {
    if (!lstatSync(path).isFile()) throw new Error(`\`${path}\` is not a regular file`);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

function bufferOf(value: SQLOutputValue | undefined): Buffer {
  if (!(value instanceof Uint8Array)) return Buffer.alloc(0);
  // Few are kept for long.
  discard(value.byteLength);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Returns a copy of the bytes, from which numbers can be read. */
function aligned(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}

/** Returns a checksum of some parts and of the checksum of other parts of the same segment. */
function checksum(parts: readonly Buffer[], other: SQLOutputValue = 0): number {
  // The lengths are included: bytes must not move from one part to the next.
  const start = Buffer.from([other, ...parts.map(({ length }) => length)].join(' '));
  return [start, ...parts].reduce((sum, part) => crc32(part, sum), 0);
}
