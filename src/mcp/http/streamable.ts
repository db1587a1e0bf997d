import { randomUUID } from 'node:crypto';
import { CancelledNotificationSchema } from '@modelcontextprotocol/core';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { Session } from '../../session/session.ts';
import { checkMessage, isAnswerable } from '../message-check.ts';
import type { SessionHandles } from '../stateless-calls.ts';
import { CallSlots } from './call-slots.ts';
import {
  bodyBytes,
  type Endpoint,
  type Exchange,
  type HttpClient,
  type HttpOptions,
  isToolCall,
  ownerOf,
  readJson,
  refused,
  sendJson,
  sendResponse,
} from './messages.ts';
import { HttpSessions } from './sessions.ts';

type Transport = WebStandardStreamableHTTPServerTransport;

interface Channel {
  readonly transport: Transport;
  readonly slots: CallSlots;
}

/**
 * Returns the endpoint of the Streamable HTTP transport: one path. A session lasts from `initialize` to `DELETE`; requests
 * of the stateless protocol need none.
 */
export function streamableEndpoint({ connect, idleTimeoutMs }: HttpOptions): Endpoint {
  const sessions = new HttpSessions<Channel>(idleTimeoutMs);
  const stateless = new StatelessClients({ connect, idleTimeoutMs });
  return {
    paths: ['/mcp'],
    answer: async (exchange) => {
      const { request, closed } = exchange;
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? { id, ...sessions.get(id) } : undefined;
      if (known) sessions.attend(known.id, closed);
      const body = request.method === 'POST' ? await readJson(request) : undefined;
      const answered = request.method === 'POST' && refuseMessage(body, exchange);
      if (answered) return;
      if (known === undefined && (await stateless.answer(body, exchange))) return;
      const transport = known?.transport ?? (await begin(body, { connect, sessions, exchange }));
      if (known && isToolCall(body)) await known.slots.take(bodyBytes(request), closed);
      await sendResponse(await transport.handleRequest(webRequest(exchange), { parsedBody: body }), exchange);
      // An `initialize` that failed leaves a transport without a session.
      if (transport.sessionId === undefined) await transport.close();
    },
    close: async (reason) => {
      await Promise.all([sessions.close(reason), stateless.close(reason)]);
    },
  };
}

/** Answers a body that is not a valid message with an error and returns true if it did. The SDK handles batches. */
function refuseMessage(body: unknown, { response }: Exchange): boolean {
  if (Array.isArray(body)) return false;
  const { errors: [error] = [], problem } = checkMessage(body);
  if (problem !== undefined) log('mcp').warn(`cannot handle a message: ${problem}`);
  if (error === undefined) return false;
  // Clients read the error of a request only from a response with status 200.
  sendJson(isAnswerable(error) ? 200 : 400, error, response);
  return true;
}

/**
 * Starts a session. @throws {RefusedRequest} 400 for any message but `initialize`, before anything is created for it.
 */
async function begin(
  body: unknown,
  parts: { connect: HttpOptions['connect']; sessions: HttpSessions<Channel>; exchange: Exchange },
): Promise<Transport> {
  const { connect, sessions, exchange } = parts;
  if (!isInitializeRequest(body))
    throw refused(400, 'Send `initialize` first, then its Mcp-Session-Id with every request');
  const owner = ownerOf(exchange.request, body);
  await sessions.makeRoom(owner);
  const client = await connect();
  const transport: Transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) =>
      sessions.add(id, { transport: { transport, slots: new CallSlots() }, client, owner }, exchange.closed),
  });
  client.server.onclose = () => void client.close('The session was not started');
  await client.server.connect(transport);
  endCancelledStreams(transport);
  return transport;
}

/** Closes the stream of a cancelled request: it gets no answer, so nothing else would close it. */
function endCancelledStreams(transport: Transport): void {
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    deliver?.(message, extra);
    const { data } = CancelledNotificationSchema.safeParse(message);
    if (data?.params.requestId !== undefined) transport.closeSSEStream(data.params.requestId);
  };
}

interface HandleChannel {
  readonly session: Session;
  readonly slots: CallSlots;
}

/**
 * Answers requests of the stateless protocol (2026-07-28). Calls with a handle run in the session of that handle, all
 * others in one session that they share, which no call may change.
 */
class StatelessClients {
  readonly #connect: HttpOptions['connect'];
  readonly #sessions: HttpSessions<HandleChannel>;
  readonly #sharedSlots = new CallSlots();
  readonly #exchanges = new WeakMap<Request, Exchange>();
  readonly #handler: McpHttpHandler;
  #shared: Promise<HttpClient> | undefined;

  constructor({ connect, idleTimeoutMs }: Pick<HttpOptions, 'connect' | 'idleTimeoutMs'>) {
    this.#connect = connect;
    this.#sessions = new HttpSessions(idleTimeoutMs);
    this.#handler = createMcpHandler(
      async ({ requestInfo }) => (await this.#openShared()).createServer(this.#handlesFor(requestInfo)),
      { legacy: 'reject', onerror: (error) => log('mcp').debug(`stateless request: ${messageOf(error)}`) },
    );
  }

  /**
   * Answers a request with the parsed `body` and returns true, or returns false if it does not belong to the stateless
   * protocol.
   *
   * @throws {RefusedRequest} 429 if too many calls wait.
   */
  async answer(body: unknown, exchange: Exchange): Promise<boolean> {
    const request = webRequest(exchange);
    if (exchange.request.method !== 'POST' || (await isLegacyRequest(request, body))) return false;
    this.#exchanges.set(request, exchange);
    const handle = handleIn(body);
    const channel = handle === undefined ? undefined : this.#sessions.find(handle);
    if (handle !== undefined && channel) this.#sessions.attend(handle, exchange.closed);
    const slots = channel?.slots ?? this.#sharedSlots;
    if (isToolCall(body)) await slots.take(bodyBytes(exchange.request), exchange.closed);
    await sendResponse(await this.#handler.fetch(request, { parsedBody: body }), exchange);
    return true;
  }

  /** Ends all sessions and streams. Never rejects. */
  async close(reason: string): Promise<void> {
    await Promise.allSettled([
      this.#handler.close(),
      this.#sessions.close(reason),
      this.#shared?.then((client) => client.close(reason)),
    ]);
  }

  #openShared(): Promise<HttpClient> {
    this.#shared ??= this.#connect().catch((error: unknown) => {
      this.#shared = undefined;
      throw error;
    });
    return this.#shared;
  }

  #handlesFor(request: Request | undefined): SessionHandles {
    return {
      get: (handle) => {
        const channel = this.#sessions.find(handle);
        if (channel) return channel.session;
        throw new ExpectedError(
          'session.unknown',
          'there is no session with this handle: it has ended or never existed',
          {
            hints: ['call `initial_instructions` without `session`, which returns the handle of a new session'],
          },
        );
      },
      begin: async () => {
        const exchange = request && this.#exchanges.get(request);
        if (exchange === undefined) throw new Error('The request of a new session is unknown');
        const owner = ownerOf(exchange.request);
        await this.#sessions.makeRoom(owner);
        const client = await this.#connect();
        const handle = randomUUID();
        const { session } = client;
        this.#sessions.add(handle, { transport: { session, slots: new CallSlots() }, client, owner }, exchange.closed);
        return { handle, session };
      },
    };
  }
}

/** Returns the handle in the body of a call, if it has one. */
function handleIn(body: unknown): string | undefined {
  const handle: unknown = Object(Object(Object(body).params).arguments).session;
  return typeof handle === 'string' ? handle : undefined;
}

/** Headers that the SDK reads; besides them, all whose names begin with `mcp-`. */
const passedHeaders = ['accept', 'content-type', 'last-event-id'];

/** Returns an exchange's request as the SDK expects it, without its body. Its signal aborts if the client disconnects. */
function webRequest({ request, response, closed }: Exchange): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' && (passedHeaders.includes(name) || name.startsWith('mcp-'))
      ? [[name, value] as const]
      : [],
  );
  const disconnected = new AbortController();
  void closed.then(() => response.writableFinished || disconnected.abort());
  return new Request('http://localhost/mcp', {
    method: request.method ?? 'GET',
    headers: Object.fromEntries(headers),
    signal: disconnected.signal,
  });
}
