import { pause, within } from '../base/deadline.ts';
import type { RequestLimits } from './connection.ts';
import type { Diagnostic } from './diagnostic.ts';

/** A server that says nothing about a document within this time will not (`spec/tools.md` §9.6). */
const publishTimeoutMs = 2_500;

/**
 * How long nothing more must come for what was published to be whole. Some servers publish syntax errors first and the
 * rest later, and those that do not name the version may still be speaking of the text before.
 */
const quietMs = 150;

interface Sent {
  readonly version: number;
  /** Resolves with the first publication about this text, or when the document is sent again or closed. */
  readonly heard: PromiseWithResolvers<void>;
  diagnostics: readonly Diagnostic[] | undefined;
  publishedAtMs: number;
  /** Nobody waits for a sign a second time that did not come in time. */
  isSilent: boolean;
}

/**
 * The diagnostics that a server publishes by itself about the documents it holds open, and with them whether it has taken
 * in what it was sent. What it says about an older version of a document counts for nothing. Paths are absolute.
 */
export class Published {
  readonly #sent = new Map<string, Sent>();
  #lost: Error | undefined;

  /** Notes that the server was sent a document's text. */
  begin(path: string, version: number): void {
    this.end(path);
    const heard = Promise.withResolvers<void>();
    // Nobody may wait for it.
    heard.promise.catch(() => undefined);
    if (this.#lost) heard.reject(this.#lost);
    this.#sent.set(path, { version, heard, diagnostics: undefined, publishedAtMs: 0, isSilent: false });
  }

  /** Notes that the server is gone: who waits is told so. */
  lose(error: Error): void {
    this.#lost = error;
    for (const { heard } of this.#sent.values()) heard.reject(error);
  }

  /** Takes what the server published; `version` is absent where it does not say which text it speaks of. */
  receive(path: string, published: { version: number | undefined; diagnostics: readonly Diagnostic[] }): void {
    const sent = this.#sent.get(path);
    if (!sent || (published.version !== undefined && published.version < sent.version)) return;
    sent.diagnostics = published.diagnostics;
    sent.publishedAtMs = Date.now();
    sent.heard.resolve();
  }

  /** Notes that a document was closed. */
  end(path: string): void {
    this.#sent.get(path)?.heard.resolve();
    this.#sent.delete(path);
  }

  /** Returns whether something was published about the document's present text. */
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
    if (!sent || sent.isSilent || sent.diagnostics) return;
    sent.isSilent = !(await hear(sent, { timeoutMs: publishTimeoutMs, signal }));
  }

  /**
   * Returns what was published about the document's present text, once nothing more comes, or `undefined` when its time
   * (`timeoutMs`, at most 2.5 s) is over first.
   *
   * @throws {ExpectedError} `server.terminated`, or the signal's reason.
   */
  async latest(path: string, limits: RequestLimits): Promise<readonly Diagnostic[] | undefined> {
    const { signal } = limits;
    const deadlineMs = Date.now() + Math.min(limits.timeoutMs ?? publishTimeoutMs, publishTimeoutMs);
    for (;;) {
      const sent = this.#sent.get(path);
      if (!sent) return undefined;
      if (sent.diagnostics === undefined) {
        if (!(await hear(sent, { timeoutMs: deadlineMs - Date.now(), signal }))) return undefined;
        // It may have been sent anew meanwhile.
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
