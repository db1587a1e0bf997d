import { isExpected } from '../../base/errors.ts';
import type { Connection } from '../client/connection.ts';
import type { ProjectFiles } from './project-files.ts';
import type { Published } from './published.ts';

interface OpenDocument {
  version: number;
  text: string;
  /** Number of changes when the document was last sent; see {@link Documents.refresh}. */
  sentAtChange: number;
  readonly isPinned: boolean;
}

/** Enough for the files of one query; with more, servers would keep checking old ones. */
const maxOpen = 48;

/**
 * The documents that one server has open. The least recently used are closed; pinned ones stay open, for servers that
 * unload a project with its last document.
 *
 * Files are project-relative, or absolute; see {@link ProjectFiles}.
 */
export class Documents {
  /** The diagnostics that the server publishes about the documents. */
  readonly published: Published;
  readonly #connection: Connection;
  readonly #files: ProjectFiles;
  readonly #readText: (path: string) => string;
  readonly #languageIdOf: (path: string) => string;
  readonly #reopensWhenMatching: RegExp | undefined;
  readonly #checksWhenOpened: boolean;
  /** Number of changes of files on disk and of open documents. */
  #changes = 0;
  /** Number of requests in progress that need a document, by file. */
  readonly #held = new Map<string, number>();
  /** By file, least recently used first. */
  readonly #open = new Map<string, OpenDocument>();
  /** Texts that are sent in place of those on disk, by file. */
  #trial: ReadonlyMap<string, string> = new Map();
  #lastTrial: Promise<unknown> = Promise.resolve();

  constructor(
    connection: Connection,
    options: {
      files: ProjectFiles;
      /** Returns the text of the file at an absolute path. */
      readText: (path: string) => string;
      /** Returns the LSP language id of the file at an absolute path. */
      languageIdOf: (path: string) => string;
      /** A document whose text matches is closed and reopened when it changes. Not global. */
      reopensWhenMatching?: RegExp | undefined;
      /** True if an unchanged text must be closed and reopened to be checked again; see {@link Documents.refresh}. */
      checksWhenOpened?: boolean | undefined;
      published: Published;
    },
  ) {
    this.published = options.published;
    this.#connection = connection;
    this.#files = options.files;
    this.#readText = options.readText;
    this.#languageIdOf = options.languageIdOf;
    this.#reopensWhenMatching = options.reopensWhenMatching;
    this.#checksWhenOpened = options.checksWhenOpened === true;
  }

  /**
   * Makes sure that the server has the file open as it is on disk now, and returns its text.
   *
   * Sends `didOpen`, or `didChange` if the text differs from the server's; `didClose` and `didOpen` if the server would
   * misapply the change.
   *
   * @throws {ExpectedError} the error of reading the file.
   */
  sync(path: string, options: { pin?: boolean } = {}): string {
    const file = this.#files.fileAt(path);
    const text = this.#trial.get(file) ?? this.#read(file);
    const known = this.#open.get(file);
    if (!known) this.#openNew(file, text, options.pin ?? false);
    else this.#update(file, known, text, options.pin ?? false);
    return text;
  }

  /**
   * Makes the server publish diagnostics of an open document again, if it has published some: other files may have been
   * different then. A server that `checksWhenOpened` analyzes the document from scratch, so this is done only if a file has
   * changed since. That includes changes of other files before the document's own last one: the server may first publish
   * diagnostics that are based on their previous content.
   */
  refresh(path: string): void {
    const file = this.#files.fileAt(path);
    const known = this.#open.get(file);
    if (!known) return;
    if (this.#checksWhenOpened ? known.sentAtChange === this.#changes : !this.published.has(file)) return;
    this.#send(file, known, { former: known.text, reopens: this.#checksWhenOpened });
  }

  /** Sends the text of an open document again, as a change. */
  resend(path: string): void {
    const file = this.#files.fileAt(path);
    const known = this.#open.get(file);
    if (known) this.#send(file, known, { former: known.text, reopens: false });
  }

  /**
   * Runs `work` and returns its result; meanwhile the document is not closed to make room for others.
   */
  async holding<T>(path: string, work: () => Promise<T>): Promise<T> {
    const file = this.#files.fileAt(path);
    this.#held.set(file, (this.#held.get(file) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#held.get(file) ?? 0) - 1;
      if (left > 0) this.#held.set(file, left);
      else this.#held.delete(file);
    }
  }

  /**
   * Runs `work` while the server has other texts than those on disk, by file, and returns its result. All these documents
   * stay open meanwhile. Trials run one after the other.
   *
   * @throws {ExpectedError} `server.terminated`; errors of `work`.
   */
  async trying<T>(texts: ReadonlyMap<string, string>, work: () => Promise<T>): Promise<T> {
    const byFile = new Map([...texts].map(([path, text]) => [this.#files.fileAt(path), text]));
    const result = this.#lastTrial.then(() => this.#try(byFile, work));
    this.#lastTrial = result.catch(() => undefined);
    return result;
  }

  async #try<T>(texts: ReadonlyMap<string, string>, work: () => Promise<T>): Promise<T> {
    const wasOpen = new Set(this.openFiles());
    this.#trial = texts;
    const files = [...texts.keys()];
    try {
      const begin = async () => {
        for (const file of files) this.sync(file);
        return await work();
      };
      return await files.reduce((run, file) => () => this.holding(file, run), begin)();
    } finally {
      this.#trial = new Map();
      for (const file of files) this.#endTrial(file, wasOpen);
    }
  }

  #endTrial(file: string, wasOpen: ReadonlySet<string>): void {
    try {
      if (wasOpen.has(file)) this.sync(file);
      else this.close(file);
    } catch (error) {
      if (!isExpected(error)) throw error;
      // The file is gone, or the server is.
      this.#open.delete(file);
    }
  }

  /** Records that files changed on disk. */
  noteChange(): void {
    this.#changes++;
  }

  /**
   * Returns the server's text of a file: as it was last sent, or as it is on disk if it is not open.
   *
   * @throws {ExpectedError} the error of reading the file.
   */
  textOf(path: string): string {
    const file = this.#files.fileAt(path);
    return this.#open.get(file)?.text ?? this.#read(file);
  }

  /** Returns `undefined` for files that do not exist or cannot be decoded: a server may name such files. */
  tryTextOf(path: string): string | undefined {
    try {
      return this.textOf(path);
    } catch (error) {
      if (isExpected(error)) return undefined;
      throw error;
    }
  }

  isOpen(path: string): boolean {
    return this.#open.has(this.#files.fileAt(path));
  }

  openFiles(): string[] {
    return [...this.#open.keys()];
  }

  close(path: string): void {
    const file = this.#files.fileAt(path);
    if (!this.#open.delete(file)) return;
    this.published.end(file);
    this.#notifyClosed(file);
  }

  #read(file: string): string {
    return this.#readText(this.#files.pathOf(file));
  }

  #notifyClosed(file: string): void {
    this.#connection.notify('textDocument/didClose', { textDocument: { uri: this.#files.uriOf(file) } });
  }

  #openNew(file: string, text: string, isPinned: boolean): void {
    this.#makeRoom();
    const document = { version: 1, text, isPinned, sentAtChange: this.#changes };
    this.#open.set(file, document);
    this.published.begin(file, 1);
    this.#notifyOpen(file, document);
  }

  #notifyOpen(file: string, { version, text }: OpenDocument): void {
    const languageId = this.#languageIdOf(this.#files.pathOf(file));
    this.#connection.notify('textDocument/didOpen', {
      textDocument: { uri: this.#files.uriOf(file), languageId, version, text },
    });
  }

  #update(file: string, known: OpenDocument, text: string, pin: boolean): void {
    this.#open.delete(file);
    const document = { ...known, text, isPinned: known.isPinned || pin };
    this.#open.set(file, document);
    if (known.text === text) return;
    const isCurrent = known.sentAtChange === this.#changes;
    this.noteChange();
    const reopens = this.#checksWhenOpened && !isCurrent;
    this.#send(file, document, { former: known.text, reopens });
    if (!isCurrent && !reopens) document.sentAtChange = known.sentAtChange;
  }

  #send(file: string, document: OpenDocument, { former, reopens }: { former: string; reopens: boolean }): void {
    const isSameText = former === document.text;
    document.version++;
    document.sentAtChange = this.#changes;
    this.published.begin(file, document.version, { isSameText });
    if (reopens || this.#reopensWhenMatching?.test(former)) {
      this.#notifyClosed(file);
      this.#notifyOpen(file, document);
      return;
    }
    this.#connection.notify('textDocument/didChange', {
      textDocument: { uri: this.#files.uriOf(file), version: document.version },
      contentChanges: [{ text: document.text }],
    });
  }

  #makeRoom(): void {
    if (this.#open.size < maxOpen) return;
    for (const [file, document] of this.#open) {
      if (document.isPinned || this.#held.has(file)) continue;
      this.close(file);
      return;
    }
  }
}
