/** When the memory of a language server counts as growing without end. */
export interface GrowthRule {
  /** Number of consecutive measurements that are each higher than the one before. */
  readonly rises: number;
  /** The last of them, as a multiple of the memory before the first rise. */
  readonly factor: number;
  /** Least growth in bytes during these measurements. */
  readonly atLeastBytes: number;
}

/**
 * Measurements are taken between calls, and only after further questions, so that neither a call nor loading a project
 * counts. A cache that fills up grows, too, but not twentyfold without a pause, to double the size, by a gigabyte.
 */
export const growthRule: GrowthRule = { rises: 20, factor: 2, atLeastBytes: 1024 ** 3 };

/** The measurements of one language server. */
export class Growth {
  readonly #rule: GrowthRule;
  #questions = 0;
  #rises = 0;
  #lowest = Number.POSITIVE_INFINITY;
  #last = Number.POSITIVE_INFINITY;

  constructor(rule: GrowthRule) {
    this.#rule = rule;
  }

  /** Adds a measurement after this many questions. Returns true if the server keeps growing. */
  add(bytes: number, questions: number): boolean {
    if (questions === this.#questions) return false;
    this.#questions = questions;
    const hasRisen = bytes > this.#last;
    this.#last = bytes;
    this.#rises = hasRisen ? this.#rises + 1 : 0;
    if (!hasRisen) this.#lowest = bytes;
    const { rises, factor, atLeastBytes } = this.#rule;
    const grown = bytes - this.#lowest;
    return this.#rises >= rises && bytes >= this.#lowest * factor && grown >= atLeastBytes;
  }
}
