import { ExpectedError, isExpected } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { Mutex } from '../base/mutex.ts';
import { ScriptProcess } from './script-process.ts';
import type { ScriptEnd, ScriptLimits, ScriptResponse } from './script-protocol.ts';

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
 * Runs the scripts of one session, one at a time, in a process that starts with the first one. What scripts assign to
 * `globalThis` remains until the session ends or a script has to be stopped.
 */
export class ScriptSandbox {
  readonly #limits: ScriptLimits;
  readonly #mutex = new Mutex();
  #process: ScriptProcess | undefined;

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

  /** Ends the process. A running script counts as stopped. */
  async close(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    await running?.end();
  }

  async #run(source: string, host: ScriptHost): Promise<ScriptEnd> {
    if (this.#process?.isAlive !== true) this.#process = new ScriptProcess(this.#limits);
    const running = this.#process;
    const ending = new AbortController();
    const signal = AbortSignal.any([host.signal, ending.signal]);
    try {
      await running.registered;
      const end = await ended(running, { source, host: { ...host, signal } }, host.signal);
      if (end.kind === 'stopped') await this.close();
      return end;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      ending.abort(new ExpectedError('tool.cancelled', 'the script has ended'));
      running.listen(undefined);
    }
  }
}

/** Returns how a script ended. @throws the reason of `aborted`. */
function ended(
  running: ScriptProcess,
  { source, host }: { readonly source: string; readonly host: ScriptHost },
  aborted: AbortSignal,
): Promise<ScriptEnd> {
  const calls = new RunningCalls(running, host);
  const { promise, resolve, reject } = Promise.withResolvers<ScriptEnd>();
  const onAbort = () => reject(aborted.reason);
  aborted.addEventListener('abort', onAbort, { once: true });
  running.listen((response) => {
    if (response.kind === 'call') calls.add(response);
    else resolve(response);
  });
  if (aborted.aborted) onAbort();
  else running.send({ kind: 'run', source });
  return promise.finally(() => aborted.removeEventListener('abort', onAbort));
}

type CallRequest = Extract<ScriptResponse, { kind: 'call' }>;

/** The calls of one script: some run, the others wait for their turn. */
class RunningCalls {
  readonly #process: ScriptProcess;
  readonly #host: ScriptHost;
  readonly #waiting: CallRequest[] = [];
  #running = 0;

  constructor(running: ScriptProcess, host: ScriptHost) {
    this.#process = running;
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
    if (!this.#host.signal.aborted) this.#process.send({ kind: 'answer', id, ...answer });
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
