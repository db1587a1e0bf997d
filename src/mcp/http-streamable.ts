import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CancelledNotificationSchema, isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Endpoint, HttpOptions } from './http-endpoint.ts';
import { readJson, refused, sendResponse } from './http-messages.ts';
import { HttpSessions } from './http-sessions.ts';

type Transport = WebStandardStreamableHTTPServerTransport;

/** What the transport looks at. */
const passedHeaders = ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id'];

/** Returns the endpoint of the Streamable HTTP transport: one path, a session from `initialize` to `DELETE`. */
export function streamableEndpoint({ connect, idleTimeoutMs }: HttpOptions): Endpoint {
  const sessions = new HttpSessions<Transport>(idleTimeoutMs);
  return {
    paths: ['/mcp'],
    answer: async (exchange) => {
      const { request, over } = exchange;
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? { id, transport: sessions.get(id) } : undefined;
      if (known) sessions.attend(known.id, over);
      const body = request.method === 'POST' ? await readJson(request) : undefined;
      const transport = known?.transport ?? (await begin(body, { connect, sessions, over }));
      await sendResponse(await transport.handleRequest(webRequest(request), { parsedBody: body }), exchange);
      // What came without a session and did not become one is of no further use.
      if (transport.sessionId === undefined) await transport.close();
    },
    close: (reason) => sessions.close(reason),
  };
}

/** @throws {Refused} 400 for anything but the beginning of a session, before anything is made for it. */
async function begin(
  body: unknown,
  parts: { connect: HttpOptions['connect']; sessions: HttpSessions<Transport>; over: Promise<void> },
): Promise<Transport> {
  const { connect, sessions, over } = parts;
  if (!isInitializeRequest(body))
    throw refused(400, 'Send `initialize` first, then its Mcp-Session-Id with every request');
  await sessions.makeRoom();
  const client = await connect();
  const transport: Transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.add(id, { transport, client }, over),
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
