import { Transform, type TransformCallback } from 'node:stream';
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  Trace,
  TraceFormat,
} from 'vscode-jsonrpc/node';
import { pause } from '../../base/deadline.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { groupUsage } from '../../base/process/group-usage.ts';
import { HangWatch } from './hang-watch.ts';
import type { ServerLink } from './link.ts';

export interface RequestLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

type Params = object | undefined;
type Pipes = Pick<ServerLink, 'input' | 'output' | 'exited' | 'stderrTail' | 'kill'>;
type OwnProcess = Pick<ServerLink, 'pid' | 'kill'>;

/** LSP's `ContentModified` and `ServerCancelled`: the same request may succeed a little later. */
const transientCodes: readonly number[] = [-32801, -32802];
const maxAttempts = 3;
const retryMs = 200;
const exitFollowsMs = 300;
/**
 * A method that no server implements; LSP requires an answer to unknown requests with this prefix, if only an error.
 */
const probeMethod = '$/serena/probe';

/**
 * The JSON-RPC connection to one server process.
 *
 * The library never settles a request that is pending when the process dies. The connection therefore disposes itself
 * on exit, and every pending request rejects with `server.terminated`.
 */
export class Connection {
  readonly #name: string;
  readonly #process: Pipes;
  readonly #rpc: MessageConnection;
  readonly #onLost: (error: ExpectedError) => void;
  readonly #ended = Promise.withResolvers<void>();
  #lost: ExpectedError | undefined;
  #notificationCount = 0;
  #hangWatch: HangWatch | undefined;
  /** Why the server is considered hung; set before it is killed for that. */
  #hung: string | undefined;

  /** `onLost` is called once, with the error that every request then rejects with. */
  constructor(name: string, process: Pipes, onLost: (error: ExpectedError) => void) {
    this.#onLost = onLost;
    this.#name = name;
    this.#process = process;
    const frames = process.output.pipe(
      new FrameFilter(
        (line) => log('lsp').warn(`${name} printed a line that is not an LSP message: ${line.slice(0, 500)}`),
        (what) => {
          log('lsp').warn(`${name} sent ${what}`);
          this.#lose(`it was stopped: it sent ${what}`);
          void process.kill();
        },
      ),
    );
    this.#rpc = createMessageConnection(new StreamMessageReader(frames), new StreamMessageWriter(process.input), {
      error: (message) => log('lsp').warn(`${name}: ${message}`),
      warn: (message) => log('lsp').debug(`${name}: ${message}`),
      info: (message) => log('lsp').debug(`${name}: ${message}`),
      log: (message) => log('lsp').debug(`${name}: ${message}`),
    });
    this.#rpc.onError(([error]) => log('lsp').warn(`${name}: ${messageOf(error)}`));
    void process.exited.then((how) => this.#lose(this.#hung ?? how));
    // The exit, which has more detail, usually follows a closed output at once.
    this.#rpc.onClose(() => void this.#endOf());
  }

  listen(): void {
    this.#rpc.listen();
  }

  /** Starts logging every message, at level debug. */
  traceMessages(): void {
    const tracer = { log: (message: unknown) => log('lsp').debug(`${this.#name} ${traceLine(message)}`) };
    void this.#rpc.trace(Trace.Verbose, tracer, { sendNotification: false, traceFormat: TraceFormat.JSON });
  }

  /** Starts watching for hangs: `process` is killed, and every request rejects, once it hangs during a request. */
  endIfHung(process: OwnProcess): void {
    const { pid } = process;
    if (pid === undefined) return;
    const watch = new HangWatch({
      usage: () => groupUsage(pid),
      probe: () => this.#requestOnce(probeMethod, {}, {}),
      onHung: (how) => {
        this.#hung = `it was stopped: ${how}`;
        log('lsp').warn(`${this.#name} hangs: ${how}`);
        // Its locks and ports must be free before the server is started again.
        void process.kill().finally(() => this.#lose(this.#hung ?? ''));
      },
    });
    this.#process.output.on('data', () => watch.noticeBytes());
    this.#hangWatch = watch;
  }

  /** Watches for a hang during a wait for something other than the answer to a request; see {@link endIfHung}. */
  async watchOver<T>(waiting: Promise<T>, timeoutMs: number | undefined): Promise<T> {
    const end = this.#hangWatch?.begin(timeoutMs);
    try {
      return await waiting;
    } finally {
      end?.('answered');
    }
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  onRequest(answer: (method: string, params: unknown) => unknown): void {
    this.#rpc.onRequest((method, params) => {
      this.#hangWatch?.noticeMessage();
      return answer(method, params);
    });
  }

  onNotification(receive: (method: string, params: unknown) => void): void {
    const notice = (method: string, params: unknown) => {
      this.#hangWatch?.noticeMessage();
      receive(method, params);
    };
    this.#rpc.onNotification(notice);
    // The library does not pass these to the handler of all notifications.
    this.#rpc.onUnhandledProgress((params) => notice('$/progress', params));
  }

  /** Number of notifications sent so far. */
  get notificationCount(): number {
    return this.#notificationCount;
  }

  /** Sends a notification. Does nothing if the server has ended: the next request reports that. */
  notify(method: string, params: Params): void {
    if (this.#lost) return;
    this.#notificationCount += 1;
    // `async`, because the library throws instead of rejecting once the server's output has ended.
    const send = async () =>
      await (params === undefined ? this.#rpc.sendNotification(method) : this.#rpc.sendNotification(method, params));
    send().catch((error: unknown) => log('lsp').debug(`cannot send ${method} to ${this.#name}: ${messageOf(error)}`));
  }

  /**
   * Sends a request and returns its result, unchecked. When `signal` aborts or the timeout expires, the server gets
   * `$/cancelRequest` and the call rejects at once.
   *
   * @throws {ExpectedError} `server.terminated`, `server.timed-out`, `server.refused` (an error answer), or the
   *   signal's own reason.
   */
  async request(method: string, params: Params, limits: RequestLimits = {}): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#requestWatched(method, params, limits);
      } catch (error) {
        if (error instanceof NotSent) throw await this.#endOf();
        const isTransient = error instanceof ResponseError && transientCodes.includes(error.code);
        if (!isTransient || attempt === maxAttempts) throw this.#explain(method, error);
        await pause(retryMs, limits.signal);
      }
    }
  }

  async #requestWatched(method: string, params: Params, limits: RequestLimits): Promise<unknown> {
    const end = this.#hangWatch?.begin(limits.timeoutMs);
    try {
      const answer = await this.#requestOnce(method, params, limits);
      this.#hangWatch?.noticeMessage();
      end?.('answered');
      return answer;
    } catch (error) {
      if (error instanceof ResponseError) this.#hangWatch?.noticeMessage();
      const isAnswered = error instanceof ResponseError || this.#lost !== undefined;
      end?.(isAnswered ? 'answered' : isExpected(error, 'server.timed-out') ? 'timed out' : 'given up');
      throw error;
    }
  }

  #requestOnce(method: string, params: Params, limits: RequestLimits): Promise<unknown> {
    const { signal, timeoutMs } = limits;
    if (this.#lost) return Promise.reject(this.#lost);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const cancellation = new CancellationTokenSource();
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown) => {
        cancellation.cancel();
        finish(() => reject(reason));
      };
      const onAbort = () => giveUp(signal?.reason);
      const timer =
        timeoutMs === undefined ? undefined : setTimeout(() => giveUp(this.#timedOut(method, timeoutMs)), timeoutMs);
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const send = async () =>
        await (params === undefined
          ? this.#rpc.sendRequest<unknown>(method, cancellation.token)
          : this.#rpc.sendRequest<unknown>(method, params, cancellation.token));
      send().then(
        (result) => finish(() => resolve(result)),
        (error: unknown) =>
          finish(() => reject(error instanceof ResponseError ? error : new NotSent('', { cause: error }))),
      );
    });
  }

  /** Rejects everything pending and stops reading. */
  dispose(): void {
    this.#lose('it was stopped');
  }

  /** Returns the error of a server whose pipe is broken. Waits briefly for its exit, which has more detail. */
  async #endOf(): Promise<unknown> {
    await Promise.race([this.#ended.promise, pause(exitFollowsMs)]);
    this.#lose('it closed its output');
    return this.#lost;
  }

  #lose(how: string): void {
    if (this.#lost) return;
    const tail = withoutBacktrace(this.#process.stderrTail);
    const output = tail === '' ? '' : `; last stderr output: ${tail.slice(-500)}`;
    this.#lost = new ExpectedError('server.terminated', `the language server ${this.#name} ended (${how})${output}`, {
      hints: ['the next call starts it again; see the log for its messages'],
    });
    this.#ended.resolve();
    this.#hangWatch?.stop();
    this.#rpc.dispose();
    this.#onLost(this.#lost);
  }

  #timedOut(method: string, timeoutMs: number): ExpectedError {
    const seconds = Math.round(timeoutMs / 100) / 10;
    return new ExpectedError('server.timed-out', `${this.#name} did not answer \`${method}\` within ${seconds} s`, {
      hints: ['narrow the query with `relative_path`, or raise `tool_timeout`'],
    });
  }

  #explain(method: string, error: unknown): unknown {
    if (this.#lost) return this.#lost;
    if (!(error instanceof ResponseError)) return error;
    return new ExpectedError('server.refused', `${this.#name} refused \`${method}\`: ${error.message}`, {
      cause: error,
    });
  }
}

/** A request that the library could not send; its cause is the library's error. */
class NotSent extends Error {}

/** Limits the log: messages may contain whole documents. */
const maxTraceChars = 10_000;

function traceLine(message: unknown): string {
  const line = typeof message === 'string' ? message : (JSON.stringify(message) ?? '');
  return line.length > maxTraceChars ? `${line.slice(0, maxTraceChars)}… (${line.length} characters)` : line;
}

/** Returns a server's output up to its backtrace, which does not help the user. */
export function withoutBacktrace(output: string): string {
  return output.replace(/\s*\n(?:Stack backtrace|stack backtrace):\n[\s\S]*$/, '').trim();
}

const headerEnd = Buffer.from('\r\n\r\n');
const lineEnd = 0x0a;
const headerStart = /^content-(length|type):/i;
/** A header after output without a line end, such as `write('Loading… ')`. */
const headerAfterWords = /content-length: *\d+\r$/i;

/** Answers about very large projects have some megabytes; a longer one would fill the memory while it is read. */
const maxBodyBytes = 64 * 1024 * 1024;
const maxHeaderBytes = 64 * 1024;
/** Longer than what servers print besides messages. */
const maxLineBytes = 4 * 1024 * 1024;

/**
 * Passes LSP frames through unchanged and drops the lines between them. Some servers print such lines before their
 * first header, and the protocol library would parse them as a broken header. `onJunk` receives each dropped line.
 * `onBroken` is called once, with what the server sent, if that cannot be read within limits; nothing is passed after it.
 */
export class FrameFilter extends Transform {
  readonly #onJunk: (line: string) => void;
  readonly #onBroken: (what: string) => void;
  #isBroken = false;
  #pending: Buffer = Buffer.alloc(0);
  #bodyLeft = 0;

  constructor(onJunk: (line: string) => void, onBroken: (what: string) => void) {
    super();
    this.#onJunk = onJunk;
    this.#onBroken = onBroken;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (!this.#isBroken) {
      this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      while (this.#pending.length > 0 && this.#step());
    }
    done();
  }

  /** Handles the start of the pending bytes; false if more bytes are needed first. */
  #step(): boolean {
    if (this.#bodyLeft > 0) {
      const taken = Math.min(this.#bodyLeft, this.#pending.length);
      this.#bodyLeft -= taken;
      return this.#pass(taken);
    }
    const firstLineEnd = this.#pending.indexOf(lineEnd);
    if (firstLineEnd < 0) return this.#isWithin(maxLineBytes, 'a line');
    // Latin-1 has one character per byte, so indexes into the string are indexes into the bytes.
    const firstLine = this.#pending.toString('latin1', 0, firstLineEnd);
    if (!headerStart.test(firstLine)) {
      const headerAt = firstLine.search(headerAfterWords);
      this.#drop(headerAt < 0 ? firstLineEnd + 1 : headerAt);
      return true;
    }
    const end = this.#pending.indexOf(headerEnd);
    if (end < 0) return this.#isWithin(maxHeaderBytes, 'a header');
    const header = this.#pending.toString('latin1', 0, end);
    const [length = 0, ...others] = [...header.matchAll(/content-length:([^\r\n]*)/gi)].map(([, text]) =>
      lengthOf(text),
    );
    // The protocol library would read another one of two lengths.
    if (Number.isNaN(length) || others.length > 0) return this.#break('a header without a valid length');
    if (length > maxBodyBytes) return this.#break(`a message of ${length} bytes, more than ${maxBodyBytes}`);
    this.#bodyLeft = length;
    return this.#pass(end + headerEnd.length);
  }

  /** Returns false, because more bytes are needed. */
  #isWithin(limit: number, what: string): false {
    return this.#pending.length <= limit ? false : this.#break(`${what} of more than ${limit} bytes`);
  }

  #break(what: string): false {
    this.#isBroken = true;
    this.#pending = Buffer.alloc(0);
    this.#onBroken(what);
    return false;
  }

  #drop(size: number): void {
    const line = this.#pending.toString('utf8', 0, size).trim();
    if (line !== '') this.#onJunk(line);
    this.#pending = this.#pending.subarray(size);
  }

  #pass(size: number): boolean {
    this.push(this.#pending.subarray(0, size));
    this.#pending = this.#pending.subarray(size);
    return true;
  }
}

function lengthOf(text = ''): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}
