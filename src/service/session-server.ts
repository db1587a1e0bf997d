import { PassThrough, type Readable, type Writable } from 'node:stream';
import { LineSplitter, type SplitLine } from './line-splitter.ts';

/** How a session ended: with an exit code of this process, or because the service ended or does not answer any more. */
export type SessionEnd = number | 'gone' | 'silent';

/** Serves the session of the client: the background service, or this process. */
export interface SessionServer {
  readonly ended: Promise<SessionEnd>;
  /** Takes bytes of the client, a line or with `isPart` a part of one. Returns false if it has no room for more. */
  send(bytes: Buffer, isPart?: boolean): boolean;
  finish(): void;
  /** Delivers nothing until `release()`. */
  hold(): void;
  release(): void;
  /** Ends the connection, if it is one. */
  close(): void;
}

/** Receives what a server sends. */
export interface SessionClient {
  /** Called with each line for the client. */
  deliver(line: SplitLine): void;
  /** Called when the server has room again. */
  onRoom(): void;
  /** True if an answer is due. */
  isWaiting(): boolean;
}

/** The two streams over which a server and its client exchange lines. */
interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves a session in this process over `streams`, or over stdin and stdout, and returns the exit code. */
export type Standalone = (streams?: Streams) => Promise<number>;

/** Serves the session in this process. */
export class LocalServer implements SessionServer {
  readonly ended: Promise<number>;
  readonly #input = new PassThrough();
  readonly #output = new PassThrough();

  constructor(standalone: Standalone, client: SessionClient) {
    const splitter = new LineSplitter();
    this.#output.on('data', (chunk: Buffer) => {
      for (const line of splitter.split(chunk)) client.deliver(line);
    });
    this.#input.on('drain', () => client.onRoom());
    this.ended = standalone({ input: this.#input, output: this.#output });
  }

  send(bytes: Buffer): boolean {
    return this.#input.write(bytes);
  }

  finish(): void {
    this.#input.end();
  }

  hold(): void {
    this.#output.pause();
  }

  release(): void {
    this.#output.resume();
  }

  close(): void {
    this.#output.end();
  }
}
