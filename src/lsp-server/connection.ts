import type { Readable, Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { parseBoundedJson } from '../base/bounded-json.ts';
import { log } from '../base/log.ts';

/** The two streams of a connection. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Returns a connection over streams of frames with headers, as LSP writes messages. */
export function frameConnection({ input, output }: Streams): MessageConnection {
  return connectionOf(new StreamMessageReader(input), new StreamMessageWriter(output));
}

/** Returns a connection over streams of lines, each a message, as the background service receives them. */
export function lineConnection({ input, output }: Streams): MessageConnection {
  return connectionOf(new LineReader(input), new LineWriter(output));
}

function connectionOf(
  ...[reader, writer]: [StreamMessageReader | LineReader, StreamMessageWriter | LineWriter]
): MessageConnection {
  const { debug } = log('lsp-server');
  return createMessageConnection(reader, writer, { error: debug, warn: debug, info: debug, log: debug });
}

const lineEnd = 0x0a;

class LineReader extends AbstractMessageReader {
  readonly #input: Readable;
  #chunks: Buffer[] = [];

  constructor(input: Readable) {
    super();
    this.#input = input;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer) => {
      let from = 0;
      for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, from)) {
        this.#chunks.push(chunk.subarray(from, at));
        const line = Buffer.concat(this.#chunks).toString('utf8');
        this.#chunks = [];
        from = at + 1;
        this.#deliver(line, callback);
      }
      if (from < chunk.length) this.#chunks.push(chunk.subarray(from));
    };
    this.#input.on('data', onData);
    this.#input.once('close', () => this.fireClose());
    this.#input.once('end', () => this.fireClose());
    return { dispose: () => this.#input.off('data', onData) };
  }

  #deliver(line: string, callback: DataCallback): void {
    if (line.trim() === '') return;
    try {
      const message: Message = { jsonrpc: '2.0', ...Object(parseBoundedJson(line)) };
      callback(message);
    } catch (error) {
      this.fireError(error);
    }
  }
}

class LineWriter extends AbstractMessageWriter {
  readonly #output: Writable;

  constructor(output: Writable) {
    super();
    this.#output = output;
  }

  async write(message: Message): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  end(): void {
    this.#output.end();
  }
}
