import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CancelledNotificationSchema, isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { log } from '../../base/log.ts';
import { checkMessage, isAnswerable } from '../message-check.ts';
import { CallSlots } from './call-slots.ts';
import type { Endpoint, Exchange, HttpOptions } from './endpoint.ts';
import { bodyBytes, isToolCall, ownerOf, readJson, refused, sendJson, sendResponse } from './messages.ts';
import { HttpSessions } from './sessions.ts';

type Transport = WebStandardStreamableHTTPServerTransport;

/** What a client speaks through, and the places for its calls. */
interface Channel {
  readonly transport: Transport;
  readonly slots: CallSlots;
}

/** What the transport looks at. */
const passedHeaders = ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id'];

/** Returns the endpoint of the Streamable HTTP transport: one path, a session from `initialize` to `DELETE`. */
export function streamableEndpoint({ connect, idleTimeoutMs }: HttpOptions): Endpoint {
  const sessions = new HttpSessions<Channel>(idleTimeoutMs);
  return {
    paths: ['/mcp'],
    answer: async (exchange) => {
      const { request, over } = exchange;
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? { id, ...sessions.get(id) } : undefined;
      if (known) sessions.attend(known.id, over);
      const body = request.method === 'POST' ? await readJson(request) : undefined;
      const answered = request.method === 'POST' && refuseMessage(body, exchange);
      if (answered) return;
      const transport = known?.transport ?? (await begin(body, { connect, sessions, exchange }));
      if (known && isToolCall(body)) await known.slots.take(bodyBytes(request), over);
      await sendResponse(await transport.handleRequest(webRequest(request), { parsedBody: body }), exchange);
      // What came without a session and did not become one is of no further use.
      if (transport.sessionId === undefined) await transport.close();
    },
    close: (reason) => sessions.close(reason),
  };
}

/** Answers a body that is no message of the protocol, and returns whether it did. Batches are left to the SDK. */
function refuseMessage(body: unknown, { response }: Exchange): boolean {
  if (Array.isArray(body)) return false;
  const { errors: [error] = [], problem } = checkMessage(body);
  if (problem !== undefined) log('mcp').warn(`Cannot handle a message: ${problem}`);
  if (error === undefined) return false;
  // A client reads the error of its own request from an answer with a good status alone.
  sendJson(isAnswerable(error) ? 200 : 400, error, response);
  return true;
}

/** @throws {Refused} 400 for anything but the beginning of a session, before anything is made for it. */
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
      sessions.add(id, { transport: { transport, slots: new CallSlots() }, client, owner }, exchange.over),
  });
  client.server.onclose = () => void client.close('The session did not begin');
  await client.server.connect(transport);
  endCancelledStreams(transport);
  return transport;
}

/** A cancelled request gets no answer, so nothing else would end the stream that its answer was to come by. */
function endCancelledStreams(transport: Transport): void {
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    deliver?.(message, extra);
    const { data } = CancelledNotificationSchema.safeParse(message);
    if (data?.params.requestId !== undefined) transport.closeSSEStream(data.params.requestId);
  };
}

function webRequest(request: IncomingMessage): Request {
  const headers = passedHeaders.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return new Request('http://localhost/mcp', { method: request.method ?? 'GET', headers: Object.fromEntries(headers) });
}
