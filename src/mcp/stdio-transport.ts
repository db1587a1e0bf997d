import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { parseBoundedJson } from '../base/bounded-json.ts';
import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { CallWindow } from './call-window.ts';
import { type Line, LineReader } from './line-reader.ts';
import {
  checkMessage,
  idInText,
  invalidRequestCode,
  type MessageError,
  messageError,
  parseErrorCode,
} from './message-check.ts';

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
export class StdioTransport implements Transport {
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
