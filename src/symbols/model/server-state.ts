import { LRUCache } from 'lru-cache';
import { Backoff } from '../../base/backoff.ts';
import type { Gap } from '../../base/gap.ts';
import { ReadWriteLock } from '../../base/read-write-lock.ts';
import type { Place } from '../../text/place.ts';
import type { HierarchyStep, SymbolNode } from './symbol.ts';

/** Decide which edits ask a server for problems that nobody requested. */
export interface Promptness {
  /** About the changed files. */
  readonly changed: Backoff;
  /** About the files that use what changes. */
  readonly users: Backoff;
}

/** Answers of a server that are valid until files change, for reading. */
export interface ServerAnswers {
  /** References that the server listed, by position. */
  readonly references: RememberedAnswers<readonly Place[]>;
  /** Symbols that names mean, by the position of the name. */
  readonly meant: RememberedAnswers<readonly SymbolNode[]>;
  /** By kind and position. */
  readonly steps: RememberedAnswers<HierarchyStep>;
}

/** What the queries of one project know about a running server. Exists as long as the server runs. */
export class ServerState {
  /** Held by questions, and alone while the server has texts that are not on disk. */
  readonly trials = new ReadWriteLock();
  /** Held while changed files are reported: each report starts at the cursor of the previous one. */
  readonly reporting = new ReadWriteLock();
  /** Scanner cursor of the last change that was reported to the server; `undefined` before the first report. */
  reportedUpTo: number | undefined;
  /**
   * Cache of the ledger, valid until files change: positions that the server resolved to, by the position or
   * request that was resolved, and the unrelated files of each symbol.
   */
  resolved = new Map<string, readonly string[]>();
  answers = noAnswers();

  #promptness: Promptness | undefined;

  /** `undefined` until the server has answered a question. */
  get promptness(): Promptness | undefined {
    return this.#promptness;
  }

  /** Runs a question to the server, which waits while the server has texts that are not on disk. */
  async answer<T>(signal: AbortSignal, question: () => Promise<T>): Promise<T> {
    const answer = await this.trials.shared(signal, question);
    this.#promptness ??= { changed: new Backoff(), users: new Backoff() };
    return answer;
  }

  /** Drops what depends on the content of files. */
  forgetAnswers(): void {
    this.resolved = new Map();
    this.answers = noAnswers();
  }
}

/** Returns what a server resolved before, or asks it. */
export async function cached(
  resolved: ServerState['resolved'],
  key: string,
  ask: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const known = resolved.get(key);
  if (known) return known;
  const keys = await ask();
  // Do not cache an empty answer: a server that is still indexing, such as clangd, may find a definition later.
  if (keys.length > 0) resolved.set(key, keys);
  return keys;
}

/** Unlike the list of a server, a step has been compared with the text. */
const doubtfulMs = 60_000;

function noAnswers(): ServerAnswers {
  return {
    references: new RememberedAnswers({ lengthOf: ({ length }) => length, doubtfulMs: 0 }),
    meant: new RememberedAnswers({ lengthOf: ({ length }) => length, doubtfulMs: 0 }),
    steps: new RememberedAnswers({ lengthOf: ({ related, outside }) => related.length + outside.length, doubtfulMs }),
  };
}

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
class RememberedAnswers<T extends object> {
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
