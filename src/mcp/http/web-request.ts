import type { Exchange } from './endpoint.ts';

/** Headers that the SDK reads; besides them, all whose names begin with `mcp-`. */
const passedHeaders = ['accept', 'content-type', 'last-event-id'];

/** Returns an exchange's request as the SDK expects it, without its body. Its signal aborts if the client disconnects. */
export function webRequest({ request, response, closed }: Exchange): Request {
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
