import { pause, within } from '../../base/deadline.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { Diagnostic } from '../features/diagnostic.ts';

/** How a server publishes diagnostics, where it differs from most. */
export interface Publishing {
  /** How long it may take to publish about a text; 2.5 s if absent. */
  readonly timeoutMs?: number;
  /** Parameters of `didChange` without which it checks no unchanged text again. */
  readonly checkAgain?: object;
  /** Whether it publishes nothing about a text without faults, and about others before it answers the next request. */
  readonly omitsEmpty?: boolean;
}

/** A server that publishes nothing about a document within this time will not, as a rule. */
const usualTimeoutMs = 2_500;

/**
 * How long nothing more must come for what was published to be whole. Some servers publish syntax errors first and the
 * rest later, and those that do not name the version may still be speaking of the text before.
 */
const quietMs = 150;

interface Sent {
  readonly version: number;
  /** The first version with the same text: a publication about any version from it on is about the present text. */
  readonly textVersion: number;
  /** Resolves with the first publication about this text, or when the document is sent again or closed. */
  readonly heard: PromiseWithResolvers<void>;
  diagnostics: readonly Diagnostic[] | undefined;
  /** Published about the same text under an earlier version; other files may have been different then. */
  former: readonly Diagnostic[] | undefined;
  publishedAtMs: number;
  /** Nobody waits for a sign a second time that did not come in time. */
  isSilent: boolean;
}

/**
 * The diagnostics that a server publishes by itself about the documents it holds open, and with them whether it has read
 * what it was sent. A publication belongs to a text, not to a version: what is published about an older text is ignored,
 * and an unchanged text that is sent again keeps its diagnostics until newer ones are published. Paths are absolute.
 */
export class Published {
  readonly #sent = new Map<string, Sent>();
  readonly #timeoutMs: number;
  #lost: Error | undefined;

  /** `timeoutMs` is how long the server may take to publish about a text: 2.5 s as a rule. */
  constructor({ timeoutMs = usualTimeoutMs }: { readonly timeoutMs?: number | undefined } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  /** Records that the server was sent a version of a document, whose text is that of the version before or another. */
  begin(path: string, version: number, { isSameText = false }: { readonly isSameText?: boolean } = {}): void {
    const before = isSameText ? this.#sent.get(path) : undefined;
    this.end(path);
    const heard = Promise.withResolvers<void>();
    // Possibly nobody waits for it.
    heard.promise.catch(() => undefined);
    if (this.#lost) heard.reject(this.#lost);
    this.#sent.set(path, {
      version,
      textVersion: before?.textVersion ?? version,
      heard,
      diagnostics: undefined,
      former: before?.diagnostics ?? before?.former,
      publishedAtMs: 0,
      isSilent: false,
    });
  }

  /** Notes that the server is gone: who waits is told so. */
  lose(error: Error): void {
    this.#lost = error;
    for (const { heard } of this.#sent.values()) heard.reject(error);
  }

  /** Takes what the server published; `version` is absent where it does not say which text it speaks of. */
  receive(path: string, published: { version: number | undefined; diagnostics: readonly Diagnostic[] }): void {
    const sent = this.#sent.get(path);
    const { version = Number.POSITIVE_INFINITY } = published;
    if (!sent || version < sent.textVersion) return;
    if (version < sent.version) {
      sent.former = published.diagnostics;
      return;
    }
    sent.diagnostics = published.diagnostics;
    sent.publishedAtMs = Date.now();
    sent.heard.resolve();
  }

  /** Notes that a document was closed. */
  end(path: string): void {
    this.#sent.get(path)?.heard.resolve();
    this.#sent.delete(path);
  }

  /** True if something was published about the document as it was last sent. */
  has(path: string): boolean {
    return this.#sent.get(path)?.diagnostics !== undefined;
  }

  /**
   * Resolves once something was published about the document's present text, or when its time is over.
   *
   * @throws {ExpectedError} `server.terminated`, or the signal's reason.
   */
  async settled(path: string, signal: AbortSignal): Promise<void> {
    const sent = this.#sent.get(path);
    if (!sent || sent.isSilent || sent.diagnostics || sent.former) return;
    sent.isSilent = !(await hear(sent, { timeoutMs: this.#timeoutMs, signal }));
  }

  /**
   * Returns what was published about the document as it was last sent, once nothing more comes. When the time (`timeoutMs`,
   * at most that of the server) is over first, returns what was published about the same text before, or `undefined`.
   *
   * @throws {ExpectedError} `server.terminated`, or the signal's reason.
   */
  async latest(path: string, limits: RequestLimits): Promise<readonly Diagnostic[] | undefined> {
    const { signal } = limits;
    const deadlineMs = Date.now() + Math.min(limits.timeoutMs ?? this.#timeoutMs, this.#timeoutMs);
    for (;;) {
      const sent = this.#sent.get(path);
      if (!sent) return undefined;
      if (sent.diagnostics === undefined) {
        if (!(await hear(sent, { timeoutMs: deadlineMs - Date.now(), signal }))) return sent.former;
        // It may have been sent again meanwhile.
        continue;
      }
      const now = Date.now();
      const untilQuietMs = Math.min(sent.publishedAtMs, deadlineMs) + quietMs - now;
      if (untilQuietMs <= 0) return sent.diagnostics;
      await pause(untilQuietMs, signal);
    }
  }
}

/** Returns whether something was heard of what was sent, before the time was over. */
async function hear({ heard }: Sent, limits: RequestLimits): Promise<boolean> {
  const late = new Error('Nothing was published in time');
  try {
    await within(heard.promise, { ...limits, onTimeout: () => late });
    return true;
  } catch (error) {
    if (error === late) return false;
    throw error;
  }
}
