/**
 * Up to this length the full answer is assembled even if it exceeds the limit: the notice then states its exact length.
 */
const countedChars = 250_000;

/** The number of characters that one representation of an answer may still use. */
export class CharBudget {
  #left: number;

  constructor(maxChars: number) {
    // The limit counts code points, of which each may be two UTF-16 code units.
    this.#left = maxChars * 2;
  }

  /** Returns the budget of the fullest representation. */
  static counted(maxChars: number): CharBudget {
    return new CharBudget(Math.max(maxChars, countedChars));
  }

  get isUsedUp(): boolean {
    return this.#left < 0;
  }

  /** Uses up `chars` characters and returns whether they fit. */
  take(chars: number): boolean {
    if (this.#left >= 0) this.#left -= chars;
    return this.#left >= 0;
  }
}
