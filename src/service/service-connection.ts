import type { Socket } from 'node:net';
import type { Link } from './connect.ts';
import { LineSplitter } from './line-splitter.ts';
import { giveUpAfterMs, pingAfterMs, pingLine, pongLine } from './ping.ts';
import type { SessionClient, SessionEnd, SessionServer } from './session-server.ts';

/** Time for the last answers after the client has finished. */
const finishTimeoutMs = 5_000;
const tickMs = 500;
const lineEnd = 0x0a;
const pieceBytes = 256 * 1024;

/** A session that the background service serves. */
export class ServiceConnection implements SessionServer {
  readonly ended: Promise<SessionEnd>;
  readonly #socket: Socket;
  readonly #client: SessionClient;
  readonly #splitter = new LineSplitter();
  readonly #end: (how: SessionEnd) => void;
  readonly #timer: NodeJS.Timeout;
  #lastHeardMs = performance.now();
  #unsentBytes = 0;
  #hasFinished = false;
  #isHeld = false;
  #isInLongLine = false;

  constructor(socket: Link['socket'], client: SessionClient) {
    this.#socket = socket;
    this.#client = client;
    const { promise, resolve } = Promise.withResolvers<SessionEnd>();
    [this.ended, this.#end] = [promise, resolve];
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('drain', () => client.onRoom());
    socket.once('close', () => resolve(this.#hasFinished ? 0 : 'gone'));
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
    this.#lastHeardMs = performance.now();
    for (const line of this.#splitter.split(chunk))
      if (line.isPart || line.bytes.toString('latin1') !== pongLine) this.#client.deliver(line);
  }

  #watch(): void {
    const nowMs = performance.now();
    // A service that takes a long message works.
    const hasTaken = this.#socket.writableLength < this.#unsentBytes;
    this.#unsentBytes = this.#socket.writableLength;
    if (hasTaken || this.#isHeld || !this.#client.isWaiting()) this.#lastHeardMs = nowMs;
    const silentMs = nowMs - this.#lastHeardMs;
    // A ping must not come between the parts of a line.
    if (silentMs <= pingAfterMs || this.#isInLongLine) return;
    if (silentMs > giveUpAfterMs) this.#end('silent');
    else this.#socket.write(pingLine);
  }
}
