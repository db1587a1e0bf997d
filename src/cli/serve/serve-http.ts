import type { HttpClient } from '../../mcp/http/endpoint.ts';
import type { Listening } from '../../mcp/http/http.ts';
import { ownCaller } from '../caller.ts';
import { usageError } from '../usage.ts';
import type { HttpFlags } from './http-flags.ts';

/** Characters allowed in a header (RFC 6750, `b64token`), with enough length against guessing. */
const usableToken = /^[\w.~+/-]{16,}=*$/;

/**
 * Starts to serve HTTP clients and prints the URL to stderr, with the token if one had to be generated. `configuredToken`
 * is the user's `SERENA_HTTP_TOKEN`; `connect` creates the session of a new client.
 *
 * @throws {ExpectedError} `http.cannot-listen`; `usage.invalid` for a token that cannot be sent.
 */
export async function serveHttp(
  flags: HttpFlags & { readonly transport: 'streamable-http' | 'sse' },
  configuredToken: string | undefined,
  connect: () => Promise<HttpClient>,
): Promise<Listening> {
  const given = validToken(configuredToken);
  // Loaded lazily: the usual stdio clients need none of it.
  const { listen } = await import('../../mcp/http/http.ts');
  const listening = await listen({
    ...{ transport: flags.transport, host: hostOf(flags.host), port: flags.port, connect },
    allowedHosts: flags.allowedHost,
    token: given,
    idleTimeoutMs: flags.idleTimeout <= 0 ? undefined : flags.idleTimeout * 1000,
  });
  const isGenerated = listening.token !== undefined && given === undefined;
  const token = isGenerated ? `Clients must send the header \`Authorization: Bearer ${listening.token}\`\n` : '';
  // Not through the log, which may be silent and whose file must not contain a secret. One write, so that a reader of the
  // URL also gets the token.
  ownCaller.report(`Serena listens on ${listening.url}\n${token}`);
  return listening;
}

function hostOf(flag: string): string {
  // Accept an IPv6 address in brackets, as in a URL.
  const host = flag.trim().replace(/^\[(.*)\]$/, '$1');
  // An empty host would listen on every address of this machine.
  if (host === '') throw usageError('`--host` is empty', ['pass an address of this machine, such as 127.0.0.1']);
  return host;
}

/** Validates the user's token; an empty one counts as unset. */
function validToken(given = ''): string | undefined {
  const token = given.trim();
  if (token === '') return undefined;
  if (usableToken.test(token)) return token;
  throw usageError(
    '`SERENA_HTTP_TOKEN` is not a valid token: it must have at least 16 of the characters A–Z a–z 0–9 . _ ~ + / -',
    ['Unset it: a token is generated if one is needed'],
  );
}
