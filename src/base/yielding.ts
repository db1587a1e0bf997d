/** How long long work may go on before other calls are answered. */
const sliceMs = 20;

/** Long work in slices, between which other calls are answered. */
export class Slices {
  readonly #signal: AbortSignal;
  #endsAtMs = performance.now() + sliceMs;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** True once the slice is over: it is time for a {@link Slices.pause}. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAtMs;
  }

  /** Lets other calls have their turn and begins a new slice. @throws the signal's reason. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#signal.throwIfAborted();
    this.#endsAtMs = performance.now() + sliceMs;
  }
}
