import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { CancelledNotificationSchema } from '@modelcontextprotocol/core';
import { isJSONRPCRequest, type JSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { log } from '../../base/log.ts';
import { checkMessage, isAnswerable } from '../message-check.ts';
import { CallSlots } from './call-slots.ts';
import {
  bodyBytes,
  type Endpoint,
  type Exchange,
  type HttpOptions,
  isToolCall,
  ownerOf,
  readJson,
  refused,
  sendText,
} from './messages.ts';
import { HttpSessions } from './sessions.ts';

/** A client's transport and its unanswered calls. */
interface Channel {
  readonly transport: SseTransport;
  readonly pending: PendingCalls;
}

/** Below the idle timeouts of proxies and routers; the same interval as in the Streamable HTTP transport. */
const keepAliveMs = 15_000;

/** Returns the endpoint of the older HTTP+SSE transport: an event stream to the client, and a path for its messages. */
export function sseEndpoint({ connect, idleTimeoutMs }: HttpOptions): Endpoint {
  const sessions = new HttpSessions<Channel>(idleTimeoutMs);
  const begin = async ({ request, response, closed }: Exchange) => {
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    const owner = ownerOf(request);
    await sessions.makeRoom(owner);
    const client = await connect();
    if (isClosed) return client.close('The session was not started');
    const transport = new SseTransport('/messages/', response);
    const pending = new PendingCalls(transport, response);
    sessions.add(transport.sessionId, { transport: { transport, pending }, client, owner }, closed);
    await client.server.connect(transport);
    pending.follow(closed);
    const timer = setInterval(() => response.write(': keepalive\n\n'), keepAliveMs);
    await closed;
    clearInterval(timer);
  };
  return {
    paths: ['/sse', '/messages'],
    answer: async (exchange) => {
      const { request, response, path, query } = exchange;
      const isStream = path === '/sse';
      const method = isStream ? 'GET' : 'POST';
      if (request.method !== method) {
        response.setHeader('Allow', method);
        return sendText(405, `Use ${method} here`, response);
      }
      if (isStream) return begin(exchange);
      const id = query.get('sessionId');
      if (id === null) throw refused(400, 'The URL has no `sessionId`: use the URL that the event stream sent first');
      const { transport, pending } = sessions.get(id);
      const { message, errors = [], problem } = checkMessage(await readJson(request));
      if (problem !== undefined) log('mcp').warn(`cannot handle a message: ${problem}`);
      for (const answer of errors) {
        const { id, error } = answer;
        if (id === null || !isAnswerable(answer)) throw refused(400, error.message, error.code);
        await transport.send({ jsonrpc: '2.0', id, error });
      }
      if (message) await pending.begin(message, exchange);
      if (message) transport.onmessage?.(message);
      sendText(202, 'Accepted', response);
    },
    close: (reason) => sessions.close(reason),
  };
}

/**
 * The server's side of the HTTP+SSE transport of 2024-11-05: an event stream, whose first event names the URL for the
 * client's messages. The endpoint of that URL passes them to `onmessage`. The SDK dropped this transport in its second
 * version.
 */
class SseTransport implements Transport {
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

/**
 * The pending calls of a client whose answers all go through one stream. Each call occupies a slot until its answer is
 * written.
 */
class PendingCalls {
  readonly #transport: Transport;
  readonly #stream: ServerResponse;
  readonly #slots = new CallSlots();
  readonly #done = new Map<RequestId, () => void>();

  constructor(transport: Transport, stream: ServerResponse) {
    this.#transport = transport;
    this.#stream = stream;
  }

  /** Watches the messages sent from now on and frees the slots of answered calls, until the stream is `closed`. */
  follow(closed: Promise<void>): void {
    const send = this.#transport.send.bind(this.#transport);
    this.#transport.send = async (message: JSONRPCMessage) => {
      await send(message);
      if (!('id' in message) || message.id === undefined || 'method' in message) return;
      const { id } = message;
      if (this.#stream.writableNeedDrain) this.#stream.once('drain', () => this.#end(id));
      else this.#end(id);
    };
    void closed.then(() => {
      for (const id of this.#done.keys()) this.#end(id);
    });
  }

  /**
   * Waits until a message may be handled; only tool calls have to wait. @throws {RefusedRequest} 429 if too many wait.
   */
  async begin(message: JSONRPCMessage, { request, closed }: Exchange): Promise<void> {
    const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    // A cancelled call gets no answer, so free its slot here.
    if (cancelled !== undefined) this.#end(cancelled);
    if (!isJSONRPCRequest(message) || !isToolCall(message)) return;
    const done = new Promise<void>((resolve) => this.#done.set(message.id, resolve));
    const isWaiting = this.#slots.take(bodyBytes(request), done);
    const leave = () => this.#end(message.id);
    let isHandled = false;
    void closed.then(() => isHandled || leave());
    await isWaiting.catch((error: unknown) => {
      leave();
      throw error;
    });
    isHandled = true;
  }

  #end(id: RequestId): void {
    this.#done.get(id)?.();
    this.#done.delete(id);
  }
}
