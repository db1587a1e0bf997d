import { within } from './deadline.ts';

/** Runs work with the same key one piece at a time, in the order of the calls. */
export class KeyedMutex<Key extends object> {
  readonly #last = new WeakMap<Key, Promise<void>>();

  /**
   * Runs `work` once all earlier work with this key has ended, successfully or not, and settles like `work`.
   *
   * @throws the signal's reason as soon as `signal` aborts; work that has not started is then skipped.
   */
  async take<T>(key: Key, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const done = Promise.withResolvers<void>();
    // Later callers wait for both: this one may stop waiting while the one before it is still running.
    this.#last.set(
      key,
      before.then(() => done.promise),
    );
    try {
      await within(before, { signal, onTimeout: () => new Error('There is no time limit') });
      return await work();
    } finally {
      done.resolve();
    }
  }
}
