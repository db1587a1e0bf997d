import { AsyncLocalStorage } from 'node:async_hooks';
import { within } from './deadline.ts';

/** Work that holds a lock. Work that it starts and does not await outlives it. */
interface Holding {
  isOver: boolean;
}

/**
 * Lets any number of pieces of shared work run at a time, or one exclusive piece, in the order of the calls: exclusive work
 * waits for all work before it, and all work after it waits for it. Work inside work that holds the lock runs at once, so
 * shared work must not contain exclusive work.
 */
export class ReadWriteLock {
  readonly #holding = new AsyncLocalStorage<Holding>();
  /** Settles when no exclusive work runs or waits any more. */
  #exclusive: Promise<unknown> = Promise.resolve();
  /** All work that runs or waits. Its promises never reject. */
  readonly #unsettled = new Set<Promise<unknown>>();

  /** Settles like `work`. @throws the signal's reason as soon as `signal` aborts; work that has not started is skipped. */
  async shared<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return await this.#run('shared', signal, work);
  }

  /** As {@link shared}. */
  async exclusive<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return await this.#run('exclusive', signal, work);
  }

  /** Resolves once all work that runs or waits has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#unsettled);
  }

  async #run<T>(kind: 'shared' | 'exclusive', signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#holding.getStore()?.isOver === false) return await work();
    const exclusive = this.#exclusive;
    const before = kind === 'shared' ? exclusive : Promise.all([exclusive, ...this.#unsettled]);
    const done = Promise.withResolvers<unknown>();
    if (kind === 'exclusive') this.#exclusive = done.promise;
    this.#unsettled.add(done.promise);
    const holding: Holding = { isOver: false };
    try {
      await within(before, { signal, onTimeout: () => new Error('there is no time limit') });
      return await this.#holding.run(holding, work);
    } finally {
      holding.isOver = true;
      // Work that was skipped has not waited: the work after it does.
      done.resolve(exclusive);
      this.#unsettled.delete(done.promise);
    }
  }
}
