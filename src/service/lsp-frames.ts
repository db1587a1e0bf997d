import type { SplitLine } from './line-splitter.ts';

const headerEnd = Buffer.from('\r\n\r\n');
const lineEnd = 0x0a;
const lineBreak = Buffer.from('\n');
const space = 0x20;
/** A longer header is none, and a longer message is no text that anybody edits. */
const maxHeaderBytes = 4_096;
const maxMessageBytes = 64 * 1024 * 1024;

/**
 * Splits a byte stream of LSP messages, each with a header, into lines: line breaks between the values of a message become
 * spaces.
 */
export class FrameSplitter {
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes that the buffer must have before it can hold a whole message. */
  #needed = 0;

  /** Yields the messages that `chunk` completes. @throws {Error} for anything but messages. */
  *split(chunk: Buffer): Generator<SplitLine> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size > 0 && this.#size >= this.#needed) {
      const bytes = this.#chunks.length === 1 ? (this.#chunks[0] ?? chunk) : Buffer.concat(this.#chunks);
      const at = bytes.indexOf(headerEnd);
      if (at < 0 && bytes.length > maxHeaderBytes) throw new Error('the client does not send LSP messages');
      const start = at + headerEnd.length;
      const end = at < 0 ? undefined : start + lengthIn(bytes.toString('latin1', 0, at));
      const isWhole = end !== undefined && end <= bytes.length;
      if (isWhole) yield { bytes: asLine(bytes.subarray(start, end)), isPart: false };
      this.#keep(isWhole ? bytes.subarray(end) : bytes);
      this.#needed = isWhole ? 0 : (end ?? bytes.length + 1);
    }
  }

  #keep(bytes: Buffer): void {
    this.#chunks = bytes.length === 0 ? [] : [bytes];
    this.#size = bytes.length;
  }
}

function lengthIn(header: string): number {
  const length = Number(/^Content-Length:[ \t]*(\d+)[ \t]*$/im.exec(header)?.[1] ?? 'none');
  if (length <= maxMessageBytes) return length;
  throw new Error(
    Number.isNaN(length) ? 'the client does not send LSP messages' : 'the client sends a message too large',
  );
}

/** JSON contains line breaks between values only. */
function asLine(message: Buffer): Buffer {
  const line = Buffer.concat([message, lineBreak]);
  for (let at = line.indexOf(lineEnd); at < message.length; at = line.indexOf(lineEnd, at)) line[at] = space;
  return line;
}

/** Returns a line as an LSP message with its header. */
export function frameOf(line: Buffer): Buffer {
  const message = line.at(-1) === lineEnd ? line.subarray(0, -1) : line;
  return Buffer.concat([Buffer.from(`Content-Length: ${message.length}\r\n\r\n`), message]);
}
