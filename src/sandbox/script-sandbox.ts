import { Worker } from 'node:worker_threads';
import { ExpectedError, isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { Mutex } from '../base/mutex.ts';
import type { ScriptEnd, ScriptLimits, ScriptRequest, ScriptResponse } from './script-protocol.ts';

/** In a program with everything in one file, URLs are relative to its entry point. */
const workerUrl = new URL(process.env.SERENA_BUILD_VERSION ? './sandbox/worker.ts' : './worker.ts', import.meta.url);

export const defaultLimits: ScriptLimits = {
  // A script that filters a hundred thousand matches takes less than a second.
  runMs: 5_000,
  memoryBytes: 64 * 1024 * 1024,
  maxPrintedChars: 100_000,
  maxJsonChars: 2_000_000,
  maxPendingCalls: 1_000,
};

/** Calls of one script that run at the same time; the others wait. */
const maxRunningCalls = 8;

/** What a script may call, and when it has to end. */
export interface ScriptHost {
  readonly signal: AbortSignal;
  /** Returns the plain data that `serena[name](input)` resolves with; what it throws is thrown in the script. */
  call(name: string, input: unknown, signal: AbortSignal): Promise<unknown>;
}

/**
 * Runs the scripts of one session, one at a time, in a worker thread that starts with the first one. What scripts assign
 * to `globalThis` remains until the session ends or a script has to be stopped.
 */
export class ScriptSandbox {
  readonly #limits: ScriptLimits;
  readonly #mutex = new Mutex();
  #worker: Worker | undefined;

  constructor(limits: ScriptLimits = defaultLimits) {
    this.#limits = limits;
  }

  /**
   * Runs the body of an async function and returns how it ended. If it was stopped, the variables of earlier scripts are
   * lost; also if `host.signal` aborts.
   *
   * @throws the reason of the signal.
   */
  async run(source: string, host: ScriptHost): Promise<ScriptEnd> {
    return await this.#mutex.take(host.signal, () => this.#run(source, host));
  }

  /** Ends the thread. A running script counts as stopped. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #run(source: string, host: ScriptHost): Promise<ScriptEnd> {
    const worker = this.#worker ?? this.#start();
    const ending = new AbortController();
    const signal = AbortSignal.any([host.signal, ending.signal]);
    const calls = new RunningCalls(worker, { ...host, signal });
    worker.ref();
    try {
      const end = await ended(worker, calls, host.signal);
      if (end.kind === 'stopped') await this.close();
      return end;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      ending.abort(new ExpectedError('tool.cancelled', 'the script has ended'));
      // An idle thread must not keep the process alive.
      worker.unref();
    }

    function ended(thread: Worker, running: RunningCalls, aborted: AbortSignal): Promise<ScriptEnd> {
      return new Promise((resolve, reject) => {
        const onAbort = () => settle(() => reject(aborted.reason));
        const onError = (error: unknown) => lost(messageOf(error));
        const onExit = () => lost('the thread of the script ended');
        const onMessage = (response: ScriptResponse) => {
          if (response.kind === 'call') running.add(response);
          else settle(() => resolve(response));
        };
        const lost = (message: string) =>
          settle(() => resolve({ kind: 'stopped', reason: 'engine', message, printed: '', droppedChars: 0 }));
        const settle = (finish: () => void) => {
          aborted.removeEventListener('abort', onAbort);
          thread.off('message', onMessage).off('error', onError).off('exit', onExit);
          finish();
        };
        aborted.addEventListener('abort', onAbort, { once: true });
        thread.on('message', onMessage).on('error', onError).on('exit', onExit);
        if (aborted.aborted) return onAbort();
        thread.postMessage({ kind: 'run', source } satisfies ScriptRequest);
      });
    }
  }

  #start(): Worker {
    const worker = new Worker(workerUrl, { workerData: this.#limits });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    worker.on('error', (error) => log('tools').warn(`the thread of scripts failed: ${messageOf(error)}`));
    this.#worker = worker;
    return worker;
  }
}

type CallRequest = Extract<ScriptResponse, { kind: 'call' }>;

/** The calls of one script: some run, the others wait for their turn. */
class RunningCalls {
  readonly #worker: Worker;
  readonly #host: ScriptHost;
  readonly #waiting: CallRequest[] = [];
  #running = 0;

  constructor(worker: Worker, host: ScriptHost) {
    this.#worker = worker;
    this.#host = host;
  }

  add(request: CallRequest): void {
    this.#waiting.push(request);
    this.#next();
  }

  #next(): void {
    if (this.#running >= maxRunningCalls || this.#host.signal.aborted) return;
    const request = this.#waiting.shift();
    if (request === undefined) return;
    this.#running++;
    void this.#answer(request).finally(() => {
      this.#running--;
      this.#next();
    });
  }

  async #answer({ id, name, json }: CallRequest): Promise<void> {
    const answer = await this.#call(name, json);
    // The script that asked may have ended, and another one may run.
    if (!this.#host.signal.aborted) this.#worker.postMessage({ kind: 'answer', id, ...answer } satisfies ScriptRequest);
  }

  async #call(name: string, json: string): Promise<{ isOk: boolean; json: string }> {
    try {
      const value = await this.#host.call(name, JSON.parse(json), this.#host.signal);
      return { isOk: true, json: JSON.stringify(value) ?? 'null' };
    } catch (error) {
      if (!isExpected(error)) log('tools').error(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
      return { isOk: false, json: JSON.stringify(failureOf(error)) };
    }
  }
}

/** Returns the code and the message of an error for a script. The details of an internal error stay in the log. */
function failureOf(error: unknown): { code: string; message: string } {
  if (!isExpected(error)) return { code: 'internal', message: 'internal error (please report)' };
  const hints = error.hints.map((hint) => `\nhint: ${hint}`).join('');
  return { code: error.code, message: error.message + hints };
}
