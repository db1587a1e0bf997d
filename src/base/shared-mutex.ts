import { AsyncLocalStorage } from 'node:async_hooks';
import { within } from './deadline.ts';

/** Work that holds a mutex. Work that it starts and does not await outlives it. */
interface Holding {
  isOver: boolean;
}

/**
 * Lets any number of pieces of shared work run at a time, or one exclusive piece. Exclusive work goes before shared work
 * that starts later. Work inside work that holds the mutex runs at once.
 */
export class SharedMutex {
  readonly #holding = new AsyncLocalStorage<Holding>();
  /** The shared work in progress. */
  readonly #shared = new Set<Promise<unknown>>();
  #exclusive: Promise<unknown> | undefined;

  /** @throws the signal's reason as soon as `signal` aborts while other work is awaited; what `work` throws. */
  async shared<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#holding.getStore()?.isOver === false) return await work();
    while (this.#exclusive !== undefined) await settled(this.#exclusive, signal);
    const running = this.#hold(work);
    this.#shared.add(running);
    try {
      return await running;
    } finally {
      this.#shared.delete(running);
    }
  }

  /** As {@link shared}. Not for work that already holds the mutex as shared. */
  async exclusive<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#holding.getStore()?.isOver === false) return await work();
    while (this.#exclusive !== undefined) await settled(this.#exclusive, signal);
    const over = Promise.withResolvers<void>();
    this.#exclusive = over.promise;
    try {
      for (const running of [...this.#shared]) await settled(running, signal);
      return await this.#hold(work);
    } finally {
      this.#exclusive = undefined;
      over.resolve();
    }
  }

  async #hold<T>(work: () => Promise<T>): Promise<T> {
    const holding: Holding = { isOver: false };
    try {
      return await this.#holding.run(holding, work);
    } finally {
      holding.isOver = true;
    }
  }
}

async function settled(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const end = work.then(
    () => undefined,
    () => undefined,
  );
  await within(end, { signal, onTimeout: () => new Error('there is no time limit') });
}
