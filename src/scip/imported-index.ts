import { renameSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { oneLine, visibleText } from '../base/visible-text.ts';
import type { Range } from '../text/place.ts';
import type { Position } from '../text/position.ts';
import { blobOf } from './blob.ts';
import { fields, roles, type Tool } from './message.ts';
import { documentHead, indexParts, invalidIndex, readDocument, toolIn } from './read.ts';

const schema = `
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE documents (id INTEGER PRIMARY KEY, path TEXT UNIQUE, blob TEXT, encoding INTEGER);
CREATE TABLE symbols (id INTEGER PRIMARY KEY, symbol TEXT UNIQUE, documentation TEXT);
CREATE TABLE occurrences (symbol INTEGER, document INTEGER, start_line INTEGER, start_character INTEGER, end_line INTEGER,
  end_character INTEGER, roles INTEGER);
CREATE TABLE relations (symbol INTEGER, other INTEGER, is_reference INTEGER, is_implementation INTEGER,
  PRIMARY KEY (symbol, other)) WITHOUT ROWID`;
/** Created after the rows: sorting them once takes a fraction of the time. */
const lookups = `
CREATE INDEX occurrences_by_symbol ON occurrences (symbol);
CREATE INDEX occurrences_by_place ON occurrences (document, start_line, start_character);
CREATE INDEX relations_by_other ON relations (other)`;

/** Longer names of symbols are no names: such occurrences are left out. */
const maxSymbolChars = 4_096;
const maxPathChars = 4_096;
const maxToolChars = 60;
/** SQLite keeps this much of an unfinished import in memory. */
const cacheKilobytes = 32_768;

export interface ImportedDocument {
  readonly id: number;
  readonly path: string;
  /** Git's id of the content that the index is about. */
  readonly blob: string;
  /** One of `encodings`. */
  readonly encoding: number;
}

/** A place in a file of an index, with columns in the document's encoding. */
export interface ImportedPlace {
  readonly document: ImportedDocument;
  readonly range: Range;
  readonly isDefinition: boolean;
}

/** The file that an index comes from, as it was when it was read. */
export interface IndexOrigin {
  /** Absolute path. */
  readonly path: string;
  /** Text that differs for another content. */
  readonly state: string;
}

export interface ImportSummary {
  readonly documents: number;
  readonly occurrences: number;
  /** Number of documents outside the project, and the path of the first one. */
  readonly outside: { readonly count: number; readonly first: string };
  /** Number of documents of which it is not known what content they are about. */
  readonly unknown: number;
}

/** What an import needs besides the file. */
interface ImportOptions {
  readonly fd: number;
  readonly sizeBytes: number;
  readonly origin: IndexOrigin;
  /** Git's ids of the files in the commit that the index was made from, if it is known. */
  readonly blobs: ReadonlyMap<string, string>;
  /** Called for each document with the number of bytes that were read; it may throw to end the import. */
  onProgress(doneBytes: number): void;
}

type Row = Record<string, SQLOutputValue>;

/** The answers of an index, in a SQLite file. Only the rows that a question needs are read. */
export class ImportedIndex {
  readonly origin: IndexOrigin;
  /** The program that wrote the index, for people. */
  readonly tool: Tool;
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
    const setting = (key: string) =>
      String(database.prepare('SELECT value FROM settings WHERE key = ?').get(key)?.value ?? '');
    this.origin = { path: setting('path'), state: setting('state') };
    this.tool = { name: setting('tool'), version: setting('version') };
  }

  /** Opens the file that {@link create} has written. @throws {Error} if it is missing or damaged. */
  static open(path: string): ImportedIndex {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    return new ImportedIndex(new DatabaseSync(path, { readOnly: true }));
  }

  /**
   * Reads an index into a file, which replaces an earlier one only when everything has been read.
   *
   * @throws {ExpectedError} `scip.invalid`.
   */
  static create(path: string, options: ImportOptions): ImportSummary {
    const temporary = `${path}.${process.pid}.tmp`;
    rmSync(temporary, { force: true });
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(temporary);
    try {
      database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${cacheKilobytes}`);
      database.exec(schema);
      database.exec('BEGIN');
      const summary = new Import(database, options).run();
      database.exec(lookups);
      database.exec('COMMIT');
      database.close();
      renameSync(temporary, path);
      return summary;
    } catch (error) {
      if (database.isOpen) database.close();
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  /** Returns all documents, sorted by path. */
  documents(): ImportedDocument[] {
    return this.#all('SELECT * FROM documents ORDER BY path').map(documentOf);
  }

  /** Returns the document of a file, by its project-relative path. */
  documentOf(path: string): ImportedDocument | undefined {
    return this.#all('SELECT * FROM documents WHERE path = ?', path).map(documentOf)[0];
  }

  /** Returns the ids of the symbols that a document has at a position, in its encoding; 0 for a name without a symbol. */
  symbolsAt({ id }: ImportedDocument, { line, character }: Position, { isDefinition = false } = {}): number[] {
    const sql = `SELECT symbol FROM occurrences WHERE document = ? AND start_line = ? AND start_character = ?
      AND (roles & ?) = ?`;
    const role = isDefinition ? roles.definition : 0;
    return this.#all(sql, id, line, character, role, role).map(({ symbol }) => Number(symbol));
  }

  /** Returns symbols with those whose references are references to them as well. */
  withReferring(symbols: readonly number[]): number[] {
    const sql = `SELECT other AS id FROM relations WHERE symbol = ? AND is_reference
      UNION SELECT symbol AS id FROM relations WHERE other = ? AND is_reference`;
    return [...new Set([...symbols, ...symbols.flatMap((id) => this.#all(sql, id, id).map((row) => Number(row.id)))])];
  }

  implementationsOf(symbol: number): number[] {
    const sql = 'SELECT symbol FROM relations WHERE other = ? AND is_implementation';
    return this.#all(sql, symbol).map((row) => Number(row.symbol));
  }

  /** Returns the signature and the documentation of a symbol, if the index has them. */
  documentationOf(symbol: number): string | undefined {
    const text = this.#all('SELECT documentation FROM symbols WHERE id = ?', symbol)[0]?.documentation;
    return typeof text === 'string' ? text : undefined;
  }

  /** Returns all places of a symbol, sorted by file and position. */
  placesOf(symbol: number): ImportedPlace[] {
    const sql = `SELECT d.*, o.* FROM occurrences o JOIN documents d ON d.id = o.document WHERE o.symbol = ?
      ORDER BY d.path, o.start_line, o.start_character`;
    return this.#all(sql, symbol).map((row) => {
      return {
        document: documentOf(row),
        range: {
          start: { line: Number(row.start_line), character: Number(row.start_character) },
          end: { line: Number(row.end_line), character: Number(row.end_character) },
        },
        isDefinition: (Number(row.roles) & roles.definition) !== 0,
      };
    });
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }
}

function documentOf({ id, path, blob, encoding }: Row): ImportedDocument {
  return { id: Number(id), path: String(path), blob: String(blob), encoding: Number(encoding) };
}

/** Returns a text of an index for people: one short line. */
function shownText(text: string): string {
  return visibleText(oneLine(text)).slice(0, maxToolChars).toWellFormed();
}

const blobForm = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

class Import {
  readonly #options: ImportOptions;
  readonly #statements: Record<
    'setting' | 'document' | 'symbol' | 'idOf' | 'describe' | 'occurrence' | 'relation',
    StatementSync
  >;
  #outside = { count: 0, first: '' };
  #documents = 0;
  #occurrences = 0;
  #unknown = 0;

  constructor(database: DatabaseSync, options: ImportOptions) {
    this.#options = options;
    this.#statements = {
      setting: database.prepare('INSERT OR REPLACE INTO settings VALUES (?, ?)'),
      document: database.prepare('INSERT OR IGNORE INTO documents (path, blob, encoding) VALUES (?, ?, ?)'),
      symbol: database.prepare('INSERT OR IGNORE INTO symbols (symbol) VALUES (?)'),
      idOf: database.prepare('SELECT id FROM symbols WHERE symbol = ?'),
      describe: database.prepare('UPDATE symbols SET documentation = ? WHERE id = ?'),
      occurrence: database.prepare(`INSERT INTO occurrences VALUES (?, ?, ?, ?, ?, ?, ?)`),
      relation: database.prepare('INSERT OR IGNORE INTO relations VALUES (?, ?, ?, ?)'),
    };
  }

  run(): ImportSummary {
    const { fd, sizeBytes, origin, onProgress } = this.#options;
    this.#set({ path: origin.path, state: origin.state });
    let doneBytes = 0;
    for (const { field, bytes } of indexParts(fd, sizeBytes)) {
      if (field === fields.index.metadata) {
        const { name, version } = toolIn(bytes);
        this.#set({ tool: shownText(name), version: shownText(version) });
      } else {
        this.#readDocument(bytes);
      }
      doneBytes += bytes.length;
      onProgress(doneBytes);
    }
    const [documents, occurrences, unknown] = [this.#documents, this.#occurrences, this.#unknown];
    // scip-python leaves such an index behind when it crashes.
    if (occurrences === 0 && unknown === 0)
      throw invalidIndex('it has no occurrence of a symbol in a file of the project');
    return { documents, occurrences, outside: this.#outside, unknown };
  }

  #set(settings: Readonly<Record<string, string>>): void {
    for (const [key, value] of Object.entries(settings)) this.#statements.setting.run(key, value);
  }

  #readDocument(bytes: Uint8Array): void {
    const head = documentHead(bytes);
    if (!isInside(head.path)) {
      const { count, first } = this.#outside;
      this.#outside = { count: count + 1, first: first || shownText(head.path) };
      return;
    }
    const blob = this.#blobOf(head);
    if (blob === undefined) {
      this.#unknown++;
      return;
    }
    const { changes, lastInsertRowid } = this.#statements.document.run(head.path, blob, head.encoding);
    // A path that the index has twice.
    if (changes === 0) return;
    const document = Number(lastInsertRowid);
    this.#documents++;
    readDocument(bytes, {
      onOccurrence: ({ symbol, range: { start, end }, roles }) => {
        const id = this.#idOf(symbol, document);
        if (id === undefined) return;
        this.#occurrences++;
        const place = [start.line, start.character, end.line, end.character];
        this.#statements.occurrence.run(id, document, ...place, roles);
      },
      onSymbol: ({ symbol, documentation, relationships }) => {
        const id = this.#idOf(symbol, document);
        if (id === undefined || id === 0) return;
        if (documentation.length > 0) this.#statements.describe.run(documentation.join('\n'), id);
        for (const { symbol: other, isReference, isImplementation } of relationships) {
          const otherId = this.#idOf(other, document);
          if (!otherId || otherId === id) continue;
          this.#statements.relation.run(id, otherId, Number(isReference), Number(isImplementation));
        }
      },
    });
  }

  #blobOf({ path, blob, text }: ReturnType<typeof documentHead>): string | undefined {
    if (blobForm.test(blob)) return blob;
    return text === undefined ? this.#options.blobs.get(path) : blobOf(text);
  }

  /** Returns the id of a symbol; 0 for no symbol, `undefined` for a text that is none. */
  #idOf(symbol: string, document: number): number | undefined {
    if (symbol === '') return 0;
    if (symbol.length > maxSymbolChars) return undefined;
    // Local names count in their document only. No other symbol begins with a number and a space.
    const name = symbol.startsWith('local ') ? `${document} ${symbol}` : symbol;
    const known = this.#statements.idOf.get(name)?.id;
    return Number(known ?? this.#statements.symbol.run(name).lastInsertRowid);
  }
}

/** True for a path below the root, in the form that SCIP prescribes. */
function isInside(path: string): boolean {
  if (path === '' || path.length > maxPathChars || /^[/\\]|^[A-Za-z]:|\0/.test(path)) return false;
  return !path.split(/[/\\]/).some((part) => part === '..' || part === '.' || part === '');
}
