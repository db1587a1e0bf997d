import { LRUCache } from 'lru-cache';
import type { Gap } from '../../base/gap.ts';

interface Answer<T> {
  readonly value: T;
  readonly gaps: readonly Gap[];
}

/** Entries of all kept lists. One has about 100 bytes. */
const maxEntries = 100_000;

/**
 * Answers to questions about a whole project, which are lists. When files change, the owner replaces the object, so that
 * an answer that the change has overtaken is not found.
 */
export class RememberedAnswers<T extends object> {
  readonly #answers = new LRUCache<string, Answer<T>>({ maxSize: maxEntries });
  readonly #options: { lengthOf: (value: T) => number; doubtfulMs: number };

  /**
   * `doubtfulMs` is the time for which an answer is kept that is empty or has gaps: it may become better although no file
   * of the project changes, when the server reads on or somebody installs packages.
   */
  constructor(options: { lengthOf: (value: T) => number; doubtfulMs: number }) {
    this.#options = options;
  }

  has(key: string): boolean {
    return this.#answers.has(key);
  }

  /**
   * Returns the known answer to a question, otherwise that of `ask`, which receives the array for its gaps. The gaps of
   * both are added to `gaps`.
   */
  async answer(key: string, gaps: Gap[], ask: (gaps: Gap[]) => Promise<T>): Promise<T> {
    const { value, gaps: own } = this.#answers.get(key) ?? (await this.#ask(key, ask));
    gaps.push(...own);
    return value;
  }

  async #ask(key: string, ask: (gaps: Gap[]) => Promise<T>): Promise<Answer<T>> {
    const gaps: Gap[] = [];
    const answer = { value: await ask(gaps), gaps };
    const { lengthOf, doubtfulMs } = this.#options;
    const length = lengthOf(answer.value);
    const isDoubtful = length === 0 || gaps.length > 0;
    if (!isDoubtful) this.#answers.set(key, answer, { size: length + 1 });
    else if (doubtfulMs > 0) this.#answers.set(key, answer, { size: length + 1, ttl: doubtfulMs });
    return answer;
  }
}
