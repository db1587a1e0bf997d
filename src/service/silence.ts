/**
 * Measures how long the service has been silent while this process listened: a process that was stopped (Ctrl-Z) or got
 * no processor time has heard nothing, whether or not the service has answered.
 */
export class Silence {
  readonly #tickMs: number;
  #silentMs = 0;
  #lastTickMs = performance.now();

  /** {@link tick} is called every `tickMs` milliseconds. */
  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  /** Adds the time since the last tick, at most that between two ticks, and returns the sum in milliseconds. */
  tick(): number {
    const nowMs = performance.now();
    this.#silentMs += Math.min(nowMs - this.#lastTickMs, this.#tickMs);
    this.#lastTickMs = nowMs;
    return this.#silentMs;
  }

  /** Starts from zero: the service has sent something. */
  end(): void {
    this.#silentMs = 0;
  }
}
