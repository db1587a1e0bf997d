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
import { FrameFilter } from './frames.ts';
import { HangWatch } from './hang-watch.ts';
import type { ServerLink } from './link.ts';

export interface RequestLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

type Params = object | undefined;
type Pipes = Pick<ServerLink, 'input' | 'output' | 'exited' | 'stderrTail'>;
type OwnProcess = Pick<ServerLink, 'pid' | 'kill'>;

/** LSP's codes for `ContentModified` and `ServerCancelled`: the same request may be answered a little later. */
const passingCodes: readonly number[] = [-32801, -32802];
const maxAttempts = 3;
const retryMs = 200;
const exitFollowsMs = 300;
/**
 * No server knows this method; by LSP each answers a request whose name begins so, if only that it does not know it.
 */
const probeMethod = '$/serena/probe';

/**
 * The JSON-RPC connection to one server process.
 *
 * A request that is pending when the process dies would never settle in the library (`spec/codebase.md` §7), so the
 * connection disposes itself on exit and every pending request then rejects with `server.terminated`.
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
  /** How the server was found to hang, before it is ended for that. */
  #hung: string | undefined;

  /** `onLost` is called once, with what every request then rejects with. */
  constructor(name: string, process: Pipes, onLost: (error: ExpectedError) => void) {
    this.#onLost = onLost;
    this.#name = name;
    this.#process = process;
    const frames = process.output.pipe(
      new FrameFilter((line) => log('lsp').warn(`${name} printed a line that is no message: ${line.slice(0, 500)}`)),
    );
    this.#rpc = createMessageConnection(new StreamMessageReader(frames), new StreamMessageWriter(process.input), {
      error: (message) => log('lsp').warn(`${name}: ${message}`),
      warn: (message) => log('lsp').debug(`${name}: ${message}`),
      info: (message) => log('lsp').debug(`${name}: ${message}`),
      log: (message) => log('lsp').debug(`${name}: ${message}`),
    });
    this.#rpc.onError(([error]) => log('lsp').warn(`${name}: ${messageOf(error)}`));
    void process.exited.then((how) => this.#lose(this.#hung ?? how));
    // The exit, which says more, follows a closed output at once, unless the server goes on without one.
    this.#rpc.onClose(() => void this.#endOf());
  }

  listen(): void {
    this.#rpc.listen();
  }

  /** From now on each message goes to the log, at the level for debugging. */
  traceMessages(): void {
    const tracer = { log: (message: unknown) => log('lsp').debug(`${this.#name} ${traceLine(message)}`) };
    void this.#rpc.trace(Trace.Verbose, tracer, { sendNotification: false, traceFormat: TraceFormat.JSON });
  }

  /** From now on `process` is ended, and every request rejects, once it hangs over a request. */
  endIfHung(process: OwnProcess): void {
    const { pid } = process;
    if (pid === undefined) return;
    const watch = new HangWatch({
      usage: () => groupUsage(pid),
      probe: () => this.#requestOnce(probeMethod, {}, {}),
      onHung: (how) => {
        this.#hung = `it was stopped: ${how}`;
        log('lsp').warn(`${this.#name} hangs: ${how}`);
        // What it holds must be free before it is started again.
        void process.kill().finally(() => this.#lose(this.#hung ?? ''));
      },
    });
    this.#process.output.on('data', () => watch.noticeBytes());
    this.#hangWatch = watch;
  }

  /** Watches over a wait for something other than the answer to a request; the result of {@link endIfHung}. */
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
    // The library keeps these from the receiver of all notifications.
    this.#rpc.onUnhandledProgress((params) => notice('$/progress', params));
  }

  /** Number of notifications sent so far. */
  get notificationCount(): number {
    return this.#notificationCount;
  }

  /** Sends a notification. Nothing happens when the server is gone: the next request tells. */
  notify(method: string, params: Params): void {
    if (this.#lost) return;
    this.#notificationCount += 1;
    // The library throws, instead of rejecting, once the server's output has ended.
    const send = async () =>
      await (params === undefined ? this.#rpc.sendNotification(method) : this.#rpc.sendNotification(method, params));
    send().catch((error: unknown) => log('lsp').debug(`Cannot notify ${this.#name} of ${method}: ${messageOf(error)}`));
  }

  /**
   * Sends a request and returns its result, unchecked. When `signal` aborts or the time is over, the server gets
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
        const isPassing = error instanceof ResponseError && passingCodes.includes(error.code);
        if (!isPassing || attempt === maxAttempts) throw this.#explain(method, error);
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

  /** Returns how the server ended whose pipe is broken: its exit, which says more, follows at once if it does. */
  async #endOf(): Promise<unknown> {
    await Promise.race([this.#ended.promise, pause(exitFollowsMs)]);
    this.#lose('it closed its output');
    return this.#lost;
  }

  #lose(how: string): void {
    if (this.#lost) return;
    const tail = withoutBacktrace(this.#process.stderrTail);
    const said = tail === '' ? '' : `; last stderr output: ${tail.slice(-500)}`;
    this.#lost = new ExpectedError('server.terminated', `The language server ${this.#name} ended (${how})${said}`, {
      hints: ['The next call starts it again; the log has its messages'],
    });
    this.#ended.resolve();
    this.#hangWatch?.stop();
    this.#rpc.dispose();
    this.#onLost(this.#lost);
  }

  #timedOut(method: string, timeoutMs: number): ExpectedError {
    const seconds = Math.round(timeoutMs / 100) / 10;
    return new ExpectedError('server.timed-out', `${this.#name} did not answer \`${method}\` within ${seconds} s`, {
      hints: ['Narrow the question with `relative_path`, or raise `tool_timeout`'],
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

/** What the library says of a request that it cannot send: its cause is the library's error. */
class NotSent extends Error {}

/** Whole documents go over the connection. */
const maxTraceChars = 10_000;

function traceLine(message: unknown): string {
  const line = typeof message === 'string' ? message : (JSON.stringify(message) ?? '');
  return line.length > maxTraceChars ? `${line.slice(0, maxTraceChars)}… (${line.length} characters)` : line;
}

/** Returns what a server printed before its backtrace, which does not help the user. */
export function withoutBacktrace(output: string): string {
  return output.replace(/\s*\n(?:Stack backtrace|stack backtrace):\n[\s\S]*$/, '').trim();
}
