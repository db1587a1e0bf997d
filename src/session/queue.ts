/**
 * Orders the calls of one client. Calls that only read run at the same time; any other call waits for all calls before
 * it, and all calls after it wait for it: see docs/compatibility.md, Order and time limits of calls.
 */
export class CallQueue {
  /** Settles when the last exclusive call has ended. */
  #lastExclusive: Promise<unknown> = Promise.resolve();
  /** The calls that the next exclusive call waits for. */
  readonly #running = new Set<Promise<unknown>>();

  /** Runs `work` after the calls that it has to wait for; never if `signal` aborts before that. */
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

  /** Resolves once all calls queued so far have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }
}
