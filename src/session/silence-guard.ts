import type { Call } from '../base/call.ts';

/**
 * Ends the questions to one server once it has said nothing for too long: neither an answer nor a word about how far it
 * is. Disposing it stops the watch.
 */
export class SilenceGuard {
  readonly #timer: ReturnType<typeof setInterval>;
  #abort = new AbortController();
  #heardAtMs = performance.now();
  #openCount = 0;

  /** `onSilence` is called once per silence, after the questions have ended with the error it returns. */
  constructor(silenceMs: number, onSilence: () => Error) {
    const look = () => {
      if (this.#openCount === 0 || performance.now() - this.#heardAtMs < silenceMs) return;
      const abort = this.#abort;
      this.#abort = new AbortController();
      this.hear();
      abort.abort(onSilence());
    };
    this.#timer = setInterval(look, Math.min(1_000, silenceMs / 4));
  }

  /** Runs one question as part of `call`; with it counts what the server says meanwhile. */
  async watch<T>(call: Call, question: (call: Call) => Promise<T>): Promise<T> {
    if (this.#openCount === 0) this.hear();
    this.#openCount++;
    const progress = (message: string) => {
      this.hear();
      call.progress(message);
    };
    try {
      return await question({ ...call, signal: AbortSignal.any([call.signal, this.#abort.signal]), progress });
    } finally {
      this.#openCount--;
      this.hear();
    }
  }

  /** Tells that the server is alive. */
  hear(): void {
    this.#heardAtMs = performance.now();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
