import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { attempt } from '../../base/attempt.ts';
import { isSameSecret } from '../../base/is-same-secret.ts';

/** Access rules of an HTTP server. */
export interface Access {
  /** Host names accepted in `Host` and `Origin`: lower case, IPv6 in brackets. */
  readonly hosts: readonly string[];
  /** True if every numeric address is accepted, too. */
  readonly acceptsAddresses: boolean;
  /** Bearer token required in every request; `undefined` (possible on loopback only) accepts all requests. */
  readonly token: string | undefined;
}

/** Why a request is not served. */
export interface Refusal {
  readonly status: number;
  /** JSON-RPC error code; -32000 where the protocol has no specific one. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** True if only programs on this machine can reach the numeric `address`. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\./i.test(address) || address === '::1';
}

/**
 * Returns the rules for a server at a numeric `address`. `given` is the user's token. Without it one is generated,
 * except on loopback: no other address is served without a token.
 */
export function accessTo(
  address: string,
  options: { readonly hosts: readonly string[]; readonly given: string | undefined },
): Access {
  const isLocal = isLoopback(address);
  return {
    hosts: [...loopbackNames, ...options.hosts.map(nameInUrl)],
    acceptsAddresses: !isLocal,
    token: options.given ?? (isLocal ? undefined : randomBytes(32).toString('base64url')),
  };
}

/** Returns `host`, a name or a numeric address, as URLs write it. */
export function nameInUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
}

/**
 * Returns why a request with these headers is not served, or `undefined` if it is.
 *
 * Web pages in the user's browser cannot choose these headers: a page that uses another name for this machine (DNS
 * rebinding) fails the check of `Host`, any other foreign page that of `Origin`.
 */
export function refusalOf(headers: IncomingHttpHeaders, access: Access): Refusal | undefined {
  const { host = '', origin } = headers;
  if (!isAllowed(hostnameOf(`http://${host}`), access)) return forbidden('Host', host);
  if (origin !== undefined && !isAllowed(hostnameOf(origin), access)) return forbidden('Origin', origin);
  const { token } = access;
  if (token === undefined || isSameSecret(bearerOf(headers.authorization), token)) return undefined;
  return {
    status: 401,
    code: -32000,
    message: 'The token of this server is missing or wrong: send `Authorization: Bearer <token>`',
    headers: { 'WWW-Authenticate': 'Bearer' },
  };
}

function forbidden(header: string, value: string): Refusal {
  const message = `${header} \`${value}\` is not allowed; to allow it, start the server with \`--allowed-host\``;
  return { status: 403, code: -32000, message };
}

function isAllowed(hostname: string | undefined, access: Access): boolean {
  if (hostname === undefined) return false;
  if (access.hosts.includes(hostname)) return true;
  return access.acceptsAddresses && isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** Returns the host name of a plain HTTP origin, without port; `undefined` for any other text. */
function hostnameOf(origin: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(origin)) return undefined;
  return attempt(() => new URL(origin).hostname, undefined);
}

function bearerOf(authorization: string | undefined): string {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
}
