import type { Call } from '../base/call.ts';

/**
 * Aborts the requests to one language server once it has been silent for too long: no response and no progress.
 * Disposing the guard stops the watch.
 */
export class SilenceGuard {
  readonly #timer: ReturnType<typeof setInterval>;
  #abort = new AbortController();
  #activeAtMs = performance.now();
  #pendingCount = 0;

  /** `onSilence` is called once per period of silence; pending requests fail with the error that it returns. */
  constructor(silenceMs: number, onSilence: () => Error) {
    const check = () => {
      if (this.#pendingCount === 0 || performance.now() - this.#activeAtMs < silenceMs) return;
      const abort = this.#abort;
      this.#abort = new AbortController();
      this.#recordActivity();
      abort.abort(onSilence());
    };
    this.#timer = setInterval(check, Math.min(1_000, silenceMs / 4));
  }

  /** Runs one request as part of `call`; its progress messages count as activity of the server. */
  async watch<T>(call: Call, request: (call: Call) => Promise<T>): Promise<T> {
    if (this.#pendingCount === 0) this.#recordActivity();
    this.#pendingCount++;
    const progress = (message: string) => {
      this.#recordActivity();
      call.progress(message);
    };
    try {
      return await request({ ...call, signal: AbortSignal.any([call.signal, this.#abort.signal]), progress });
    } finally {
      this.#pendingCount--;
      this.#recordActivity();
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #recordActivity(): void {
    this.#activeAtMs = performance.now();
  }
}
