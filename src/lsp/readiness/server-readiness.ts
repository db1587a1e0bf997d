import type { Connection } from '../client/connection.ts';
import type { ReadinessWatch } from './readiness.ts';

interface Parts {
  readonly watch: ReadinessWatch;
  readonly connection: Pick<Connection, 'request'>;
  /** Aborts, with the reason, once the server has ended. */
  readonly ended: AbortSignal;
  /** Called when the readiness signal did not come in time. */
  readonly onLate: () => void;
  /** Called with the reason when the server ends before its readiness signal. */
  readonly onEnd: (reason: unknown) => void;
}

/**
 * A method that no server implements. LSP requires an error answer to unknown requests with this prefix, and servers
 * handle messages in order: with the answer, everything they send about earlier notifications has arrived.
 */
export const barrierMethod = '$/serena/barrier';
/** A server that does not answer the barrier is not faulty: after this time the wait ends. */
const barrierTimeoutMs = 5_000;

export class ServerReadiness {
  readonly #parts: Parts;
  /** True if the server was sent changes that may make it busy, and no barrier since. */
  #isPending = false;
  #barrier: Promise<unknown> | undefined;
  #isReady = false;
  #isLate = false;
  /** Shared by all waiting calls, so that the timeout counts from when the server became busy. */
  #stage: Promise<boolean>;

  /** Starts waiting for the first signal. */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stage = this.#begin();
    parts.watch.whenBusy(() => {
      this.#stage = this.#begin();
    });
  }

  /** True after the server's readiness signal, until the server reports that it is busy again. */
  get isReady(): boolean {
    return this.#isReady || (this.#isLate && this.#parts.watch.isSignalGiven);
  }

  /**
   * Notes that the server is being sent changes that may make it busy; {@link wait} first gives it time to report that.
   */
  expectBusy(): void {
    this.#isPending = this.#parts.watch.reportsBusy;
  }

  /**
   * Resolves with true once the server is ready, or with false after its timeout.
   *
   * @throws {ExpectedError} `server.terminated`.
   */
  async wait(): Promise<boolean> {
    for (;;) {
      if (this.#isPending) this.#barrier = this.#sendBarrier();
      // Concurrent callers wait for the same barrier.
      await this.#barrier;
      const stage = this.#stage;
      // A late signal counts, too.
      if (!(await stage) && !this.#parts.watch.isSignalGiven) return false;
      if (stage === this.#stage && !this.#isPending) return true;
    }
  }

  /** A new object each time that the server reports that it is busy again. */
  get stage(): object {
    return this.#stage;
  }

  #sendBarrier(): Promise<unknown> {
    this.#isPending = false;
    const { connection, ended } = this.#parts;
    // The usual answer is an error. If the server has ended, the next request reports that.
    return connection.request(barrierMethod, {}, { signal: ended, timeoutMs: barrierTimeoutMs }).catch(() => undefined);
  }

  #begin(): Promise<boolean> {
    this.#isReady = false;
    this.#isLate = false;
    const { watch, ended, onLate, onEnd } = this.#parts;
    const stage = watch.wait(ended);
    stage.then((isReady) => {
      if (stage === this.#stage) {
        this.#isReady = isReady;
        this.#isLate = !isReady;
      }
      if (!isReady) onLate();
    }, onEnd);
    return stage;
  }
}
