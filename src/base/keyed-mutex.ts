import { within } from './deadline.ts';

/** Lets work that belongs to one key be done one after the other, in the order in which it was asked for. */
export class KeyedMutex<Key extends object> {
  readonly #last = new WeakMap<Key, Promise<void>>();

  /**
   * Does `work` once all that was asked for before it is over, whether or not that failed, and settles as it does.
   *
   * @throws the signal's reason as soon as `signal` aborts; work that has not begun is then left out.
   */
  async take<T>(key: Key, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const done = Promise.withResolvers<void>();
    // Who comes next waits for both: this one may give up waiting while the one before it is still at work.
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
