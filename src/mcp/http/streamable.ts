import { randomUUID } from 'node:crypto';
import { CancelledNotificationSchema } from '@modelcontextprotocol/core';
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { log } from '../../base/log.ts';
import { checkMessage, isAnswerable } from '../message-check.ts';
import { CallSlots } from './call-slots.ts';
import type { Endpoint, Exchange, HttpOptions } from './endpoint.ts';
import { bodyBytes, isToolCall, ownerOf, readJson, refused, sendJson, sendResponse } from './messages.ts';
import { HttpSessions } from './sessions.ts';
import { StatelessClients } from './stateless-clients.ts';
import { webRequest } from './web-request.ts';

type Transport = WebStandardStreamableHTTPServerTransport;

/** A client's transport and the slots for its calls. */
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
