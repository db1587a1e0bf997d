import { isExpected } from '../../base/errors.ts';
import { toUri } from '../../base/paths.ts';
import type { Connection } from '../client/connection.ts';
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
 */
export class Documents {
  /** The diagnostics that the server publishes about the documents. */
  readonly published: Published;
  readonly #connection: Connection;
  readonly #readText: (path: string) => string;
  readonly #languageIdOf: (path: string) => string;
  readonly #reopensWhenMatching: RegExp | undefined;
  readonly #checksWhenOpened: boolean;
  /** Number of changes of files on disk and of open documents. */
  #changes = 0;
  /** Number of requests in progress that need a document, by absolute path. */
  readonly #held = new Map<string, number>();
  /** By absolute path, least recently used first. */
  readonly #open = new Map<string, OpenDocument>();
  /** Texts that are sent in place of those on disk, by absolute path. */
  #trial: ReadonlyMap<string, string> = new Map();
  #lastTrial: Promise<unknown> = Promise.resolve();

  constructor(
    connection: Connection,
    options: {
      readText: (path: string) => string;
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
    this.#readText = options.readText;
    this.#languageIdOf = options.languageIdOf;
    this.#reopensWhenMatching = options.reopensWhenMatching;
    this.#checksWhenOpened = options.checksWhenOpened === true;
  }

  /**
   * Makes sure that the server has the file at absolute `path` open as it is on disk now, and returns its text.
   *
   * Sends `didOpen`, or `didChange` if the text differs from the server's; `didClose` and `didOpen` if the server would
   * misapply the change.
   *
   * @throws {ExpectedError} the error of reading the file.
   */
  sync(path: string, options: { pin?: boolean } = {}): string {
    const text = this.#trial.get(path) ?? this.#readText(path);
    const known = this.#open.get(path);
    if (!known) this.#openNew(path, text, options.pin ?? false);
    else this.#update(path, known, text, options.pin ?? false);
    return text;
  }

  /**
   * Makes the server publish diagnostics of an open document again, if it has published some: other files may have been
   * different then. A server that `checksWhenOpened` analyzes the document from scratch, so this is done only if a file has
   * changed since. That includes changes of other files before the document's own last one: the server may first publish
   * diagnostics that are based on their previous content.
   */
  refresh(path: string): void {
    const known = this.#open.get(path);
    if (!known) return;
    if (this.#checksWhenOpened ? known.sentAtChange === this.#changes : !this.published.has(path)) return;
    this.#send(path, known, { former: known.text, reopens: this.#checksWhenOpened });
  }

  /** Sends the text of an open document again, as a change. */
  resend(path: string): void {
    const known = this.#open.get(path);
    if (known) this.#send(path, known, { former: known.text, reopens: false });
  }

  /**
   * Runs `work` and returns its result; meanwhile the document at absolute `path` is not closed to make room for
   * others.
   */
  async holding<T>(path: string, work: () => Promise<T>): Promise<T> {
    this.#held.set(path, (this.#held.get(path) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#held.get(path) ?? 0) - 1;
      if (left > 0) this.#held.set(path, left);
      else this.#held.delete(path);
    }
  }

  /**
   * Runs `work` while the server has other texts than those on disk, by absolute path, and returns its result. All these
   * documents stay open meanwhile. Trials run one after the other.
   *
   * @throws {ExpectedError} `server.terminated`; errors of `work`.
   */
  async trying<T>(texts: ReadonlyMap<string, string>, work: () => Promise<T>): Promise<T> {
    const result = this.#lastTrial.then(() => this.#try(texts, work));
    this.#lastTrial = result.catch(() => undefined);
    return result;
  }

  async #try<T>(texts: ReadonlyMap<string, string>, work: () => Promise<T>): Promise<T> {
    const wasOpen = new Set(this.openPaths());
    this.#trial = texts;
    const paths = [...texts.keys()];
    try {
      const begin = async () => {
        for (const path of paths) this.sync(path);
        return await work();
      };
      return await paths.reduce((run, path) => () => this.holding(path, run), begin)();
    } finally {
      this.#trial = new Map();
      for (const path of paths) this.#endTrial(path, wasOpen);
    }
  }

  #endTrial(path: string, wasOpen: ReadonlySet<string>): void {
    try {
      if (wasOpen.has(path)) this.sync(path);
      else this.close(path);
    } catch (error) {
      if (!isExpected(error)) throw error;
      // The file is gone, or the server is.
      this.#open.delete(path);
    }
  }

  /** Records that files changed on disk. */
  noteChange(): void {
    this.#changes++;
  }

  /**
   * Returns the server's text of the file at absolute `path`: as it was last sent, or as it is on disk if it is not
   * open.
   *
   * @throws {ExpectedError} the error of reading the file.
   */
  textOf(path: string): string {
    return this.#open.get(path)?.text ?? this.#readText(path);
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

  /** True if the server has the file open. */
  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  /** Returns the absolute paths of the documents that the server has open. */
  openPaths(): string[] {
    return [...this.#open.keys()];
  }

  /** Closes the document if it is open. */
  close(path: string): void {
    if (!this.#open.delete(path)) return;
    this.published.end(path);
    this.#notifyClosed(path);
  }

  #notifyClosed(path: string): void {
    this.#connection.notify('textDocument/didClose', { textDocument: { uri: toUri(path) } });
  }

  #openNew(path: string, text: string, isPinned: boolean): void {
    this.#makeRoom();
    const document = { version: 1, text, isPinned, sentAtChange: this.#changes };
    this.#open.set(path, document);
    this.published.begin(path, 1);
    this.#notifyOpen(path, document);
  }

  #notifyOpen(path: string, { version, text }: OpenDocument): void {
    this.#connection.notify('textDocument/didOpen', {
      textDocument: { uri: toUri(path), languageId: this.#languageIdOf(path), version, text },
    });
  }

  #update(path: string, known: OpenDocument, text: string, pin: boolean): void {
    this.#open.delete(path);
    const document = { ...known, text, isPinned: known.isPinned || pin };
    this.#open.set(path, document);
    if (known.text === text) return;
    const isCurrent = known.sentAtChange === this.#changes;
    this.noteChange();
    const reopens = this.#checksWhenOpened && !isCurrent;
    this.#send(path, document, { former: known.text, reopens });
    if (!isCurrent && !reopens) document.sentAtChange = known.sentAtChange;
  }

  #send(path: string, document: OpenDocument, { former, reopens }: { former: string; reopens: boolean }): void {
    const isSameText = former === document.text;
    document.version++;
    document.sentAtChange = this.#changes;
    this.published.begin(path, document.version, { isSameText });
    if (reopens || this.#reopensWhenMatching?.test(former)) {
      this.#notifyClosed(path);
      this.#notifyOpen(path, document);
      return;
    }
    this.#connection.notify('textDocument/didChange', {
      textDocument: { uri: toUri(path), version: document.version },
      contentChanges: [{ text: document.text }],
    });
  }

  #makeRoom(): void {
    if (this.#open.size < maxOpen) return;
    for (const [path, document] of this.#open) {
      if (document.isPinned || this.#held.has(path)) continue;
      this.close(path);
      return;
    }
  }
}
