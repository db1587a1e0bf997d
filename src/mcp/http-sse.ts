import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import type { Endpoint, Exchange, HttpOptions } from './http-endpoint.ts';
import { readJson, refused, sendText } from './http-messages.ts';
import { HttpSessions } from './http-sessions.ts';

/** Below what proxies and routers take for a dead connection; as often as the newer transport. */
const keepAliveMs = 15_000;

/** Returns the endpoint of the older HTTP+SSE transport: a stream to the client, and a path that it posts to. */
export function sseEndpoint({ connect, idleTimeoutMs }: HttpOptions): Endpoint {
  const sessions = new HttpSessions<SSEServerTransport>(idleTimeoutMs);
  const begin = async ({ response, over }: Exchange) => {
    let isOver = false;
    void over.then(() => {
      isOver = true;
    });
    await sessions.makeRoom();
    const client = await connect();
    if (isOver) return client.close('The session did not begin');
    const transport = new SSEServerTransport('/messages/', response);
    sessions.add(transport.sessionId, { transport, client }, over);
    await client.server.connect(transport);
    const timer = setInterval(() => response.write(': keepalive\n\n'), keepAliveMs);
    await over;
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
      if (id === null) throw refused(400, 'The address lacks `sessionId`: use the one that the stream began with');
      const transport = sessions.get(id);
      const body = await readJson(request);
      try {
        await transport.handleMessage(body);
      } catch {
        throw refused(400, 'Parse error: Invalid JSON-RPC message', -32700);
      }
      sendText(202, 'Accepted', response);
    },
    close: (reason) => sessions.close(reason),
  };
}
