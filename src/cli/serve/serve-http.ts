import type { HttpClient } from '../../mcp/http/endpoint.ts';
import type { Listening } from '../../mcp/http/http.ts';
import { usageError } from '../usage.ts';
import type { HttpFlags } from './http-flags.ts';

/** Characters that a header may carry as they are (RFC 6750, `b64token`), and more than anybody tries out. */
const usableToken = /^[\w.~+/-]{16,}=*$/;

/**
 * Begins to serve HTTP clients and tells on stderr where, and the token where one had to be made. `set` is what the user
 * has as `SERENA_HTTP_TOKEN`; `connect` makes what a new client works with.
 *
 * @throws {ExpectedError} `http.cannot-listen`; `usage.invalid` for a token that cannot be sent.
 */
export async function serveHttp(
  flags: HttpFlags & { readonly transport: 'streamable-http' | 'sse' },
  set: string | undefined,
  connect: () => Promise<HttpClient>,
): Promise<Listening> {
  const given = usable(set);
  // Loaded here because clients over stdio, the usual ones, need none of it.
  const { listen } = await import('../../mcp/http/http.ts');
  const listening = await listen({
    ...{ transport: flags.transport, host: hostOf(flags.host), port: flags.port, connect },
    allowedHosts: flags.allowedHost,
    token: given,
    idleTimeoutMs: flags.idleTimeout <= 0 ? undefined : flags.idleTimeout * 1000,
  });
  const isMade = listening.token !== undefined && given === undefined;
  const token = isMade ? `Clients have to send the header \`Authorization: Bearer ${listening.token}\`\n` : '';
  // Past the log: it may be told to be silent, and a secret has no place in its file. At once: who reads the one reads both.
  process.stderr.write(`Serena listens on ${listening.url}\n${token}`);
  return listening;
}

function hostOf(flag: string): string {
  // As IPv6 addresses stand in a URL.
  const host = flag.trim().replace(/^\[(.*)\]$/, '$1');
  // Empty would mean every address of this machine.
  if (host === '') throw usageError('`--host` is empty', ['Name an address of this machine, such as 127.0.0.1']);
  return host;
}

/** Returns the user's token; an empty one is none. */
function usable(given = ''): string | undefined {
  const token = given.trim();
  if (token === '') return undefined;
  if (usableToken.test(token)) return token;
  throw usageError('`SERENA_HTTP_TOKEN` is no token: it must be 16 or more of A–Z a–z 0–9 . _ ~ + / -', [
    'Unset it: a token is made where one is needed',
  ]);
}
