import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { makePrivateDirectory } from '../../base/private-directory.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';

/** Increased when the stored format changes. Each version has a file of its own. */
const formatVersion = 2;
const keepDays = 60;
const dayMs = 86_400_000;
/** Several processes may share the file: a writer waits this long for another one. */
const busyTimeoutMs = 2_000;

interface Store {
  readonly database: DatabaseSync;
  readonly select: StatementSync;
  readonly insert: StatementSync;
}

/**
 * Cache of symbols, keyed by a file's content and the identity of the server or parser. Stored in one SQLite file per
 * project, for all worktrees of its repository, which several processes may use at once. It is in the user's home
 * directory, so that no repository can supply it. If the file cannot be used (read-only directory, full disk), nothing
 * is cached and everything else works.
 */
export class SymbolCache {
  readonly #directory: string;
  readonly #pending = new Map<string, SQLOutputValue>();
  #opened: Promise<Store | undefined> | undefined;

  /** `directory` is the absolute path of the directory for the cache, created at the first access. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  static keyOf(text: string, identity: string): string {
    return createHash('sha256').update(identity).update('\0').update(text).digest('hex').slice(0, 40);
  }

  /** Returns the symbols stored under `key`, or `undefined`. */
  async get(key: string): Promise<PlainSymbol[] | undefined> {
    const stored = await this.#stored(key);
    if (typeof stored !== 'string') return undefined;
    const packed: Packed[] = JSON.parse(stored);
    return packed.map(unpack);
  }

  /** Stores symbols at the next {@link flush}. Ignores an empty list: a server that is not ready answers the same. */
  put(key: string, symbols: readonly PlainSymbol[]): void {
    if (symbols.length > 0) this.#pending.set(key, JSON.stringify(symbols.map(pack)));
  }

  /** Returns the outline stored under `key`, or `undefined` if there is none or it is damaged. */
  async getOutline(key: string): Promise<StoredOutline | undefined> {
    const stored = await this.#stored(key);
    return stored instanceof Uint8Array ? unpackOutline(stored) : undefined;
  }

  /** Stores an outline at the next {@link flush}, even if it has no symbols: a text is always parsed in the same way. */
  putOutline(key: string, outline: StoredOutline): void {
    this.#pending.set(key, packOutline(outline));
  }

  /** Writes all pending symbols in one transaction. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return;
    const store = await this.#open();
    const entries = [...this.#pending];
    this.#pending.clear();
    if (store === undefined) return;
    try {
      store.database.exec('BEGIN IMMEDIATE');
      for (const [key, symbols] of entries) store.insert.run(key, symbols, today());
      store.database.exec('COMMIT');
    } catch (error) {
      this.#opened = Promise.resolve(this.#unusable(error));
      store.database.close();
    }
  }

  /** Writes all pending symbols and closes the file. */
  async close(): Promise<void> {
    await this.flush();
    const store = await this.#opened;
    this.#opened = Promise.resolve(undefined);
    store?.database.close();
  }

  async #stored(key: string): Promise<SQLOutputValue | undefined> {
    const store = await this.#open();
    return this.#pending.get(key) ?? store?.select.get(key)?.symbols;
  }

  #open(): Promise<Store | undefined> {
    this.#opened ??= openStore(this.#directory).catch((error: unknown) => this.#unusable(error));
    return this.#opened;
  }

  #unusable(error: unknown): undefined {
    log('symbols').warn(`Symbols are not cached in \`${this.#directory}\`: ${messageOf(error)}`);
  }
}

async function openStore(directory: string): Promise<Store> {
  makePrivateDirectory(directory);
  // Loaded here, so that it does not delay the program's start.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(directory, `symbols-v${formatVersion}.sqlite`));
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`);
  database.exec(
    'CREATE TABLE IF NOT EXISTS trees (key TEXT PRIMARY KEY, symbols TEXT, stored_day INTEGER) WITHOUT ROWID',
  );
  database.prepare('DELETE FROM trees WHERE stored_day < ?').run(today() - keepDays);
  return {
    database,
    select: database.prepare('SELECT symbols FROM trees WHERE key = ?'),
    insert: database.prepare('INSERT OR REPLACE INTO trees (key, symbols, stored_day) VALUES (?, ?, ?)'),
  };
}

function today(): number {
  return Math.floor(Date.now() / dayMs);
}

/** A symbol as an array, which takes half the space of an object in JSON. */
type Packed = [name: string, kind: number, range: Packed4, selection: Packed4, children: Packed[], receiver?: string];
type Packed4 = [number, number, number, number];

function pack({ name, kind, range, selectionRange, children, receiver }: PlainSymbol): Packed {
  const packed: Packed = [name, kind, packRange(range), packRange(selectionRange), children.map(pack)];
  if (receiver !== undefined) packed.push(receiver);
  return packed;
}

function packRange({ start, end }: PlainSymbol['range']): Packed4 {
  return [start.line, start.character, end.line, end.character];
}

function unpack([name, kind, range, selectionRange, children, receiver]: Packed): PlainSymbol {
  return {
    ...(receiver === undefined ? {} : { receiver }),
    name,
    kind,
    range: unpackRange(range),
    selectionRange: unpackRange(selectionRange),
    children: children.map(unpack),
  };
}

function unpackRange([startLine, startCharacter, endLine, endCharacter]: Packed4): PlainSymbol['range'] {
  return {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
  };
}

/** The definitions that a parser found in a text, in their normalized form. */
export interface StoredOutline {
  readonly symbols: readonly PlainSymbol[];
  /** True if the text has syntax errors; the definitions around them may be missing or wrong. */
  readonly hasError: boolean;
}

/** Returns an outline as compressed bytes with a checksum: about a tenth of the text that it belongs to. */
function packOutline({ symbols, hasError }: StoredOutline): Buffer<ArrayBuffer> {
  // Loaded here, so that it does not delay the program's start.
  const { constants, zstdCompressSync } = process.getBuiltinModule('node:zlib');
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
  return zstdCompressSync(JSON.stringify([hasError, symbols.map(pack)]), { params });
}

/** Returns an outline from its bytes, or `undefined` if they are damaged. */
function unpackOutline(bytes: Uint8Array): StoredOutline | undefined {
  const { zstdDecompressSync } = process.getBuiltinModule('node:zlib');
  try {
    const [hasError, symbols]: [boolean, Packed[]] = JSON.parse(zstdDecompressSync(bytes).toString('utf8'));
    return { symbols: symbols.map(unpack), hasError };
  } catch {
    return undefined;
  }
}
