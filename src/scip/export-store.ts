import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { makePrivateDirectory } from '../base/private-directory.ts';
import { comparePositions, type Place, type Range } from '../text/place.ts';
import { type Occurrence, type Relationship, roles, type SymbolInformation } from './message.ts';

/** Increased when the stored format changes. Each version has a file of its own. */
const formatVersion = 1;

const schema = `
CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (id INTEGER PRIMARY KEY, path TEXT UNIQUE, language TEXT, blob TEXT);
CREATE TABLE IF NOT EXISTS symbols (id INTEGER PRIMARY KEY, document INTEGER, name TEXT, symbol TEXT, is_nested INTEGER,
  kind INTEGER, display_name TEXT, documentation TEXT, start_line INTEGER, start_character INTEGER, end_line INTEGER,
  end_character INTEGER, body TEXT, is_answered INTEGER DEFAULT 0);
CREATE INDEX IF NOT EXISTS symbols_by_document ON symbols (document, start_line, start_character);
CREATE INDEX IF NOT EXISTS symbols_by_name ON symbols (name);
CREATE TABLE IF NOT EXISTS occurrences (document INTEGER, start_line INTEGER, start_character INTEGER, symbol INTEGER,
  end_line INTEGER, end_character INTEGER, PRIMARY KEY (document, start_line, start_character, symbol)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS occurrences_by_symbol ON occurrences (symbol);
CREATE TABLE IF NOT EXISTS marks (document INTEGER, start_line INTEGER, start_character INTEGER, end_line INTEGER,
  end_character INTEGER, is_open INTEGER, PRIMARY KEY (document, start_line, start_character)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS implementations (symbol INTEGER, document INTEGER, start_line INTEGER, start_character INTEGER,
  PRIMARY KEY (symbol, document, start_line, start_character)) WITHOUT ROWID`;

/** A symbol as its file declares it, before anybody has asked for its references. */
export interface DeclaredSymbol {
  /** The name as written in the file. */
  readonly name: string;
  /** The name in SCIP. */
  readonly symbol: string;
  /** True for a symbol inside a function: unless another file refers to it, it needs no name that others know. */
  readonly isNested: boolean;
  readonly kind: number;
  readonly displayName: string;
  readonly documentation: readonly string[];
  readonly range: Range;
  /** The whole definition. */
  readonly body: Range;
}

export interface SymbolAnswer {
  readonly own: readonly Place[];
  /** Occurrences of the name that are something else. */
  readonly other: readonly Place[];
  /** Occurrences of which it is not known what they are. */
  readonly open: readonly Place[];
  /** Names of the symbols that implement it. */
  readonly implementations: readonly Place[];
}

type Row = Record<string, SQLOutputValue>;

/**
 * The answers that an index is made of, in a SQLite file: an interrupted export goes on where it ended, a later one asks
 * only about what has changed, and no project is too large for memory.
 */
export class ExportStore {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Opens the answers in a directory. Those of another `identity` are dropped, such as another version of this program;
   * `isFresh` drops all.
   *
   * @throws {Error} if the file cannot be used.
   */
  static open(directory: string, { identity, isFresh }: { identity: string; isFresh: boolean }): ExportStore {
    makePrivateDirectory(directory);
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(join(directory, `scip-export-v${formatVersion}.sqlite`));
    database.exec('PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    database.exec(schema);
    const known = database.prepare("SELECT value FROM settings WHERE key = 'identity'").get();
    if (isFresh || known?.value !== identity) {
      for (const table of ['documents', 'symbols', 'occurrences', 'marks', 'implementations']) {
        database.exec(`DELETE FROM ${table}`);
      }
      database.prepare("INSERT OR REPLACE INTO settings VALUES ('identity', ?)").run(identity);
    }
    return new ExportStore(database);
  }

  close(): void {
    this.#database.close();
  }

  /** Runs `work` in one transaction. */
  atOnce(work: () => void): void {
    this.#database.exec('BEGIN');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * Drops what does not hold for the given files, by path with the ids of their contents: the answers in files that have
   * changed, and in those that refer to them, directly or not; the answers about each symbol with an occurrence there; and
   * about each one whose name one of `wordsOf` such a file is. Returns the files to read, of those given.
   */
  keep(current: ReadonlyMap<string, string>, wordsOf: (path: string) => Iterable<string>): string[] {
    const known = new Map(this.#all('SELECT path, blob FROM documents').map(({ path, blob }) => [path, blob]));
    const changed = [...current].flatMap(([path, blob]) => (known.get(path) === blob ? [] : [path]));
    const gone = [...known.keys()].filter((path) => typeof path === 'string' && !current.has(path));
    this.atOnce(() => this.#dropAffected([...changed, ...gone]));
    const left = new Set(this.#all('SELECT path FROM documents').map(({ path }) => path));
    const unread = [...current.keys()].filter((path) => !left.has(path));
    this.atOnce(() => {
      this.#database.exec(
        'CREATE TEMP TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY) WITHOUT ROWID; DELETE FROM words',
      );
      const insert = this.#database.prepare('INSERT OR IGNORE INTO words VALUES (?)');
      for (const path of left.size === 0 ? [] : unread) for (const word of wordsOf(path)) insert.run(word);
      this.#askAgain('SELECT id FROM symbols WHERE name IN (SELECT word FROM words)');
    });
    return unread;
  }

  #dropAffected(paths: readonly unknown[]): void {
    const database = this.#database;
    database.exec('CREATE TEMP TABLE IF NOT EXISTS affected (id INTEGER PRIMARY KEY); DELETE FROM affected');
    const insert = database.prepare('INSERT INTO affected SELECT id FROM documents WHERE path = ?');
    for (const path of paths) insert.run(String(path));
    database.exec(`INSERT OR IGNORE INTO affected
      WITH RECURSIVE more (id) AS (SELECT id FROM affected UNION
        SELECT o.document FROM more JOIN symbols s ON s.document = more.id JOIN occurrences o ON o.symbol = s.id)
      SELECT id FROM more`);
    this.#askAgain('SELECT symbol FROM occurrences WHERE document IN (SELECT id FROM affected)');
    this.#askAgain('SELECT id FROM symbols WHERE document IN (SELECT id FROM affected)');
    for (const table of ['symbols', 'occurrences', 'marks', 'implementations']) {
      database.exec(`DELETE FROM ${table} WHERE document IN (SELECT id FROM affected)`);
    }
    database.exec('DELETE FROM documents WHERE id IN (SELECT id FROM affected)');
  }

  /** Drops the answers about symbols. `ids` is a query. */
  #askAgain(ids: string): void {
    this.#database.exec(`
      CREATE TEMP TABLE IF NOT EXISTS again (id INTEGER PRIMARY KEY); DELETE FROM again;
      INSERT OR IGNORE INTO again ${ids};
      UPDATE symbols SET is_answered = 0 WHERE id IN (SELECT id FROM again);
      DELETE FROM occurrences WHERE symbol IN (SELECT id FROM again);
      DELETE FROM implementations WHERE symbol IN (SELECT id FROM again)`);
  }

  add(
    file: { readonly path: string; readonly language: string; readonly blob: string },
    symbols: readonly DeclaredSymbol[],
  ) {
    const insert = this.#database.prepare('INSERT INTO documents (path, language, blob) VALUES (?, ?, ?)');
    const { lastInsertRowid: document } = insert.run(file.path, file.language, file.blob);
    const add = this.#database.prepare(`INSERT INTO symbols (document, name, symbol, is_nested, kind, display_name,
      documentation, start_line, start_character, end_line, end_character, body) VALUES (${'?, '.repeat(11)}?)`);
    for (const { name, symbol, isNested, kind, displayName, documentation, range, body } of symbols) {
      const texts = [name, symbol, Number(isNested), kind, displayName, JSON.stringify(documentation)];
      add.run(document, ...texts, ...numbersOf(range), numbersOf(body).join(' '));
    }
  }

  /** Returns the symbols of a file about which nobody has asked yet: their ids by the line and column of their names. */
  unanswered(path: string): ReadonlyMap<string, number> {
    const rows = this.#all(
      `SELECT s.id, start_line, start_character FROM symbols s JOIN documents d ON d.id = s.document
       WHERE d.path = ? AND NOT is_answered`,
      path,
    );
    return new Map(rows.map((row) => [`${row.start_line}:${row.start_character}`, Number(row.id)]));
  }

  /** Stores the answer about a symbol. Places in files that the store does not have are left out. */
  answer(symbol: number, { own, other, open, implementations }: SymbolAnswer): void {
    const at = (sql: string, values: string) =>
      this.#database.prepare(`${sql} SELECT id, ${values} FROM documents WHERE path = ?`);
    const columns = '(document, start_line, start_character, end_line, end_character';
    const occurrence = at(`INSERT OR IGNORE INTO occurrences ${columns}, symbol)`, '?, ?, ?, ?, ?');
    for (const { file, range } of own) occurrence.run(...numbersOf(range), symbol, file);
    const mark = at(`INSERT OR IGNORE INTO marks ${columns}, is_open)`, '?, ?, ?, ?, 0');
    for (const { file, range } of other) mark.run(...numbersOf(range), file);
    const openMark = at(`INSERT OR REPLACE INTO marks ${columns}, is_open)`, '?, ?, ?, ?, 1');
    for (const { file, range } of open) openMark.run(...numbersOf(range), file);
    const columnsOfName = '(document, start_line, start_character, symbol)';
    const implementation = at(`INSERT OR IGNORE INTO implementations ${columnsOfName}`, '?, ?, ?');
    for (const { file, range } of implementations) {
      implementation.run(range.start.line, range.start.character, symbol, file);
    }
    this.#database.prepare('UPDATE symbols SET is_answered = 1 WHERE id = ?').run(symbol);
  }

  /** Number of places of which it is not known what they are. */
  get openCount(): number {
    return Number(this.#all('SELECT count(*) AS count FROM marks WHERE is_open')[0]?.count);
  }

  /** Returns the files, sorted by path. */
  documents(): { readonly id: number; readonly path: string; readonly language: string; readonly blob: string }[] {
    const rows = this.#all('SELECT id, path, language, blob FROM documents ORDER BY path');
    return rows.map(({ id, path, language, blob }) => {
      return { id: Number(id), path: String(path), language: String(language), blob: String(blob) };
    });
  }

  /** Returns the names and occurrences of a file in the form of an index. */
  contentOf(document: number): { readonly symbols: SymbolInformation[]; readonly occurrences: Occurrence[] } {
    const declared = this.#all(
      'SELECT * FROM symbols WHERE document = ? ORDER BY start_line, start_character',
      document,
    );
    const locals = this.#localsOf(document);
    const nameOf = (id: unknown, symbol: unknown) => locals.get(Number(id)) ?? String(symbol);
    const definitions = declared.map((row): Occurrence => {
      return {
        symbol: nameOf(row.id, row.symbol),
        range: rangeOf(row),
        roles: roles.definition,
        enclosingRange: bodyOf(row),
      };
    });
    const referring = this.#all(
      `SELECT o.*, s.symbol AS name FROM occurrences o JOIN symbols s ON s.id = o.symbol WHERE o.document = ?
       ORDER BY o.start_line, o.start_character`,
      document,
    );
    const references = referring.map((row) => ({
      symbol: nameOf(row.symbol, row.name),
      range: rangeOf(row),
      roles: 0,
    }));
    const known = new Set(
      [...definitions, ...references].map(({ range: { start } }) => `${start.line}:${start.character}`),
    );
    const nothing = this.#all('SELECT * FROM marks WHERE document = ? AND NOT is_open', document)
      .map((row) => ({ symbol: '', range: rangeOf(row), roles: 0 }))
      .filter(({ range: { start } }) => !known.has(`${start.line}:${start.character}`));
    const symbols = declared.map((row): SymbolInformation => {
      const { kind, display_name, documentation } = row;
      return {
        symbol: nameOf(row.id, row.symbol),
        kind: Number(kind),
        displayName: String(display_name),
        documentation: JSON.parse(String(documentation)),
        relationships: this.#relationshipsOf(row),
      };
    });
    // Declarations of one name, such as a variable that is assigned twice, are one symbol.
    const distinct = new Map(symbols.toReversed().map((symbol) => [symbol.symbol, symbol]));
    const occurrences = [...definitions, ...references, ...nothing];
    occurrences.sort((a, b) => comparePositions(a.range.start, b.range.start));
    return { symbols: [...distinct.values()].reverse(), occurrences };
  }

  /** Returns the names of those symbols inside functions that no other file refers to. */
  #localsOf(document: number): ReadonlyMap<number, string> {
    const rows = this.#all(
      `SELECT id FROM symbols s WHERE document = ? AND is_nested AND NOT EXISTS
       (SELECT 1 FROM occurrences o WHERE o.symbol = s.id AND o.document <> s.document) ORDER BY id`,
      document,
    );
    return new Map(rows.map(({ id }, index) => [Number(id), `local ${index}`]));
  }

  #relationshipsOf({ id, document, start_line, start_character, symbol }: Row): Relationship[] {
    const implemented = this.#all(
      `SELECT s.symbol FROM implementations i JOIN symbols s ON s.id = i.symbol
       WHERE i.document = ? AND i.start_line = ? AND i.start_character = ?`,
      ...[document ?? 0, start_line ?? 0, start_character ?? 0],
    );
    // A server that lists the declaration of another symbol takes references to that one for references to this one.
    const referring = this.#all(
      `SELECT s.symbol FROM occurrences o JOIN symbols s ON s.document = o.document
       AND s.start_line = o.start_line AND s.start_character = o.start_character WHERE o.symbol = ? AND NOT s.is_nested`,
      id ?? 0,
    );
    const own = (rows: Row[]) => new Set(rows.map((row) => String(row.symbol)).filter((other) => other !== symbol));
    const [implementedNames, referringNames] = [own(implemented), own(referring)];
    return [...implementedNames.union(referringNames)].map((other) => {
      return { symbol: other, isImplementation: implementedNames.has(other), isReference: referringNames.has(other) };
    });
  }

  #all(sql: string, ...values: SQLOutputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }
}

function numbersOf({ start, end }: Range): [number, number, number, number] {
  return [start.line, start.character, end.line, end.character];
}

function rangeOf({ start_line, start_character, end_line, end_character }: Row): Range {
  return {
    start: { line: Number(start_line), character: Number(start_character) },
    end: { line: Number(end_line), character: Number(end_character) },
  };
}

function bodyOf({ body }: Row): Range {
  const [startLine = 0, startCharacter = 0, endLine = 0, endCharacter = 0] = String(body).split(' ').map(Number);
  return {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
  };
}
