import type { Connection } from '../client/connection.ts';
import type { ReadinessWatch } from './readiness.ts';

interface Parts {
  readonly watch: ReadinessWatch;
  readonly connection: Pick<Connection, 'request'>;
  /** Aborts with the reason once the server has ended. */
  readonly ended: AbortSignal;
  /** Called when a sign did not come in time. */
  readonly onLate: () => void;
  /** Called with the reason when the server has ended while a sign was waited for. */
  readonly onEnd: (reason: unknown) => void;
}

/**
 * No server knows this method; by LSP each answers a request whose name begins so, if only that it does not know it. It
 * answers in turn: what it had to say about the notifications before has been said then.
 */
export const barrierMethod = '$/serena/turn';
/** A server that leaves it open says nothing by that. */
const turnTimeoutMs = 5_000;

/** Whether one server is ready, for as long as it runs: the first time after its start, and again whenever it was busy. */
export class ServerReadiness {
  readonly #parts: Parts;
  #hasNews = false;
  #turn: Promise<unknown> | undefined;
  #isReady = false;
  #isLate = false;
  /** Shared by all who wait, so that its time counts from when the server began. */
  #stage: Promise<boolean>;

  /** Begins to wait. */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stage = this.#begin();
    parts.watch.whenBusy(() => {
      this.#stage = this.#begin();
    });
  }

  /** True once the server has said that it is ready, until it says that it is busy again. */
  get isReady(): boolean {
    return this.#isReady || (this.#isLate && this.#parts.watch.isSignalGiven);
  }

  /** The server is being told something that may make it busy again, which it has not had the time to say. */
  expectBusy(): void {
    this.#hasNews = this.#parts.watch.reportsBusy;
  }

  /**
   * Returns whether the server is ready, once it says so or its time is over.
   *
   * @throws {ExpectedError} `server.terminated`.
   */
  async wait(): Promise<boolean> {
    for (;;) {
      if (this.#hasNews) this.#turn = this.#waitForBarrier();
      // Whoever comes next waits for the same turn.
      await this.#turn;
      const stage = this.#stage;
      // A signal that came late is one all the same.
      if (!(await stage) && !this.#parts.watch.isSignalGiven) return false;
      if (stage === this.#stage && !this.#hasNews) return true;
    }
  }

  /** Changes whenever the server says that it is busy again. */
  get stage(): object {
    return this.#stage;
  }

  #waitForBarrier(): Promise<unknown> {
    this.#hasNews = false;
    const { connection, ended } = this.#parts;
    // That it does not know the method is an answer, too; of a server that is gone the question after it tells.
    return connection.request(barrierMethod, {}, { signal: ended, timeoutMs: turnTimeoutMs }).catch(() => undefined);
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
