import { log } from '../../base/log.ts';
import { checkMessage, isAnswerable } from '../message-check.ts';
import type { Endpoint, Exchange, HttpOptions } from './endpoint.ts';
import { ownerOf, readJson, refused, sendText } from './messages.ts';
import { PendingCalls } from './pending-calls.ts';
import { HttpSessions } from './sessions.ts';
import { SseTransport } from './sse-transport.ts';

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
