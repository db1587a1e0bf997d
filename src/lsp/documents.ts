import { toUri } from '../base/paths.ts';
import type { Connection } from './connection.ts';
import type { Published } from './published.ts';

interface OpenDocument {
  version: number;
  text: string;
  readonly isPinned: boolean;
}

/** Enough for the files one question touches; more would only make servers keep checking old ones. */
const maxOpen = 48;

/**
 * The documents that one server holds open. The least recently used are closed; pinned ones stay, for servers that
 * forget a project with its last document.
 */
export class Documents {
  /** What the server publishes about them. */
  readonly published: Published;
  readonly #connection: Connection;
  readonly #readText: (path: string) => string;
  readonly #languageIdOf: (path: string) => string;
  readonly #misreadsChangesOf: RegExp | undefined;
  /** By absolute path, least recently used first. */
  readonly #open = new Map<string, OpenDocument>();

  constructor(
    connection: Connection,
    options: {
      readText: (path: string) => string;
      languageIdOf: (path: string) => string;
      /** Documents whose text matches are closed and opened anew when it changes. Not global. */
      misreadsChangesOf?: RegExp | undefined;
      published: Published;
    },
  ) {
    this.published = options.published;
    this.#connection = connection;
    this.#readText = options.readText;
    this.#languageIdOf = options.languageIdOf;
    this.#misreadsChangesOf = options.misreadsChangesOf;
  }

  /**
   * Makes sure that the server sees the file at absolute `path` as it is on disk now, and returns its text.
   *
   * Sends `didOpen`, or `didChange` when the text differs from what the server has; `didClose` and `didOpen` where it would
   * misread the change.
   *
   * @throws {ExpectedError} what reading the file throws.
   */
  sync(path: string, options: { pin?: boolean } = {}): string {
    const text = this.#readText(path);
    const known = this.#open.get(path);
    if (!known) this.#openNew(path, text, options.pin ?? false);
    else this.#update(path, known, text, options.pin ?? false);
    return text;
  }

  /**
   * Sends an open document's text once more as a new version, so that the server publishes about it anew: what it said
   * before may have come from other files as they were then.
   */
  resend(path: string): void {
    const known = this.#open.get(path);
    if (known) this.#send(path, known, known.text);
  }

  /**
   * Returns the text of the file at absolute `path` as the server sees it: as it was sent last, else as it is on disk.
   *
   * @throws {ExpectedError} what reading the file throws.
   */
  textOf(path: string): string {
    return this.#open.get(path)?.text ?? this.#readText(path);
  }

  /** Returns whether the server holds the file open. */
  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  /** Returns the absolute paths of the documents that the server holds open. */
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
    const document = { version: 1, text, isPinned };
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
    const document = { version: known.version, text, isPinned: known.isPinned || pin };
    this.#open.set(path, document);
    if (known.text !== text) this.#send(path, document, known.text);
  }

  #send(path: string, document: OpenDocument, former: string): void {
    document.version++;
    this.published.begin(path, document.version);
    if (this.#misreadsChangesOf?.test(former)) {
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
      if (document.isPinned) continue;
      this.close(path);
      return;
    }
  }
}
