import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/**
 * The server's side of the HTTP+SSE transport of 2024-11-05: an event stream, whose first event names the URL for the
 * client's messages. The endpoint of that URL passes them to `onmessage`. The SDK dropped this transport in its second
 * version.
 */
export class SseTransport implements Transport {
  readonly sessionId = randomUUID();
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #messagesPath: string;
  readonly #stream: ServerResponse;
  #isEnded = false;

  constructor(messagesPath: string, stream: ServerResponse) {
    this.#messagesPath = messagesPath;
    this.#stream = stream;
  }

  /** Sends the headers and the event with the URL. */
  async start(): Promise<void> {
    this.#stream.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      Connection: 'keep-alive',
    });
    this.#write('endpoint', `${this.#messagesPath}?sessionId=${this.sessionId}`);
    this.#stream.once('close', () => this.#end());
  }

  /** Writes a message to the stream. @throws {Error} if the client has disconnected. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isEnded) throw new Error('Not connected');
    this.#write('message', JSON.stringify(message));
  }

  /** Ends the stream, and with it the session. */
  async close(): Promise<void> {
    this.#stream.end();
    // A client that does not read delays the stream's own end.
    this.#end();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.onclose?.();
  }

  #write(event: string, data: string): void {
    this.#stream.write(`event: ${event}\ndata: ${data}\n\n`);
  }
}
