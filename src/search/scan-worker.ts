import { Worker } from 'node:worker_threads';
import { within } from '../base/deadline.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { ScanFailure, ScanKind, ScanQuestions, ScanResponse, ScanSetup, SentRequest } from './scan-protocol.ts';

/** A worker looks at its stop flag for each file, so it needs longer only when it hangs inside one. */
const stopGraceMs = 250;

/** Starting a thread took up to 200 ms where every core was busy. */
const startAllowanceMs = 10_000;

/** A thread in the middle of a regular expression ended within 650 ms. */
const endAllowanceMs = 3_000;

/** A question that waits for its turn or for its answer. */
interface Pending {
  readonly request: SentRequest;
  readonly onTimeout: () => Error;
  /** It has its error, and the worker was told to stop. */
  isGivenUp: boolean;
  settle(answer: ScanQuestions[ScanKind]['answer']): void;
  fail(error: unknown): void;
}

/** What a lane is made for. */
export interface ScanWorkerOptions {
  readonly workerUrl: URL;
  readonly setup: Omit<ScanSetup, 'stopFlag'>;
  readonly deadlineMs: number;
}

/**
 * One worker thread and the questions for it, asked one at a time. The worker is started with the first question. A
 * question that takes too long or is no longer wanted is stopped; if the worker does not react, it is ended, and the
 * questions that wait go to a new one.
 */
export class ScanWorker {
  readonly #options: ScanWorkerOptions;
  readonly #waiting: Pending[] = [];
  readonly #ending = new Set<Promise<unknown>>();
  #worker: Worker | undefined;
  #isReady = false;
  #stopFlag = new Int32Array(new SharedArrayBuffer(4));
  #asked: Pending | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #lastId = 0;

  constructor(options: ScanWorkerOptions) {
    this.#options = options;
  }

  /** Whether a question is being answered. */
  get isBusy(): boolean {
    return this.#asked !== undefined;
  }

  /**
   * Returns the worker's answer. The deadline counts from when the worker, once started, begins with this question.
   *
   * @throws {ExpectedError} what the question throws, and `onTimeout()` after the deadline; the reason of `signal`.
   */
  ask<K extends ScanKind>(
    kind: K,
    query: ScanQuestions[K]['query'],
    options: { signal?: AbortSignal | undefined; onTimeout: () => Error },
  ): Promise<ScanQuestions[K]['answer']> {
    const { signal, onTimeout } = options;
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closedError());
      if (signal?.aborted) return reject(signal.reason);
      this.#lastId += 1;
      const onAbort = () => this.#giveUp(pending, signal?.reason);
      const settled = () => signal?.removeEventListener('abort', onAbort);
      const pending: Pending = {
        request: { id: this.#lastId, kind, query },
        onTimeout,
        isGivenUp: false,
        settle(answer: ScanQuestions[K]['answer']) {
          settled();
          resolve(answer);
        },
        fail(error) {
          settled();
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(pending);
      this.#next();
    });
  }

  /** Ends the worker and rejects what has no answer yet. Resolves once the thread has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const pending of this.#waiting.splice(0)) pending.fail(closedError());
    this.#asked?.fail(closedError());
    this.#endWorker();
    await Promise.all(this.#ending);
  }

  #next(): void {
    if (this.#asked !== undefined || this.#isClosed) return;
    const pending = this.#waiting.shift();
    if (pending === undefined) {
      // An idle thread must not keep the process alive.
      this.#worker?.unref();
      return;
    }
    this.#asked = pending;
    this.#worker ??= this.#startWorker();
    this.#worker.ref();
    this.#worker.postMessage(pending.request);
    this.#startClock(pending);
  }

  #startClock(pending: Pending): void {
    clearTimeout(this.#timer);
    const limitMs = this.#options.deadlineMs + (this.#isReady ? 0 : startAllowanceMs);
    this.#timer = setTimeout(() => this.#giveUp(pending, pending.onTimeout()), limitMs);
  }

  /** Rejects a question and, if the worker is at it, makes the worker stop. */
  #giveUp(pending: Pending, reason: unknown): void {
    pending.fail(reason);
    if (this.#asked !== pending) {
      const index = this.#waiting.indexOf(pending);
      if (index !== -1) this.#waiting.splice(index, 1);
      return;
    }
    pending.isGivenUp = true;
    Atomics.store(this.#stopFlag, 0, pending.request.id);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endWorker(), stopGraceMs);
  }

  #startWorker(): Worker {
    this.#isReady = false;
    this.#stopFlag = new Int32Array(new SharedArrayBuffer(4));
    const workerData: ScanSetup = { ...this.#options.setup, stopFlag: this.#stopFlag.buffer };
    const worker = new Worker(this.#options.workerUrl, { workerData });
    worker.on('message', (response: ScanResponse) => this.#receive(worker, response));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', (code) => this.#lose(worker, new Error(`The search thread ended with code ${code}`)));
    return worker;
  }

  #receive(worker: Worker, response: ScanResponse): void {
    if (worker !== this.#worker) return;
    const asked = this.#asked;
    if ('isReady' in response) {
      this.#isReady = true;
      if (asked !== undefined && !asked.isGivenUp) this.#startClock(asked);
      return;
    }
    if (asked?.request.id !== response.id) return;
    this.#release();
    if ('failure' in response) asked.fail(errorOf(response.failure));
    else asked.settle(response.answer);
    this.#next();
  }

  /** The worker has ended by itself: the question it was at fails, the next ones go to a new worker. */
  #lose(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) return;
    this.#asked?.fail(error);
    this.#endWorker();
  }

  #endWorker(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#release();
    if (worker !== undefined) {
      // A thread that hangs in a call to the system cannot be ended; nothing can be gained by waiting for it.
      const limits = { timeoutMs: endAllowanceMs, onTimeout: () => new Error('The search thread did not end') };
      const ending = within(worker.terminate(), limits).catch((error: unknown) =>
        log('project').warn(messageOf(error)),
      );
      this.#ending.add(ending);
      void ending.then(() => this.#ending.delete(ending));
    }
    this.#next();
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#asked = undefined;
  }
}

function closedError(): Error {
  return new Error('The project has been closed');
}

function errorOf(failure: ScanFailure): Error {
  const { code, message, hints } = failure;
  return code === undefined ? new Error(message) : new ExpectedError(code, message, { hints });
}
