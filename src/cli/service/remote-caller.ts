import { constants } from 'node:os';
import { parseBoundedJson } from '../../base/bounded-json.ts';
import type { Call } from '../../base/call.ts';
import { ExpectedError } from '../../base/errors.ts';
import { styled, visibleText } from '../../base/visible-text.ts';
import { type FromCommand, partsOf, type ToCommand } from '../../service/command-messages.ts';
import { LineSplitter } from '../../service/line-splitter.ts';
import type { SocketStreams } from '../../service/socket-streams.ts';
import type { Session } from '../../session/session.ts';
import type { Answer } from '../../tools/tool.ts';
import type { Caller, ToolRequest } from '../caller.ts';
import { callEffect } from './tool-kinds.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The process at the other end of a connection. */
export class RemoteCaller implements Caller {
  readonly hasTerminal: boolean;
  /** Resolves with true when that process asks for its command to run, with false if it goes before. */
  readonly started: Promise<boolean>;
  readonly #env: Variables;
  readonly #streams: SocketStreams;
  readonly #start: (isStarted: boolean) => void;
  readonly #interruption = new AbortController();
  #signal: NodeJS.Signals | undefined;
  #reading: PromiseWithResolvers<string> | undefined;

  constructor(streams: SocketStreams, { hasTerminal, env }: Pick<RemoteCaller, 'hasTerminal'> & { env: Variables }) {
    this.hasTerminal = hasTerminal;
    this.#env = env;
    this.#streams = streams;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.started = promise;
    this.#start = resolve;
    const splitter = new LineSplitter();
    streams.input.on('data', (chunk: Buffer) => {
      for (const { bytes } of splitter.split(chunk)) this.#take(Object(parseBoundedJson(bytes.toString('utf8'))));
    });
  }

  highlight(color: 'red' | 'cyan', text: string): string {
    const isColored = this.hasTerminal && (this.#env.NO_COLOR ?? '') === '' && this.#env.TERM !== 'dumb';
    return isColored ? styled(color, text, undefined) : text;
  }

  print(text: string): void {
    for (const out of partsOf(visibleText(text))) void this.#send({ out });
  }

  report(text: string): void {
    for (const err of partsOf(visibleText(text))) void this.#send({ err });
  }

  read(path: string): Promise<string> {
    this.#reading = Promise.withResolvers<string>();
    void this.#send({ read: path });
    return this.#reading.promise;
  }

  interruption(): AbortSignal {
    return this.#interruption.signal;
  }

  interruptedExitCode(): number | undefined {
    return this.#signal === undefined ? undefined : 128 + constants.signals[this.#signal];
  }

  async endOutput(): Promise<undefined> {
    // That process does it.
  }

  async call(session: Session, { tool, args }: ToolRequest, call: Call): Promise<Answer> {
    // Sent before the call can change anything: without it that process would repeat the call.
    await this.#send({ calling: { tool, effect: callEffect(tool) } });
    return await session.call(tool, args, call);
  }

  /** Ends the command. */
  async exit(code: number): Promise<void> {
    await this.#send({ exit: code });
  }

  /** Cancels the command. */
  abort(reason: ExpectedError): void {
    this.#start(false);
    this.#reading?.reject(reason);
    this.#interruption.abort(reason);
  }

  #take({ start, content, problem, signal }: ToCommand): void {
    if (start) this.#start(true);
    if (content !== undefined) this.#reading?.resolve(content);
    if (problem !== undefined) this.#reading?.reject(new Error(problem));
    if (signal === undefined || !Object.hasOwn(constants.signals, signal)) return;
    this.#signal ??= signal;
    this.abort(new ExpectedError('tool.cancelled', `stopped by ${signal}`));
  }

  #send(message: FromCommand): Promise<void> {
    return new Promise((resolve) => this.#streams.output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}
