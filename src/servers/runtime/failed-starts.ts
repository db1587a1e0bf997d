import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';

interface FailedStart {
  readonly error: unknown;
  /** Time from which the start is retried, in `Date.now()` milliseconds. */
  readonly retryAtMs: number;
}

/** A failed start is not retried for this multiple of the time that it took. */
const waitFactor = 10;
const maxWaitMs = 30_000;

/**
 * Failed starts of servers, by key: absolute root, NUL, identity. A start may take minutes to fail, and every call
 * would wait for it, so retries are spaced by a multiple of that time. A start that fails at once, such as for a
 * missing program, is retried with every call: a user who has installed the program need do nothing else.
 */
export class FailedStarts {
  readonly #byKey = new Map<string, FailedStart>();

  /** Stores the error of a start that began at `begunAtMs` (`Date.now()`). */
  remember(key: string, error: unknown, begunAtMs: number): void {
    const now = Date.now();
    const isCheap = isExpected(error, 'install.runtime-missing');
    const waitMs = isCheap ? 0 : Math.min(maxWaitMs, waitFactor * (now - begunAtMs));
    this.#byKey.set(key, { error, retryAtMs: now + waitMs });
  }

  /** @throws {ExpectedError} the error of the last start, until it may be retried. */
  throwRecent(key: string): void {
    const failed = this.#byKey.get(key);
    const leftMs = failed === undefined ? 0 : failed.retryAtMs - Date.now();
    if (failed === undefined || leftMs <= 0) return;
    const { error } = failed;
    const seconds = Math.ceil(leftMs / 1000);
    throw new ExpectedError(
      error instanceof ExpectedError ? error.code : 'server.start-failed',
      `${messageOf(error)}\nThis failed a moment ago; the first call after ${seconds} s retries it`,
      {
        hints: [
          ...(error instanceof ExpectedError ? error.hints : []),
          'call `restart_language_server` to retry at once, or retry later',
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
