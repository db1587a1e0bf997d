import type { Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { pingLine, pongLine } from './connect.ts';
import { LineSplitter } from './line-splitter.ts';

/** Answers that a client has not read, in bytes, above which no further request of it is read. */
const maxUnreadBytes = 8 * 1024 * 1024;

/** The lines of a session over a socket. */
export class SocketStreams {
  /** The lines of the client. */
  readonly input = new PassThrough();
  /** Takes the lines for the client. */
  readonly output: Writable;
  readonly #socket: Socket;
  readonly #splitter = new LineSplitter();

  constructor(socket: Socket) {
    this.#socket = socket;
    this.output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (socket.destroyed || socket.write(chunk)) done();
        else socket.once('drain', done);
        if (this.output.writableLength > maxUnreadBytes) socket.pause();
      },
    });
    this.output.on('drain', () => socket.resume());
  }

  /** Reads the socket until the client has finished or the connection breaks. */
  run(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.once('end', resolve).once('close', () => resolve());
    this.#socket.resume();
    return promise;
  }

  #take(chunk: Buffer): void {
    for (const { bytes, isPart } of this.#splitter.split(chunk)) {
      if (!isPart && bytes.toString('latin1') === pingLine) this.#socket.write(pongLine);
      else this.input.write(bytes);
    }
  }
}
