import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
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

/**
 * Reads messages from stdin, one per line, and writes messages to stdout. Unlike the SDK's transport it answers
 * messages that it cannot handle (too large, not JSON, not valid MCP) with an error and continues.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #reader = new LineReader(maxMessageBytes);
  readonly #onData = (chunk: Buffer) => this.#take(chunk);
  readonly #onError = (error: Error) => this.onerror?.(error);

  async start(): Promise<void> {
    process.stdin.on('data', this.#onData);
    process.stdin.on('error', this.#onError);
  }

  async close(): Promise<void> {
    process.stdin.off('data', this.#onData);
    process.stdin.off('error', this.#onError);
    process.stdin.pause();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return write(message);
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
      refuse([tooLarge(line)]);
      return;
    }
    if (line.text.trim() === '') return;
    const parsed = parse(line.text);
    const { message, errors, problem } =
      'error' in parsed ? { errors: [parsed], problem: parsed.error.message } : checkMessage(parsed.value);
    if (problem !== undefined) log('mcp').warn(`cannot handle a message: ${problem}`);
    if (errors) refuse(errors);
    if (message) this.onmessage?.(message);
  }
}

function parse(text: string): { value: unknown } | MessageError {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return messageError(idInText(text, text.slice(-1_000)), parseErrorCode, `Parse error: ${messageOf(error)}`);
  }
}

function tooLarge({ start, end, size }: { start: string; end: string; size: number }): MessageError {
  const message = `Invalid request: the message has ${size} bytes; at most ${maxMessageBytes} are accepted`;
  log('mcp').warn(message);
  return messageError(idInText(start, end), invalidRequestCode, message);
}

function refuse(errors: readonly MessageError[]): void {
  for (const error of errors) void write(error);
}

function write(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.write(`${JSON.stringify(message)}\n`)) resolve();
    else process.stdout.once('drain', resolve);
  });
}
