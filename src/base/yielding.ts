/** Milliseconds that long work may block the event loop, which also serves other calls. */
const sliceMs = 20;

/** Divides long work into time slices, so that other calls can run in between. */
export class Slices {
  readonly #signal: AbortSignal;
  #endsAtMs = performance.now() + sliceMs;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** True once the slice is over and the work should call {@link Slices.pause}. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAtMs;
  }

  /** Lets other calls run, then starts a new slice. @throws the signal's reason once it has aborted. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#signal.throwIfAborted();
    this.#endsAtMs = performance.now() + sliceMs;
  }
}
