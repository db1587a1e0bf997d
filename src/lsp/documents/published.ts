import { pause, within } from '../../base/deadline.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { Diagnostic } from './diagnostic.ts';

/** How a server publishes diagnostics, if it differs from most servers. */
export interface Publishing {
  /** Maximum time to publish about a text; 2.5 s by default. */
  readonly timeoutMs?: number;
  /**
   * True if the server publishes a version with everything about an open document, and checks it against the present
   * texts of other files, and no earlier ones, only after it was closed and opened.
   */
  readonly checksWhenOpened?: boolean;
  /**
   * True if the server publishes nothing about texts without errors, and about others before it answers the next
   * request.
   */
  readonly omitsEmpty?: boolean;
  /**
   * True if the server publishes about any file of the project, open or not, and only what differs from what it last
   * published about the file, before it answers the next request.
   */
  readonly changesOnly?: boolean;
}

/** A server that has published nothing about a document within this time usually never does. */
const usualTimeoutMs = 2_500;

/**
 * Time without a further publication after which the diagnostics count as complete. Some servers publish syntax errors
 * first and the rest later, and a publication without a version may still be about the previous text.
 */
const quietMs = 150;

interface Sent {
  readonly version: number;
  /** The first version with the same text: publications about this or a later version are about the present text. */
  readonly textVersion: number;
  /** Resolves with the first publication about this text, or when the document is sent again or closed. */
  readonly published: PromiseWithResolvers<void>;
  diagnostics: readonly Diagnostic[] | undefined;
  /** Published about the same text under an earlier version, when other files may have been different. */
  former: readonly Diagnostic[] | undefined;
  publishedAtMs: number;
  /** True after one timeout: the next wait is skipped. */
  isSilent: boolean;
}

/**
 * The diagnostics that a server publishes about its open documents. They also show whether the server has read the text
 * it was sent. A publication belongs to a text, not to a version: publications about an older text are ignored, and an
 * unchanged text that is sent again keeps its diagnostics until newer ones are published. Files are those of a `Place`.
 */
export class Published {
  readonly #sent = new Map<string, Sent>();
  readonly #timeoutMs: number;
  readonly #isVersioned: boolean;
  /** The last publication about each file, open or not, for servers that do not repeat it; otherwise `undefined`. */
  readonly #last: Map<string, readonly Diagnostic[]> | undefined;
  #lost: Error | undefined;

  /**
   * `timeoutMs` is the maximum time to publish about a text; 2.5 s by default. What the server publishes without a
   * version is ignored if `isVersioned`: it is about a document that was closed, and perhaps opened again since. With
   * `changesOnly` the last publication about each file is kept.
   */
  constructor({
    timeoutMs = usualTimeoutMs,
    isVersioned = false,
    changesOnly = false,
  }: {
    readonly timeoutMs?: number | undefined;
    readonly isVersioned?: boolean | undefined;
    readonly changesOnly?: boolean | undefined;
  } = {}) {
    this.#timeoutMs = timeoutMs;
    this.#isVersioned = isVersioned;
    this.#last = changesOnly ? new Map() : undefined;
  }

  /** Records that a version of a document was sent; `isSameText` if its text equals that of the previous version. */
  begin(file: string, version: number, { isSameText = false }: { readonly isSameText?: boolean } = {}): void {
    const before = isSameText ? this.#sent.get(file) : undefined;
    this.end(file);
    const published = Promise.withResolvers<void>();
    // Prevents an unhandled rejection if nothing waits.
    published.promise.catch(() => undefined);
    if (this.#lost) published.reject(this.#lost);
    this.#sent.set(file, {
      version,
      textVersion: before?.textVersion ?? version,
      published,
      diagnostics: undefined,
      former: before?.diagnostics ?? before?.former,
      publishedAtMs: 0,
      isSilent: false,
    });
  }

  /** Records that the server has ended: all waits reject. */
  lose(error: Error): void {
    this.#lost = error;
    for (const { published } of this.#sent.values()) published.reject(error);
  }

  /** Handles a publication; `version` is `undefined` if the server does not send it. */
  receive(file: string, published: { version: number | undefined; diagnostics: readonly Diagnostic[] }): void {
    this.#last?.set(file, published.diagnostics);
    const sent = this.#sent.get(file);
    if (this.#isVersioned && published.version === undefined) return;
    const { version = Number.POSITIVE_INFINITY } = published;
    if (!sent || version < sent.textVersion) return;
    if (version < sent.version) {
      sent.former = published.diagnostics;
      return;
    }
    sent.diagnostics = published.diagnostics;
    sent.publishedAtMs = performance.now();
    sent.published.resolve();
  }

  /** Discards what was published about a document so far, which may be about an earlier text or other files. */
  discard(file: string): void {
    const sent = this.#sent.get(file);
    if (sent) this.begin(file, sent.version);
  }

  /** Records that a document was closed. */
  end(file: string): void {
    this.#sent.get(file)?.published.resolve();
    this.#sent.delete(file);
  }

  /** True if something was published about the document as it was last sent. */
  has(file: string): boolean {
    return this.#sent.get(file)?.diagnostics !== undefined;
  }

  /** Returns what was last published about a file; `undefined` for servers that publish about open documents alone. */
  last(file: string): readonly Diagnostic[] | undefined {
    return this.#last && (this.#last.get(file) ?? []);
  }

  /** Returns what has been published about the document's present text so far; empty if nothing has. */
  known(file: string): readonly Diagnostic[] {
    const sent = this.#sent.get(file);
    return sent?.diagnostics ?? sent?.former ?? [];
  }

  /**
   * Resolves once something is published about the document's present text, or after the timeout.
   *
   * @throws {ExpectedError} `server.terminated`, or the signal's reason.
   */
  async settled(file: string, signal: AbortSignal): Promise<void> {
    const sent = this.#sent.get(file);
    if (!sent || sent.isSilent || sent.diagnostics || sent.former) return;
    sent.isSilent = !(await waitForPublication(sent, { timeoutMs: this.#timeoutMs, signal }));
  }

  /**
   * Returns the diagnostics published about the document as it was last sent, once no more arrive. After the timeout
   * (`timeoutMs`, at most that of the server) returns those published earlier about the same text, or `undefined`.
   *
   * @throws {ExpectedError} `server.terminated`, or the signal's reason.
   */
  async latest(file: string, limits: RequestLimits): Promise<readonly Diagnostic[] | undefined> {
    const { signal } = limits;
    const deadlineMs = performance.now() + Math.min(limits.timeoutMs ?? this.#timeoutMs, this.#timeoutMs);
    for (;;) {
      const sent = this.#sent.get(file);
      if (!sent) return undefined;
      if (sent.diagnostics === undefined) {
        if (!(await waitForPublication(sent, { timeoutMs: deadlineMs - performance.now(), signal })))
          return sent.former;
        // The document may have been sent again meanwhile.
        continue;
      }
      const now = performance.now();
      const untilQuietMs = Math.min(sent.publishedAtMs, deadlineMs) + quietMs - now;
      if (untilQuietMs <= 0) return sent.diagnostics;
      await pause(untilQuietMs, signal);
    }
  }
}

/** Resolves with true once something is published about the text that was sent, or with false after the timeout. */
async function waitForPublication({ published }: Sent, limits: RequestLimits): Promise<boolean> {
  const late = new Error('Nothing was published in time');
  try {
    await within(published.promise, { ...limits, onTimeout: () => late });
    return true;
  } catch (error) {
    if (error === late) return false;
    throw error;
  }
}
