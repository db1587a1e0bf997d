/** Failures in a row that count: at most 31 attempts are skipped. */
const maxFailures = 5;

/** Decides which of many attempts are made: after each further failure in a row, twice as many are skipped. */
export class Backoff {
  #failures = 0;
  #skipped = 0;

  /** Returns true if the next attempt is to be made; its outcome must be {@link record}ed. */
  shouldTry(): boolean {
    if (this.#skipped >= 2 ** this.#failures - 1) {
      this.#skipped = 0;
      return true;
    }
    this.#skipped++;
    return false;
  }

  record({ hasFailed }: { hasFailed: boolean }): void {
    this.#failures = hasFailed ? Math.min(this.#failures + 1, maxFailures) : 0;
  }
}
