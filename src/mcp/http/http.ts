import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pause } from '../../base/deadline.ts';
import { ExpectedError, isExpected, messageOf, systemCode } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { type Access, accessTo, nameInUrl, refusalOf } from './access.ts';
import { type Endpoint, type Exchange, type HttpOptions, RefusedRequest, sendRefusal, sendText } from './messages.ts';
import { sseEndpoint } from './sse.ts';
import { streamableEndpoint } from './streamable.ts';

export interface Listening {
  readonly url: string;
  /** Token required in every request, if any. */
  readonly token: string | undefined;
  /** Cancels running calls, which fail with `reason`, ends all sessions and stops listening. Never rejects. */
  close(reason: string): Promise<void>;
}

/** How long the last responses may take to reach their clients. */
const flushTimeoutMs = 500;

/**
 * Serves MCP clients over HTTP, each with a session of its own, until it is closed.
 *
 * @throws {ExpectedError} `http.cannot-listen`.
 */
export async function listen(options: HttpOptions): Promise<Listening> {
  const endpoint = options.transport === 'sse' ? sseEndpoint(options) : streamableEndpoint(options);
  const address = await addressOf(options.host);
  const access = accessTo(address, { hosts: [options.host, ...options.allowedHosts], given: options.token });
  const open = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    open.add(closed);
    void closed.then(() => open.delete(closed));
    void serve({ request, response, closed }, { access, endpoint });
  });
  const port = await startListening(server, { address, port: options.port });
  return {
    url: `http://${nameInUrl(options.host)}:${port}${endpoint.paths[0]}`,
    token: access.token,
    close: async (reason) => {
      server.close();
      await endpoint.close(reason);
      await Promise.race([Promise.all(open), pause(flushTimeoutMs)]);
      server.closeAllConnections();
    },
  };
}

async function serve(
  parts: Pick<Exchange, 'request' | 'response' | 'closed'>,
  { access, endpoint }: { access: Access; endpoint: Endpoint },
): Promise<void> {
  const { request, response } = parts;
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.on('error', (error) => log('mcp').debug(`cannot answer a client: ${messageOf(error)}`));
  try {
    const refusal = refusalOf(request.headers, access);
    if (refusal) throw new RefusedRequest(refusal);
    const target = parseTarget(request.url);
    if (target === undefined || !endpoint.paths.includes(target.path)) {
      return sendText(404, `Not found; MCP clients use ${endpoint.paths[0]}`, response);
    }
    await endpoint.answer({ ...parts, ...target });
  } catch (error) {
    answerFailure(error, request, response);
  }
}

function answerFailure(error: unknown, request: IncomingMessage, response: ServerResponse): void {
  const refusal =
    error instanceof RefusedRequest ? error.refusal : { status: 500, code: -32603, message: failureText(error) };
  const requested = `${request.method} ${request.url?.split('?')[0]}`;
  // Anyone may have written this text, and a terminal may display it: replace control characters.
  log('mcp').warn(`Refused ${requested} with ${refusal.status}: ${refusal.message}`.replace(/\p{Cc}/gu, '?'));
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The rest of the request is not read.
  if (!request.complete) response.setHeader('Connection', 'close');
  sendRefusal(refusal, response);
}

function failureText(error: unknown): string {
  if (isExpected(error)) return error.message;
  log('mcp').error(`HTTP: ${error instanceof Error ? error.stack : String(error)}`);
  return 'Internal error (please report); the details are in the log of the server';
}

/** Parses the request target; `undefined` if it is not a path. A trailing slash is ignored. */
function parseTarget(target = '/'): Pick<Exchange, 'path' | 'query'> | undefined {
  const url = target.startsWith('/') ? URL.parse(`http://localhost${target}`) : null;
  return url === null ? undefined : { path: url.pathname.replace(/(?<=.)\/$/, ''), query: url.searchParams };
}

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw cannotListen(host, error);
  }
}

async function startListening(server: Server, at: { address: string; port: number }): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: at.address, port: at.port }, resolve);
    });
  } catch (error) {
    throw cannotListen(`${nameInUrl(at.address)}:${at.port}`, error);
  }
  server.on('error', (error) => log('mcp').error(`HTTP: ${messageOf(error)}`));
  const bound = server.address();
  return bound !== null && typeof bound === 'object' ? bound.port : at.port;
}

function cannotListen(where: string, error: unknown): ExpectedError {
  const [reason, hint] = reasons[systemCode(error) ?? ''] ?? [
    messageOf(error),
    'choose another address with `--host` or another port with `--port`',
  ];
  return new ExpectedError('http.cannot-listen', `cannot listen on \`${where}\`: ${reason}`, {
    hints: [hint],
    cause: error,
  });
}

const reasons: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EADDRINUSE: ['another program listens there', 'Choose another port with `--port`; `--port 0` uses any free one'],
  EACCES: ['only an administrator may listen there', 'Choose a port above 1023 with `--port`'],
  EADDRNOTAVAIL: [
    'it is not an address of this machine',
    'pass an address of this machine with `--host`, such as 127.0.0.1',
  ],
  ENOTFOUND: ['the host name does not exist', 'Pass an address of this machine with `--host`, such as 127.0.0.1'],
};
