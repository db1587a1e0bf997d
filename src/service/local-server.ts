import { PassThrough } from 'node:stream';
import { LineSplitter } from './line-splitter.ts';
import type { SessionClient, SessionServer } from './session-server.ts';
import type { Standalone } from './standalone.ts';

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
