import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { attempt } from '../base/attempt.ts';
import { ExpectedError, isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { endsWithin, inOwnGroup, signalGroup } from '../base/process/group.ts';
import { type OwnCommand, ownCommand, scriptCommand } from '../base/process/own-command.ts';
import { type Reaper, reapGroup } from '../base/process/reaper.ts';
import { ReadWriteLock } from '../base/read-write-lock.ts';
import {
  readMessages,
  type ScriptEnd,
  type ScriptLimits,
  type ScriptRequest,
  type ScriptResponse,
  writeMessage,
} from './script-protocol.ts';

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
  readonly #lock = new ReadWriteLock();
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
    return await this.#lock.exclusive(host.signal, () => this.#run(source, host));
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

/** Longer than a start takes on a busy machine. */
const startMs = 30_000;
/** Time for the engine to stop a script by itself, which it does unless a function of the engine itself is running. */
const graceMs = 1_000;
/** A process that got SIGKILL ends at once, unless the system is busy with it. */
const endMs = 1_000;

/** What a runtime needs of the environment; the process is not to know the rest. */
const passedVariables = ['HOME', 'DENO_DIR', 'TMPDIR', 'TEMP', 'SystemRoot'];

const nothingPrinted = { printed: '', droppedChars: 0 };
const printed = { printed: z.string(), droppedChars: z.number() };
const response = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('handled') }),
  z.object({ kind: z.literal('call'), id: z.number(), name: z.string(), json: z.string() }),
  z.object({ kind: z.literal('returned'), json: z.string(), unawaitedCalls: z.number(), ...printed }),
  z.object({ kind: z.literal('threw'), message: z.string(), ...printed }),
  z.object({ kind: z.literal('stopped'), reason: z.enum(['time', 'engine']), message: z.string(), ...printed }),
]);

/** Receives what a process sends, except `handled`; a process that ends or has to be ended sends a last `stopped`. */
type ScriptListener = (response: Exclude<ScriptResponse, { kind: 'handled' }>) => void;

/**
 * A process of this program that runs scripts. It is ended from outside if it does not handle a message in time: functions
 * of the engine that loop in native code, such as `indexOf` of a sparse array, cannot be interrupted from inside, and
 * neither can a thread that runs WebAssembly.
 */
class ScriptProcess {
  readonly #child: ChildProcess;
  readonly #reaper: Reaper | undefined;
  readonly #limits: ScriptLimits;
  #listener: ScriptListener | undefined;
  /** Messages that the process has not handled yet; its start counts as one. */
  #unhandled = 1;
  #timer: NodeJS.Timeout | undefined;
  #hasStarted = false;
  #isOver = false;

  constructor(limits: ScriptLimits) {
    this.#limits = limits;
    const [program, ...args] = commandOfScripts();
    this.#child = spawn(program, [...args, scriptCommand, JSON.stringify(limits)], {
      ...inOwnGroup,
      cwd: dirname(process.execPath),
      env: Object.fromEntries(passedVariables.flatMap((name) => entryOf(name))),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child.on('error', (error) => this.#lose(`its process does not start: ${messageOf(error)}`));
    this.#child.on('exit', () => {
      this.#reaper?.lift();
      this.#lose('its process ended');
    });
    // A process that has ended reads nothing; its exit is reported.
    this.#child.stdin?.on('error', () => undefined);
    if (this.#child.stdout) readMessages(this.#child.stdout, (line) => this.#receive(line));
    this.#reaper = this.#child.pid === undefined ? undefined : reapGroup(this.#child.pid);
    this.#watch(startMs);
  }

  /** True until the process has ended or is being ended. */
  get isAlive(): boolean {
    return !this.#isOver;
  }

  /** Resolves once the process ends with this one, however this one ends. */
  get registered(): Promise<void> {
    return this.#reaper?.registered ?? Promise.resolve();
  }

  /** Sets who receives what the process sends. Without a listener the process does not keep this one running. */
  listen(listener: ScriptListener | undefined): void {
    this.#listener = listener;
    const { stdin, stdout } = this.#child;
    for (const handle of [this.#child, stdin, stdout]) {
      if (listener === undefined) unref(handle);
      else ref(handle);
    }
    if (this.#isOver)
      listener?.({ ...nothingPrinted, kind: 'stopped', reason: 'engine', message: 'its process ended' });
  }

  send(request: ScriptRequest): void {
    if (this.#isOver || this.#child.stdin === null) return;
    this.#unhandled++;
    if (this.#unhandled === 1) this.#watch(this.#limits.runMs + graceMs);
    writeMessage(this.#child.stdin, request);
  }

  /** Ends the process at once, whatever it does. Resolves when it has ended. Never rejects. */
  async end(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    signalGroup(this.#child, 'SIGKILL');
    if (!(await endsWithin(pid, endMs))) log('tools').warn(`the process of scripts (${pid}) does not end`);
  }

  #receive(line: string): void {
    if (this.#isOver) return;
    const read = response.safeParse(parsed(line));
    if (!read.success) this.#lose('its process sent something that is not a message');
    else if (read.data.kind === 'handled') this.#onHandled();
    else this.#listener?.(read.data);
  }

  #onHandled(): void {
    this.#hasStarted = true;
    this.#unhandled--;
    if (this.#unhandled === 0) clearTimeout(this.#timer);
    else this.#watch(this.#limits.runMs + graceMs);
  }

  /** Ends the process unless it handles a message in time. */
  #watch(ms: number): void {
    clearTimeout(this.#timer);
    const timer = setTimeout(() => {
      // This thread may have been busy: what has arrived in the meantime is read first.
      setImmediate(() => setImmediate(() => this.#timer === timer && this.#unhandled > 0 && this.#overrun()));
    }, ms);
    this.#timer = timer.unref();
  }

  #overrun(): void {
    if (this.#hasStarted) this.#lose('', 'time');
    else this.#lose(`its process did not start within ${startMs / 1000} s`);
  }

  #lose(message: string, reason: 'time' | 'engine' = 'engine'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener?.({ ...nothingPrinted, kind: 'stopped', reason, message });
    void this.end();
  }
}

/** Returns the command of this program, which may have been replaced by another version since it started. */
function commandOfScripts(): OwnCommand {
  const isCompiled = process.env.SERENA_BUILD_VERSION !== undefined;
  const running = '/proc/self/exe';
  // Linux only.
  if (isCompiled && existsSync(running)) return [running];
  return ownCommand(isCompiled, new URL('../main.ts', import.meta.url).href);
}

function entryOf(name: string): [string, string][] {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
}

function parsed(line: string): unknown {
  return attempt(() => JSON.parse(line), undefined);
}

function ref(handle: unknown): void {
  if (hasMethod(handle, 'ref')) handle.ref();
}

function unref(handle: unknown): void {
  if (hasMethod(handle, 'unref')) handle.unref();
}

function hasMethod<K extends string>(value: unknown, name: K): value is Record<K, () => void> {
  return typeof value === 'object' && value !== null && name in value && typeof Reflect.get(value, name) === 'function';
}
