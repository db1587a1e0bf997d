import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { endOutput, guardOutput } from '../base/end-output.ts';
import type { FromCommand, ToCommand } from './command-messages.ts';
import {
  type ClientProcess,
  connectClient,
  giveUpAfterMs,
  type Link,
  pingAfterMs,
  pingLine,
  pongLine,
} from './connect.ts';
import { LineSplitter } from './line-splitter.ts';
import type { SessionEnd } from './session-server.ts';
import { Silence } from './silence.ts';

/** What a process that continues a command on its own must know. */
export interface LostCommand {
  /** What it has read for the service, by path. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The call that was about to run; `undefined` before any call. */
  readonly calling: FromCommand['calling'];
  /** Absolute path of the receipts of the connection. */
  readonly receipts: string;
  /** True if the process of the service still exists: it may continue what it has begun. */
  readonly mayContinue: boolean;
}

/** A command line and what runs it in this process. */
interface CommandOptions extends ClientProcess {
  /** Runs it in this process, from the start or after the service was lost, and returns the exit code. */
  readonly standalone: (lost?: LostCommand) => Promise<number>;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const signalNumbers = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
const failed = 1;

/**
 * Runs a command in the service, or in this process if the service cannot be used or stops answering. Returns the exit
 * code.
 */
export async function runCommand(options: CommandOptions): Promise<number> {
  // Without a message: the output must not depend on where a command runs, and `serena service status` reports why.
  const link = await connectClient('command', options).catch(() => undefined);
  return link === undefined ? await options.standalone() : await new RemoteCommand(link, options).run();
}

class RemoteCommand {
  readonly #options: CommandOptions;
  readonly #socket: Socket;
  readonly #receipts: string;
  readonly #splitter = new LineSplitter();
  readonly #inputs = new Map<string, string>();
  readonly #ended = Promise.withResolvers<SessionEnd>();
  readonly #silence = new Silence(pingAfterMs);
  readonly #output: string[] = [];
  /** Text for stderr that came after some of the output. */
  readonly #labels: string[] = [];
  #calling: FromCommand['calling'];
  #received: (typeof signals)[number] | undefined;

  constructor({ socket, answer }: Link, options: CommandOptions) {
    this.#socket = socket;
    this.#receipts = String(answer.receipts);
    this.#options = options;
  }

  async run(): Promise<number> {
    const onSignal = (signal: (typeof signals)[number]) => {
      this.#received ??= signal;
      this.#send({ signal });
    };
    guardOutput();
    // Once: a second signal ends this process, as without a service.
    for (const signal of signals) process.once(signal, onSignal);
    const timer = setInterval(() => this.#watch(), pingAfterMs);
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.once('close', () => this.#ended.resolve('gone'));
    this.#socket.resume();
    this.#send({ start: true });
    const ended = await this.#ended.promise;
    clearInterval(timer);
    this.#socket.destroy();
    for (const signal of signals) process.off(signal, onSignal);
    if (typeof ended === 'number') return await this.#finish(ended);
    // An edit must still be reported.
    if (this.#received !== undefined && this.#calling?.effect !== 'edits') return 128 + signalNumbers[this.#received];
    return await this.#options.standalone({
      inputs: this.#inputs,
      calling: this.#calling,
      receipts: this.#receipts,
      mayContinue: ended === 'silent',
    });
  }

  /** Writes the output. Nothing is written before the end: a command that another process repeats must not print twice. */
  async #finish(code: number): Promise<number> {
    process.stdout.write(this.#output.join(''));
    const problem = await endOutput();
    process.stderr.write(this.#labels.join(''));
    if (problem === undefined) return code;
    process.stderr.write(`error: Cannot write the output: ${problem.message}\n`);
    return failed;
  }

  #take(chunk: Buffer): void {
    this.#silence.end();
    for (const { bytes } of this.#splitter.split(chunk)) {
      const line = bytes.toString('utf8');
      if (line !== pongLine) this.#obey(JSON.parse(line));
    }
  }

  #obey({ out, err, read, calling, exit }: FromCommand): void {
    if (out !== undefined) this.#output.push(out);
    if (err !== undefined) this.#report(err);
    if (calling !== undefined) this.#calling = calling;
    if (read !== undefined) this.#read(read);
    if (exit !== undefined) this.#ended.resolve(exit);
  }

  /** What follows the output is about it, and must stand below it where both go to one place. */
  #report(text: string): void {
    if (this.#output.length === 0) process.stderr.write(text);
    else this.#labels.push(text);
  }

  #read(path: string): void {
    try {
      const content = readFileSync(path === '-' ? 0 : path, 'utf8');
      this.#inputs.set(path, content);
      this.#send({ content });
    } catch (error) {
      this.#send({ problem: error instanceof Error ? error.message : String(error) });
    }
  }

  #send(message: ToCommand): void {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  #watch(): void {
    if (this.#silence.tick() > giveUpAfterMs(this.#options.env)) this.#ended.resolve('silent');
    else this.#socket.write(pingLine);
  }
}
