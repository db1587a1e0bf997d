import { within } from './deadline.ts';

/** Runs pieces of work one at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /**
   * Runs `work` once all earlier work has ended, successfully or not, and settles like `work`.
   *
   * @throws the signal's reason as soon as `signal` aborts; work that has not started is then skipped.
   */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const done = Promise.withResolvers<void>();
    // Later callers wait for both: this one may stop waiting while the one before it is still running.
    this.#last = before.then(() => done.promise);
    try {
      await within(before, { signal, onTimeout: () => new Error('there is no time limit') });
      return await work();
    } finally {
      done.resolve();
    }
  }
}
