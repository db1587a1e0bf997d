import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveEras } from '@modelcontextprotocol/server/stdio';
import { parseBoundedJson } from '../base/bounded-json.ts';
import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { watchParent } from '../base/process/watch-parent.ts';
import {
  checkMessage,
  idInText,
  invalidRequestCode,
  type MessageError,
  messageError,
  parseErrorCode,
} from './message-check.ts';

/**
 * Serves one client over stdin and stdout, or over `streams`: the protocol with a handshake, up to 2025-11-25, or the
 * stateless one of 2026-07-28, as its first messages decide. `createServer` is called once per connection, and once more
 * if the client tries `server/discover` before `initialize`. Resolves when the client is gone: the input ended, the output
 * failed, or the parent process died while another process kept the pipes open.
 */
export async function serveStdio(createServer: () => Server, streams?: LineStreams): Promise<void> {
  const { input, output } = streams ?? { input: process.stdin, output: process.stdout };
  const transport = new StdioTransport({ input, output });
  const gone = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('error', resolve);
    transport.onended = resolve;
    watchParent(resolve);
  });
  // The SDK passes arguments of its own.
  serveEras(() => createServer(), {
    transport,
    onerror: (error) => log('mcp').warn(`cannot handle a message: ${messageOf(error)}`),
  });
  await gone;
}

/** The largest argument is the text of a file. */
const maxMessageBytes = 64 * 1024 * 1024;
/** Bytes of answers that the client has not read, above which no further call of it is run. */
const maxUnreadBytes = 4 * 1024 * 1024;

/** The streams of a connection; stdin and stdout unless the background service serves it. */
export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Reads messages from a stream, one per line, and writes messages to another. Unlike the SDK's transport it answers
 * messages that it cannot handle (too large, not JSON, not valid MCP) with an error and continues.
 */
class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Called when the transport was closed. `onclose` belongs to the server that is connected. */
  onended?: () => void;
  readonly #reader = new LineReader(maxMessageBytes);
  readonly #onData = (chunk: Buffer) => this.#take(chunk);
  readonly #onError = (error: Error) => this.onerror?.(error);
  readonly #streams: LineStreams;
  readonly #calls = new CallWindow(
    (message) => this.onmessage?.(message),
    () => this.#unreadBytes < maxUnreadBytes,
  );
  #unreadBytes = 0;

  constructor(streams: LineStreams) {
    this.#streams = streams;
  }

  async start(): Promise<void> {
    this.#streams.input.on('data', this.#onData);
    this.#streams.input.on('error', this.#onError);
  }

  async close(): Promise<void> {
    const { input } = this.#streams;
    input.off('data', this.#onData);
    input.off('error', this.#onError);
    input.pause();
    this.onclose?.();
    this.onended?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
    this.#calls.sent(message);
  }

  #take(chunk: Buffer): void {
    for (const line of this.#reader.read(chunk)) {
      try {
        this.#handle(line);
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #handle(line: Line): void {
    if (!('text' in line)) {
      this.#refuse([tooLarge(line)]);
      return;
    }
    if (line.text.trim() === '') return;
    const parsed = parse(line.text);
    const { message, errors, problem } =
      'error' in parsed ? { errors: [parsed], problem: parsed.error.message } : checkMessage(parsed.value);
    if (problem !== undefined) log('mcp').warn(`cannot handle a message: ${problem}`);
    if (errors) this.#refuse(errors);
    if (message) this.#calls.received(message);
  }

  #refuse(errors: readonly MessageError[]): void {
    for (const error of errors) this.#write(error);
  }

  #write(message: object): void {
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    this.#unreadBytes += line.length;
    this.#streams.output.write(line, () => {
      this.#unreadBytes -= line.length;
      this.#calls.advance();
    });
  }
}

function parse(text: string): { value: unknown } | MessageError {
  try {
    return { value: parseBoundedJson(text) };
  } catch (error) {
    return messageError(idInText(text, text.slice(-1_000)), parseErrorCode, `Parse error: ${messageOf(error)}`);
  }
}

function tooLarge({ start, end, size }: { start: string; end: string; size: number }): MessageError {
  const message = `Invalid request: the message has ${size} bytes; at most ${maxMessageBytes} are accepted`;
  log('mcp').warn(message);
  return messageError(idInText(start, end), invalidRequestCode, message);
}

const lineEnd = 0x0a;
/** Bytes kept from each end of a line that is too long: the id of its request may be there. */
const keptBytes = 4_096;

/** A line, or the two ends of a line that is too long. */
type Line = { readonly text: string } | { readonly start: string; readonly end: string; readonly size: number };

/** Splits a byte stream into lines. Of a line longer than `maxBytes` it keeps only the ends in memory. */
class LineReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #end: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Yields the lines that `chunk` completes. */
  *read(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, from)) {
      this.#add(chunk.subarray(from, at));
      yield this.#take();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  get #isTooLong(): boolean {
    return this.#size > this.#maxBytes;
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    const wasTooLong = this.#isTooLong;
    this.#size += part.length;
    if (!this.#isTooLong) {
      this.#chunks.push(part);
      return;
    }
    // Copied, because a slice would keep its whole chunk in memory.
    this.#end = Buffer.concat([this.#end, part.subarray(-keptBytes)]).subarray(-keptBytes);
    if (!wasTooLong)
      this.#chunks = [Buffer.concat([...this.#chunks, part]).subarray(0, keptBytes)].map((head) => Buffer.from(head));
  }

  #take(): Line {
    const [chunks, size, end, isTooLong] = [this.#chunks, this.#size, this.#end, this.#isTooLong];
    this.#chunks = [];
    this.#size = 0;
    this.#end = Buffer.alloc(0);
    const text = Buffer.concat(chunks).toString('utf8');
    return isTooLong ? { start: text, end: end.toString('utf8'), size } : { text };
  }
}

/** Calls of one client that run at the same time. Each may hold an answer that the client has not read. */
const maxOpenCalls = 32;
/**
 * Time in which calls of one client begin without a break. A call that never waits ends, and the next one begins, before
 * the event loop turns: a client with thousands of calls would keep the messages of other clients from being read.
 */
const sliceMs = 20;

/**
 * Delivers the messages of a client, and its tool calls only while few others run and the client reads the answers, so
 * that a client that does not read cannot fill the memory of this process.
 */
export class CallWindow {
  readonly #deliver: (message: JSONRPCMessage) => void;
  readonly #hasRoom: () => boolean;
  readonly #waiting = new Map<unknown, JSONRPCMessage>();
  readonly #open = new Set<unknown>();
  #sliceEndsAtMs = 0;
  #isPausing = false;

  /** `hasRoom` returns false while too many bytes of answers are unread; `advance()` is to be called when it changes. */
  constructor(deliver: (message: JSONRPCMessage) => void, hasRoom: () => boolean) {
    this.#deliver = deliver;
    this.#hasRoom = hasRoom;
  }

  /** Takes a message of the client. A call that is cancelled before it was delivered is dropped, as MCP allows. */
  received(message: JSONRPCMessage): void {
    const id = calledId(message);
    if (id !== undefined && !this.#waiting.has(id)) {
      if (this.#waiting.size + this.#open.size === 0) this.#sliceEndsAtMs = performance.now() + sliceMs;
      this.#waiting.set(id, message);
      this.advance();
      return;
    }
    const cancelled = cancelledId(message);
    if (cancelled !== undefined && this.#waiting.delete(cancelled)) return;
    this.#deliver(message);
    if (cancelled !== undefined) this.#end(cancelled);
  }

  /** Takes a message for the client. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#end(message.id);
  }

  /** Delivers the calls that need not wait any longer. */
  advance(): void {
    for (const [id, message] of this.#waiting) {
      if (this.#open.size >= maxOpenCalls || !this.#hasRoom()) return;
      if (performance.now() >= this.#sliceEndsAtMs) {
        this.#pause();
        return;
      }
      this.#waiting.delete(id);
      this.#open.add(id);
      this.#deliver(message);
    }
  }

  /** Goes on after others had their turn. */
  #pause(): void {
    if (this.#isPausing) return;
    this.#isPausing = true;
    setImmediate(() => {
      this.#isPausing = false;
      this.#sliceEndsAtMs = performance.now() + sliceMs;
      this.advance();
    });
  }

  #end(id: unknown): void {
    if (this.#open.delete(id)) this.advance();
  }
}

function calledId(message: JSONRPCMessage): unknown {
  return 'method' in message && 'id' in message && message.method === 'tools/call' ? message.id : undefined;
}

function cancelledId(message: JSONRPCMessage): unknown {
  const isCancelled = 'method' in message && message.method === 'notifications/cancelled';
  return isCancelled ? Object(message.params).requestId : undefined;
}
