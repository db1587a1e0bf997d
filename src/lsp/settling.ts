import { pause } from '../base/deadline.ts';

/** A server that says nothing about a document within this time will not: the answers it gives are then taken. */
const timeoutMs = 2_000;

/**
 * Knows which documents a server has taken in, for servers that answer about a document before they have read it: the
 * diagnostics they publish for it are the sign. Paths are absolute.
 */
export class Settling {
  readonly #waiting = new Map<string, { readonly settled: Promise<void>; readonly settle: () => void }>();

  /** Notes that the server was sent a document's text. */
  begin(path: string): void {
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    this.#waiting.get(path)?.settle();
    this.#waiting.set(path, { settled, settle });
  }

  /** Notes that the server published diagnostics for a document, or that it was closed. */
  end(path: string): void {
    this.#waiting.get(path)?.settle();
    this.#waiting.delete(path);
  }

  /** Resolves once the document is settled, or when its time is over. */
  async wait(path: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(path);
    if (!waiting) return;
    await Promise.race([waiting.settled, pause(timeoutMs, signal)]);
    // Sent again meanwhile, the document is not settled: who sent it waits for the sign about that.
    if (this.#waiting.get(path) === waiting) this.#waiting.delete(path);
  }
}
