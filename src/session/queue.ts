/**
 * Orders the calls of one client: calls that only read run at the same time; any other waits for all that came before it
 * and is waited for by all that come after (DESIGN 3.4).
 */
export class CallQueue {
  /** Settles when the last exclusive call is over. */
  #lastExclusive: Promise<unknown> = Promise.resolve();
  /** The calls that the next exclusive one waits for. */
  readonly #running = new Set<Promise<unknown>>();

  /** Runs `work` in its turn; a call whose signal aborts while it waits is never begun. */
  run<T>(kind: 'shared' | 'exclusive', signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = kind === 'shared' ? [this.#lastExclusive] : [this.#lastExclusive, ...this.#running];
    const result = Promise.allSettled(before).then(() => {
      signal.throwIfAborted();
      return work();
    });
    const settled = result.catch(() => undefined);
    if (kind === 'exclusive') this.#lastExclusive = settled;
    this.#running.add(settled);
    void settled.finally(() => this.#running.delete(settled));
    return result;
  }

  /** Resolves once every call that was given so far is over. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }
}
