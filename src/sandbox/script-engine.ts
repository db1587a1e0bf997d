import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { messageOf } from '../base/errors.ts';
import type { Printed, ScriptEnd, ScriptLimits, ScriptResponse } from './script-protocol.ts';

const pageBytes = 65_536;
/** The module does not start with less. */
const initialBytes = 16 * 1024 * 1024;
/** A quarter of the stack of the WebAssembly module: beyond it, QuickJS throws instead of overflowing. */
const stackBytes = 256 * 1024;

/** The parts of the package; its own list of them has other types than values under `nodenext`. */
const variant: QuickJSSyncVariant = {
  type: 'sync',
  importFFI: async () => (await import('@jitl/quickjs-ng-wasmfile-release-sync/ffi')).QuickJSFFI,
  importModuleLoader: async () => {
    const { default: loader } = await import('@jitl/quickjs-ng-wasmfile-release-sync/emscripten-module');
    return 'default' in loader ? loader.default : loader;
  },
};

/** QuickJS in WebAssembly, with the variables of a session's scripts. Runs one script at a time. */
export class ScriptEngine {
  readonly #limits: ScriptLimits;
  readonly #send: (response: ScriptResponse) => void;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  /** What the prelude returned. */
  readonly #script: QuickJSHandle;
  /** The calls without an answer, with the length of their arguments. */
  readonly #pending = new Map<number, number>();
  #leftMs = 0;
  #stopsAt = 0;
  #isOver = true;
  #isTimedOut = false;
  #printed: string[] = [];
  #printedChars = 0;
  #droppedChars = 0;

  private constructor(context: QuickJSContext, limits: ScriptLimits, send: (response: ScriptResponse) => void) {
    this.#limits = limits;
    this.#send = send;
    this.#context = context;
    this.#runtime = context.runtime;
    this.#runtime.setMaxStackSize(stackBytes);
    this.#runtime.setInterruptHandler(() => {
      this.#isTimedOut ||= performance.now() > this.#stopsAt;
      return this.#isTimedOut;
    });
    this.#stopsAt = Number.POSITIVE_INFINITY;
    this.#script = this.#start();
  }

  /** Starts an engine whose memory cannot exceed that of `limits`. */
  static async create(limits: ScriptLimits, send: (response: ScriptResponse) => void): Promise<ScriptEngine> {
    const wasmMemory = new WebAssembly.Memory({
      initial: initialBytes / pageBytes,
      maximum: Math.max(initialBytes, limits.memoryBytes) / pageBytes,
    });
    // Standard output belongs to the protocol.
    const silent = { print: () => undefined, printErr: () => undefined, locateFile: (name: string) => name };
    const options = { wasmBinary: await engineBytes(), wasmMemory, emscriptenModule: silent };
    const module = await newQuickJSWASMModuleFromVariant(newVariant(variant, options));
    return new ScriptEngine(module.newContext(), limits, send);
  }

  /** Starts a script, the body of an async function; its end is sent. */
  run(source: string): void {
    this.#leftMs = this.#limits.runMs;
    this.#isOver = false;
    this.#printed = [];
    this.#printedChars = 0;
    this.#droppedChars = 0;
    this.#enter('execute', [this.#context.newString(source)]);
  }

  /** Answers a call of the running script; answers of calls from earlier scripts are ignored. */
  answer(id: number, isOk: boolean, json: string): void {
    if (!this.#pending.delete(id)) return;
    const context = this.#context;
    this.#enter('settle', [context.newNumber(id), isOk ? context.true : context.false, context.newString(json)]);
  }

  #start(): QuickJSHandle {
    const context = this.#context;
    const send = context.newFunction('send', (id, name, json) => {
      // A promise that an ended script left behind must not act in the next one.
      if (this.#isOver) return;
      const [number, text, input] = [context.getNumber(id), context.getString(name), context.getString(json)];
      if (this.#pending.size >= this.#limits.maxPendingCalls)
        throw new Error(`more than ${this.#limits.maxPendingCalls} calls at a time: await some of them first`);
      const pendingChars = [...this.#pending.values()].reduce((sum, chars) => sum + chars, input.length);
      if (text.length + pendingChars > this.#limits.maxJsonChars)
        throw new Error('the arguments of the calls at one time are too long');
      this.#pending.set(number, input.length);
      this.#send({ kind: 'call', id: number, name: text, json: input });
    });
    const print = context.newFunction('print', (text) => this.#print(context.getString(text)));
    const finish = context.newFunction('finish', (isOk, text) => {
      this.#finish(context.dump(isOk) === true, context.getString(text));
    });
    const factory = context.unwrapResult(context.evalCode(prelude, 'prelude.js'));
    const script = context.unwrapResult(context.callFunction(factory, context.undefined, send, print, finish));
    for (const handle of [send, print, finish, factory]) handle.dispose();
    return script;
  }

  /** Calls a function of the prelude, then runs what became ready by it. */
  #enter(name: 'execute' | 'settle', args: readonly QuickJSHandle[]): void {
    const startedAt = performance.now();
    this.#stopsAt = startedAt + this.#leftMs;
    try {
      const method = this.#context.getProp(this.#script, name);
      this.#context.callFunction(method, this.#script, ...args).dispose();
      for (const handle of [method, ...args]) handle.dispose();
      while (!this.#isTimedOut && this.#runtime.hasPendingJob()) this.#runtime.executePendingJobs(1).dispose();
    } catch (error) {
      // The module aborted, or its host ran out of stack: its state is unknown.
      this.#end({ kind: 'stopped', reason: 'engine', message: messageOf(error) });
      return;
    }
    this.#leftMs -= performance.now() - startedAt;
    if (this.#isTimedOut) this.#end({ kind: 'stopped', reason: 'time', message: '' });
    // Nothing is left that could settle it: a script has no timers.
    else if (this.#pending.size === 0) this.#finish(false, 'it waits for a promise that never settles');
  }

  #print(text: string): void {
    const room = Math.max(0, this.#limits.maxPrintedChars - this.#printedChars);
    this.#droppedChars += Math.max(0, text.length - room);
    if (room === 0) return;
    const shown = text.slice(0, room);
    // The line break counts, so that empty lines end too.
    this.#printedChars += shown.length + 1;
    this.#printed.push(shown);
  }

  #finish(isOk: boolean, text: string): void {
    const { maxJsonChars } = this.#limits;
    const excess = `its result has ${text.length} characters as JSON, more than ${maxJsonChars}`;
    if (!isOk) this.#end({ kind: 'threw', message: text });
    else if (text.length > maxJsonChars) this.#end({ kind: 'threw', message: excess });
    else this.#end({ kind: 'returned', json: text, unawaitedCalls: this.#pending.size });
  }

  /** Sends the end, unless the script has ended already. */
  #end(end: EndOf<'returned'> | EndOf<'threw'> | EndOf<'stopped'>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pending.clear();
    this.#send({ ...end, printed: this.#printed.join('\n'), droppedChars: this.#droppedChars });
  }
}

type EndOf<K extends ScriptEnd['kind']> = Omit<Extract<ScriptEnd, { kind: K }>, keyof Printed>;

/**
 * JavaScript that the engine evaluates before the first script. Its value is a function of three functions of this
 * program, which take and return nothing but strings, numbers and booleans; it returns those that this program calls.
 * It is no boundary: a script may change every object that it uses, and then only breaks itself.
 */
const prelude = `(function (send, print, finish) {
  // Later scripts still work if one replaces these.
  const { parse, stringify } = JSON;
  const waiting = new Map();
  let lastId = 0;

  const request = (name, input) =>
    new Promise((resolve, reject) => {
      const json = stringify(input === undefined ? {} : input);
      const id = ++lastId;
      send(id, name, json);
      waiting.set(id, { resolve, reject });
    });
  const isMethod = (name) => typeof name === 'string' && name !== 'then' && name !== 'toJSON';
  const serena = new Proxy({}, {
    get: (_, name) => (isMethod(name) ? (input) => request(name, input) : undefined),
    set: () => false,
  });
  Object.defineProperty(globalThis, 'serena', { value: serena });

  const plain = (_, value) => {
    if (value instanceof Promise) throw new TypeError('the result contains a promise: await it first');
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Set) return [...value];
    return value;
  };
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value);
    try {
      return stringify(value, plain) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const log = (...values) => print(values.map(show).join(' '));
  globalThis.console = { log, info: log, debug: log, warn: log, error: log };

  const describe = (error) => {
    if (!(error instanceof Error)) return 'it threw ' + show(error);
    const line = /<input>:(\\d+)/.exec(error.stack)?.[1];
    return String(error) + (line === undefined ? '' : ' (line ' + line + ')');
  };
  const execute = async (source) => {
    waiting.clear();
    try {
      const value = await (0, eval)('(async () => {' + source + '\\n})()');
      finish(true, value === undefined ? '' : (stringify(value, plain) ?? ''));
    } catch (error) {
      finish(false, describe(error));
    }
  };
  const settle = (id, isOk, json) => {
    const call = waiting.get(id);
    waiting.delete(id);
    const value = parse(json);
    if (isOk) return call?.resolve(value);
    const error = new Error(value.message);
    error.name = 'ToolError';
    error.code = value.code;
    call?.reject(error);
  };
  return { execute, settle };
})`;

/** Path of QuickJS in `node_modules`. */
export const enginePackagePath = '@jitl/quickjs-ng-wasmfile-release-sync/dist/emscripten-module.wasm';

/** Returns the WebAssembly module of QuickJS: the embedded one, or the package's if the sources run without a build. */
async function engineBytes(): Promise<ArrayBuffer> {
  if (process.env.SERENA_BUILD_VERSION === undefined) {
    const url = new URL(`../../node_modules/${enginePackagePath}`, import.meta.url);
    return new Uint8Array(readFileSync(fileURLToPath(url))).buffer;
  }
  const { default: path } = await import('../generated/grammars/quickjs.wasm.zst', { with: { type: 'file' } });
  return new Uint8Array(zstdDecompressSync(readFileSync(path))).buffer;
}
