import { refused } from './messages.ts';

/** So many calls of a session may run, or have an answer that its client has not taken yet. */
const maxCalls = 16;
/** So many bytes of further calls may wait for that. */
const maxWaitingBytes = 32 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  begin(): void;
}

/** The places for the calls of one session: a client that does not read its answers is not answered any further. */
export class CallSlots {
  #calls = 0;
  #waitingBytes = 0;
  readonly #waiting = new Set<Waiting>();

  /**
   * Waits until a call that came in `bytes` may run; its place is free again once `done` has resolved.
   *
   * @throws {Refused} 429 when too much waits already; 400 when the client has left meanwhile.
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
        `${maxCalls} calls of this session run or are unread, and too many wait: read the answers first`,
      );
    }
    this.#waitingBytes += bytes;
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { bytes, begin: resolve };
      this.#waiting.add(waiting);
      // What a client that has left asked for was not begun.
      void done.then(() => this.#remove(waiting) && reject(refused(400, 'The request broke off')));
    });
  }

  #remove(waiting: Waiting): boolean {
    if (!this.#waiting.delete(waiting)) return false;
    this.#waitingBytes -= waiting.bytes;
    return true;
  }

  /** Hands the place to whoever has waited for longest. */
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
