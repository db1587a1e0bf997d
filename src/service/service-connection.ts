import type { Socket } from 'node:net';
import { type Link, pingAfterMs, pingLine, pongLine } from './connect.ts';
import { LineSplitter } from './line-splitter.ts';
import type { SessionClient, SessionEnd, SessionServer } from './session-server.ts';
import { Silence } from './silence.ts';

/** Time for the last answers after the client has finished. */
const finishTimeoutMs = 5_000;
const tickMs = 500;
const lineEnd = 0x0a;
const pieceBytes = 256 * 1024;

export class ServiceConnection implements SessionServer {
  readonly ended: Promise<SessionEnd>;
  readonly #socket: Socket;
  readonly #client: SessionClient;
  readonly #splitter = new LineSplitter();
  readonly #silence = new Silence(tickMs);
  readonly #giveUpAfterMs: number;
  readonly #end: (how: SessionEnd) => void;
  readonly #timer: NodeJS.Timeout;
  #unsentBytes = 0;
  #hasFinished = false;
  #isHeld = false;
  #isInLongLine = false;

  /** Silence of the service ends the session after `giveUpAfterMs`. */
  constructor(socket: Link['socket'], client: SessionClient, giveUpAfterMs: number) {
    this.#socket = socket;
    this.#client = client;
    this.#giveUpAfterMs = giveUpAfterMs;
    const { promise, resolve } = Promise.withResolvers<SessionEnd>();
    [this.ended, this.#end] = [promise, resolve];
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('drain', () => client.onRoom());
    // This end may stay open after the other one: a call that is sent then would count as interrupted.
    for (const event of ['end', 'close']) socket.once(event, () => resolve(this.#hasFinished ? 0 : 'gone'));
    socket.resume();
    this.#timer = setInterval(() => this.#watch(), tickMs);
  }

  /** Writes in pieces, so that the progress of a long message can be observed. */
  send(bytes: Buffer, isPart = false): boolean {
    this.#isInLongLine = isPart && bytes.at(-1) !== lineEnd;
    let hasRoom = true;
    for (let from = 0; from < bytes.length; from += pieceBytes)
      hasRoom = this.#socket.write(bytes.subarray(from, from + pieceBytes));
    return hasRoom;
  }

  finish(): void {
    this.#hasFinished = true;
    this.#socket.end();
    setTimeout(() => this.#end(0), finishTimeoutMs).unref();
  }

  hold(): void {
    this.#isHeld = true;
    this.#socket.pause();
  }

  release(): void {
    this.#isHeld = false;
    this.#socket.resume();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#silence.end();
    for (const line of this.#splitter.split(chunk))
      if (line.isPart || line.bytes.toString('latin1') !== pongLine) this.#client.deliver(line);
  }

  #watch(): void {
    // A service that takes a long message works.
    const hasTaken = this.#socket.writableLength < this.#unsentBytes;
    this.#unsentBytes = this.#socket.writableLength;
    if (hasTaken || this.#isHeld || !this.#client.isWaiting()) this.#silence.end();
    const silentMs = this.#silence.tick();
    // A ping must not come between the parts of a line.
    if (silentMs <= pingAfterMs || this.#isInLongLine) return;
    if (silentMs > this.#giveUpAfterMs) this.#end('silent');
    else this.#socket.write(pingLine);
  }
}
