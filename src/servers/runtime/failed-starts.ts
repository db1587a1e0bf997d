import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';

interface FailedStart {
  readonly error: unknown;
  /** As `Date.now()` counts. */
  readonly againAtMs: number;
}

/** A start that failed is not tried again for so many times as long as it took. */
const waitFactor = 10;
const maxWaitMs = 30_000;

/**
 * The starts of servers that failed, by key: absolute root, NUL, identity. A start may take minutes to fail, and every call
 * would wait for it: it is tried again only when that costs little of the time. What is told at once, such as a program that
 * is not there, is tried every time: whoever has put it right need do nothing more.
 */
export class FailedStarts {
  readonly #byKey = new Map<string, FailedStart>();

  /** Keeps what the start that began at `begunAtMs` (`Date.now()`) failed with. */
  remember(key: string, error: unknown, begunAtMs: number): void {
    const now = Date.now();
    const isCheap = isExpected(error, 'install.runtime-missing');
    const waitMs = isCheap ? 0 : Math.min(maxWaitMs, waitFactor * (now - begunAtMs));
    this.#byKey.set(key, { error, againAtMs: now + waitMs });
  }

  /** @throws {ExpectedError} what the last start failed with, while it is not to be tried again. */
  throwRecent(key: string): void {
    const failed = this.#byKey.get(key);
    const leftMs = failed === undefined ? 0 : failed.againAtMs - Date.now();
    if (failed === undefined || leftMs <= 0) return;
    const { error } = failed;
    const seconds = Math.ceil(leftMs / 1000);
    throw new ExpectedError(
      error instanceof ExpectedError ? error.code : 'server.start-failed',
      `${messageOf(error)}\nThis was a moment ago, and is tried again with a call in ${seconds} s`,
      {
        hints: [
          ...(error instanceof ExpectedError ? error.hints : []),
          'Call `restart_language_server` to try at once, or ask again later',
        ],
        cause: error,
      },
    );
  }

  /** Returns why servers of the project at absolute `root` did not start, by server id. */
  reasonsOf(root: string): ReadonlyMap<string, string> {
    const own = [...this.#byKey].map(([key, { error }]) => [key.split('\0'), messageOf(error)] as const);
    return new Map(own.filter(([key]) => key[0] === root).map(([key, reason]) => [key[1] ?? '', reason]));
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }

  forgetProject(root: string): void {
    for (const key of this.#byKey.keys()) if (key.startsWith(`${root}\0`)) this.#byKey.delete(key);
  }
}
