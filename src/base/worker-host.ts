import { closeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { within } from './deadline.ts';
import { ExpectedError, messageOf } from './errors.ts';
import { log } from './log.ts';
import { whenIdle } from './when-idle.ts';
import type {
  Operations,
  SentRequest,
  WorkerControl,
  WorkerFailure,
  WorkerProgress,
  WorkerResponse,
} from './worker-protocol.ts';

/** A worker checks its stop flag for each file, so it only takes longer if it hangs within one file. */
const stopGraceMs = 250;

/** Starting a thread took up to 200 ms when all cores were busy. */
const startAllowanceMs = 10_000;

/** A thread that was executing a regular expression ended within 650 ms. */
const endAllowanceMs = 3_000;

/** A request that waits to be sent or for its answer. */
interface PendingRequest<Kinds extends Operations<Kinds>> {
  readonly request: SentRequest<Kinds>;
  readonly onTimeout: () => Error;
  readonly onProgress: ((progress: WorkerProgress) => void) | undefined;
  /** True once it has been rejected and the stop flag is set. */
  isAbandoned: boolean;
  settle(answer: Kinds[keyof Kinds]['answer']): void;
  fail(error: unknown): void;
}

/** Options of a {@link WorkerHost}. */
export interface WorkerHostOptions<Kinds extends Operations<Kinds>> {
  readonly workerUrl: URL;
  /** The data that the thread is started with, besides {@link WorkerControl}. */
  readonly setup?: object;
  readonly deadlineMs: number;
  /** True if the process may end before its requests are answered. */
  readonly isBackground?: boolean;
  /** True if the thread ends when no request has come for a while. Its cursors for changes would be lost. */
  readonly endsWhenIdle?: boolean;
  /** What a request loads into its thread for good, and how many of these one thread may have: another replaces it. */
  readonly loads?: { readonly of: (query: Kinds[keyof Kinds]['query']) => string; readonly max: number };
  /** Receives the files that had to be read because the index does not know them, if they are worth indexing. */
  readonly onUnindexed?: (unindexed: string) => void;
}

/**
 * Runs one worker thread, which handles one request at a time. The thread starts with the first request, unless
 * {@link start} is called before. A request that times out or is cancelled is stopped; if the thread does not react, it is terminated,
 * and the waiting requests go to a new thread.
 */
export class WorkerHost<Kinds extends Operations<Kinds>> {
  readonly #options: WorkerHostOptions<Kinds>;
  readonly #waiting: PendingRequest<Kinds>[] = [];
  readonly #ending = new Set<Promise<unknown>>();
  #worker: Worker | undefined;
  /** What the thread has loaded; see `WorkerHostOptions.loads`. */
  #loaded = new Set<string>();
  #isReady = false;
  #stopFlag = new Int32Array(new SharedArrayBuffer(4));
  #descriptor = new Int32Array(new SharedArrayBuffer(4));
  #current: PendingRequest<Kinds> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed: Error | undefined;
  #lastId = 0;
  readonly #used = whenIdle(() => {
    if (this.#worker !== undefined && this.#current === undefined) this.#endWorker();
  });

  constructor(options: WorkerHostOptions<Kinds>) {
    this.#options = options;
  }

  /** Id of the last request that was sent or waits; 0 before the first one. */
  get lastRequest(): number {
    return this.#lastId;
  }

  /** True while a request is being handled. */
  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Sends a request and returns the answer. The deadline starts when the worker, once running, receives the request.
   *
   * @throws {ExpectedError} the error of the operation, or `onTimeout()` after the deadline; the reason of `signal`.
   */
  send<K extends keyof Kinds>(
    kind: K,
    query: Kinds[K]['query'],
    options: {
      signal?: AbortSignal | undefined;
      onTimeout: () => Error;
      onProgress?: ((progress: WorkerProgress) => void) | undefined;
    },
  ): Promise<Kinds[K]['answer']> {
    const { signal, onTimeout, onProgress } = options;
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed);
      if (signal?.aborted) return reject(signal.reason);
      this.#lastId += 1;
      const onAbort = () => this.#abandon(pending, signal?.reason);
      const settled = () => signal?.removeEventListener('abort', onAbort);
      const pending: PendingRequest<Kinds> = {
        request: { id: this.#lastId, kind, query },
        onTimeout,
        onProgress,
        isAbandoned: false,
        settle(answer: Kinds[K]['answer']) {
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

  /** Starts the thread unless it runs. */
  start(): void {
    if (this.#worker !== undefined || this.#closed !== undefined) return;
    this.#worker = this.#startWorker();
    this.#rest();
  }

  /** Terminates the thread and rejects all unanswered and later requests. Resolves once the thread has ended. */
  async close(reason = new Error('The project has been closed')): Promise<void> {
    this.#closed = reason;
    for (const pending of this.#waiting.splice(0)) pending.fail(reason);
    this.#current?.fail(reason);
    this.#endWorker();
    await Promise.all(this.#ending);
  }

  #next(): void {
    if (this.#current !== undefined || this.#closed !== undefined) return;
    const pending = this.#waiting.shift();
    if (pending === undefined) {
      this.#rest();
      return;
    }
    this.#current = pending;
    this.#makeRoom(pending.request.query);
    this.#worker ??= this.#startWorker();
    if (this.#options.isBackground === true) this.#worker.unref();
    else this.#worker.ref();
    this.#worker.postMessage(pending.request);
    this.#startClock(pending);
  }

  /** Ends a thread that has loaded too much for a request. */
  #makeRoom(query: Kinds[keyof Kinds]['query']): void {
    const { loads } = this.#options;
    if (loads === undefined) return;
    const needed = loads.of(query);
    if (!this.#loaded.has(needed) && this.#loaded.size >= loads.max) this.#terminate();
    this.#loaded.add(needed);
  }

  /** An idle thread must not keep the process alive. */
  #rest(): void {
    this.#worker?.unref();
    if (this.#options.endsWhenIdle === true) this.#used();
  }

  #startClock(pending: PendingRequest<Kinds>): void {
    clearTimeout(this.#timer);
    const limitMs = this.#options.deadlineMs + (this.#isReady ? 0 : startAllowanceMs);
    this.#timer = setTimeout(() => this.#abandon(pending, pending.onTimeout()), limitMs);
    if (this.#options.isBackground === true) this.#timer.unref();
  }

  /** Rejects a request and, if the worker is handling it, makes the worker stop. */
  #abandon(pending: PendingRequest<Kinds>, reason: unknown): void {
    pending.fail(reason);
    if (this.#current !== pending) {
      const index = this.#waiting.indexOf(pending);
      if (index !== -1) this.#waiting.splice(index, 1);
      return;
    }
    pending.isAbandoned = true;
    Atomics.store(this.#stopFlag, 0, pending.request.id);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endWorker(), stopGraceMs);
  }

  #startWorker(): Worker {
    this.#isReady = false;
    this.#stopFlag = new Int32Array(new SharedArrayBuffer(4));
    this.#descriptor = new Int32Array(new SharedArrayBuffer(4));
    const { setup, isBackground } = this.#options;
    // One that indexes asks for no file twice.
    const watching = isBackground === true ? {} : { descriptor: this.#descriptor.buffer };
    const control: WorkerControl = { ...watching, stopFlag: this.#stopFlag.buffer };
    const worker = new Worker(this.#options.workerUrl, { workerData: { ...setup, ...control } });
    worker.on('message', (response: WorkerResponse<Kinds>) => this.#receive(worker, response));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', (code) => this.#lose(worker, new Error(`The worker thread exited with code ${code}`)));
    return worker;
  }

  #receive(worker: Worker, response: WorkerResponse<Kinds>): void {
    if (worker !== this.#worker) return;
    const current = this.#current;
    if ('isReady' in response) {
      this.#isReady = true;
      if (current !== undefined && !current.isAbandoned) this.#startClock(current);
      return;
    }
    if (current?.request.id !== response.id) return;
    if ('progress' in response) {
      current.onProgress?.(response.progress);
      return;
    }
    this.#release();
    if ('failure' in response) current.fail(errorOf(response.failure));
    else current.settle(response.answer);
    this.#next();
    if ('answer' in response && response.unindexed !== undefined) this.#options.onUnindexed?.(response.unindexed);
  }

  /** Handles the unexpected end of the thread: its request fails, the waiting ones go to a new thread. */
  #lose(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) return;
    this.#current?.fail(error);
    this.#endWorker();
  }

  #endWorker(): void {
    this.#terminate();
    this.#release();
    this.#next();
  }

  #terminate(): void {
    const worker = this.#worker;
    const descriptor = this.#descriptor;
    this.#worker = undefined;
    this.#loaded.clear();
    if (worker === undefined) return;
    // A thread that hangs in a system call cannot be terminated, so the wait is limited.
    const limits = { timeoutMs: endAllowanceMs, onTimeout: () => new Error('A worker thread did not end') };
    const ending = within(worker.terminate(), limits)
      // A thread that still runs would use the descriptor.
      .then(() => closeDescriptor(descriptor))
      .catch((error: unknown) => log('project').warn(messageOf(error)));
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#current = undefined;
  }
}

/** Closes what an ended thread had open; see `WorkerControl.descriptor`. */
function closeDescriptor(descriptor: Int32Array): void {
  const fd = Atomics.exchange(descriptor, 0, 0);
  if (fd !== 0) closeSync(fd);
}

function errorOf(failure: WorkerFailure): Error {
  const { code, message, stack, hints } = failure;
  if (code !== undefined) return new ExpectedError(code, message, { hints });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
