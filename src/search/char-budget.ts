/** Up to here the full answer is put together even if it is too long: the notice about that tells its exact length. */
const countedChars = 250_000;

/** Counts down the characters that one representation may still take. */
export class CharBudget {
  #left: number;

  constructor(maxChars: number) {
    // The limit counts code points, of which each may be two UTF-16 code units.
    this.#left = maxChars * 2;
  }

  /** Returns the allowance of the fullest representation. */
  static counted(maxChars: number): CharBudget {
    return new CharBudget(Math.max(maxChars, countedChars));
  }

  get isUsedUp(): boolean {
    return this.#left < 0;
  }

  /** Returns whether `chars` more still fit. */
  take(chars: number): boolean {
    if (this.#left >= 0) this.#left -= chars;
    return this.#left >= 0;
  }
}
