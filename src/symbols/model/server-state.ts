import { Backoff } from '../../base/backoff.ts';
import { Mutex } from '../../base/mutex.ts';
import { SharedMutex } from '../../base/shared-mutex.ts';
import type { Place } from '../../text/place.ts';
import type { HierarchyStep } from './hierarchy-step.ts';
import { RememberedAnswers } from './remembered-answers.ts';

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
  /** By kind and position. */
  readonly steps: RememberedAnswers<HierarchyStep>;
}

/** What the queries of one project know about a running server. Exists as long as the server runs. */
export class ServerState {
  /** Held by questions, and alone while the server has texts that are not on disk. */
  readonly trials = new SharedMutex();
  /** Held while changed files are reported: each report starts at the cursor of the previous one. */
  readonly reporting = new Mutex();
  /** Scanner cursor of the last change that was reported to the server; `undefined` before the first report. */
  reportedUpTo: number | undefined;
  /**
   * Cache of the cross-check, valid until files change: positions that the server resolved to, by the position or
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

/** Unlike the list of a server, a step has been compared with the text. */
const doubtfulMs = 60_000;

function noAnswers(): ServerAnswers {
  return {
    references: new RememberedAnswers({ lengthOf: ({ length }) => length, doubtfulMs: 0 }),
    steps: new RememberedAnswers({ lengthOf: ({ related, outside }) => related.length + outside.length, doubtfulMs }),
  };
}
