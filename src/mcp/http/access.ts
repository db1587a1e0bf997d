import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** Who may speak to a server that listens. */
export interface Access {
  /** Names (lower case; IPv6 in brackets) under which the server may be addressed, and on which pages may stand. */
  readonly hosts: readonly string[];
  /** Whether every numeric address of this machine is such a name, too. */
  readonly acceptsAddresses: boolean;
  /** What every request has to carry; `undefined` lets in everyone who can connect, which loopback alone allows. */
  readonly token: string | undefined;
}

/** Why a request is not served. */
export interface Refusal {
  readonly status: number;
  /** JSON-RPC's; what the protocol has no code for is -32000. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether only programs of this machine can reach a numeric `address`. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\./i.test(address) || address === '::1';
}

/**
 * Returns the rules for a server at a numeric `address`. Without `given` a token is made for any address but loopback:
 * there is no way to listen there without one.
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

/** Returns `host`, a name or a numeric address, as it stands in an address of the web. */
export function nameInUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
}

/**
 * Returns why a request with these headers is not served, or `undefined` if it is.
 *
 * A page in the user's browser cannot choose `Host` and `Origin`: with another name for this machine (DNS rebinding) it
 * fails at the first, from a place of its own at the second.
 */
export function refusalOf(headers: IncomingHttpHeaders, access: Access): Refusal | undefined {
  const { host = '', origin } = headers;
  if (!isOurs(hostnameOf(`http://${host}`), access)) return forbidden('Host', host);
  if (origin !== undefined && !isOurs(hostnameOf(origin), access)) return forbidden('Origin', origin);
  const { token } = access;
  if (token === undefined || isSame(bearerOf(headers.authorization), token)) return undefined;
  return {
    status: 401,
    code: -32000,
    message: 'Send the token that the server was started with: `Authorization: Bearer …`',
    headers: { 'WWW-Authenticate': 'Bearer' },
  };
}

function forbidden(header: string, value: string): Refusal {
  const message = `${header} \`${value}\` is not served here; name it with \`--allowed-host\` when starting the server`;
  return { status: 403, code: -32000, message };
}

function isOurs(hostname: string | undefined, access: Access): boolean {
  if (hostname === undefined) return false;
  if (access.hosts.includes(hostname)) return true;
  return access.acceptsAddresses && isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** Returns the host of an address, without port; `undefined` for what is no plain address of the web. */
function hostnameOf(address: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(address)) return undefined;
  try {
    return new URL(address).hostname;
  } catch {
    return undefined;
  }
}

function bearerOf(authorization: string | undefined): string {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
}

/** Takes as long for every wrong token, so that none can be guessed piece by piece. */
function isSame(found: string, wanted: string): boolean {
  const [a, b] = [found, wanted].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
