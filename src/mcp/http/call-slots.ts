import { refused } from './messages.ts';

/** Maximum number of calls per session that run or whose answers the client has not read yet. */
const maxCalls = 16;
/** Maximum total size of the calls that wait for a slot. */
const maxWaitingBytes = 32 * 1024 * 1024;

interface QueuedCall {
  readonly bytes: number;
  begin(): void;
}

/** Limits the calls of one session: the calls of a client that does not read its answers have to wait. */
export class CallSlots {
  #calls = 0;
  #waitingBytes = 0;
  readonly #waiting = new Set<QueuedCall>();

  /**
   * Waits until a call with a body of `bytes` may run. Its slot is freed when `done` resolves.
   *
   * @throws {RefusedRequest} 429 if too many bytes wait already; 400 if the client disconnected meanwhile.
   */
  async take(bytes: number, done: Promise<void>): Promise<void> {
    if (this.#calls >= maxCalls) await this.#wait(bytes, done);
    else this.#calls++;
    void done.then(() => this.#free());
  }

  #wait(bytes: number, done: Promise<void>): Promise<void> {
    if (this.#waiting.size > 0 && this.#waitingBytes + bytes > maxWaitingBytes) {
      throw refused(
        429,
        `${maxCalls} calls of this session are running or have unread answers, and too many wait: read the answers first`,
      );
    }
    this.#waitingBytes += bytes;
    return new Promise((resolve, reject) => {
      const queued: QueuedCall = { bytes, begin: resolve };
      this.#waiting.add(queued);
      // A client that disconnects while its call waits: the call is never started.
      void done.then(() => this.#remove(queued) && reject(refused(400, 'The connection was closed')));
    });
  }

  #remove(queued: QueuedCall): boolean {
    if (!this.#waiting.delete(queued)) return false;
    this.#waitingBytes -= queued.bytes;
    return true;
  }

  /** Passes the slot to the call that has waited longest. */
  #free(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#calls--;
      return;
    }
    this.#remove(next);
    next.begin();
  }
}
