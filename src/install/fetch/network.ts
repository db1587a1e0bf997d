import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ExpectedError, messageOf } from '../../base/errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Network settings from the environment, except proxies. */
export interface NetworkSettings {
  /** Base URL of the mirror, which is tried by hash before an artifact's origin; ends with `/`. */
  readonly mirror: URL | undefined;
  /** URL prefixes and their replacements, longest prefix first. */
  readonly rewrites: readonly (readonly [from: string, to: string])[];
  /** All trusted certificate authorities, in PEM, or `undefined` for the runtime's default. */
  readonly authorities: readonly string[] | undefined;
  readonly allowsHttp: boolean;
}

/** True if the user forbids all connections with `SERENA_OFFLINE`. */
export function isOffline(env: Env): boolean {
  return isTrue(env.SERENA_OFFLINE);
}

/**
 * Reads `SERENA_MIRROR`, `SERENA_URL_REWRITE`, `SERENA_CA_FILE` and `SERENA_ALLOW_HTTP`.
 *
 * @throws {ExpectedError} `config.invalid`, naming the unusable variable.
 */
export function networkSettings(env: Env): NetworkSettings {
  return {
    mirror: mirrorOf(env.SERENA_MIRROR?.trim() ?? ''),
    rewrites: rewritesOf(env.SERENA_URL_REWRITE?.trim() ?? ''),
    authorities: authoritiesOf(env),
    allowsHttp: isTrue(env.SERENA_ALLOW_HTTP),
  };
}

/** Applies the user's URL rewrites to `address`: replaces the longest matching prefix. */
export function rewritten(address: string, rewrites: NetworkSettings['rewrites']): string {
  const [from = '', to = ''] = rewrites.find(([prefix]) => address.startsWith(prefix)) ?? [];
  return to + address.slice(from.length);
}

/** Returns the proxy for `url`, with its credentials, or `undefined` for a direct connection. */
export function proxyFor({ protocol, hostname, port }: URL, env: Env): URL | undefined {
  const variable = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = setting(env, variable) ?? setting(env, 'ALL_PROXY');
  if (value === undefined || isExempt(hostname, port, setting(env, 'NO_PROXY') ?? '')) return undefined;
  const address = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy !== undefined && ['http:', 'https:'].includes(proxy.protocol)) return proxy;
  throw malformed(variable, 'it must be the URL of an HTTP proxy', 'http://proxy.example.org:3128');
}

function mirrorOf(value: string): URL | undefined {
  if (value === '') return undefined;
  const address = value.endsWith('/') ? value : `${value}/`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address);
  throw malformed('SERENA_MIRROR', 'it must be an http or https URL', 'https://files.example.org/serena/');
}

function rewritesOf(value: string): NetworkSettings['rewrites'] {
  if (value === '') return [];
  const example = '{"https://github.com/": "https://files.example.org/github/"}';
  const address = z.string().regex(/^https?:\/\/[^/]+\//);
  try {
    const map = z.record(address, address).parse(JSON.parse(value));
    return Object.entries(map).sort(([a], [b]) => b.length - a.length);
  } catch (error) {
    throw malformed(
      'SERENA_URL_REWRITE',
      'it must be a JSON object that maps URL prefixes to URL prefixes',
      example,
      error,
    );
  }
}

function authoritiesOf(env: Env): readonly string[] | undefined {
  const path = env.SERENA_CA_FILE?.trim() ?? '';
  if (path === '') return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw malformed('SERENA_CA_FILE', `the file cannot be read (${messageOf(error)})`, '/etc/ssl/company.pem', error);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw malformed('SERENA_CA_FILE', 'the file contains no certificate in PEM format', '/etc/ssl/company.pem');
  }
  return [...trustedByDefault(), text];
}

/** The `ca` option replaces the default authorities, so these must be passed as well. */
function trustedByDefault(): readonly string[] {
  // Includes `NODE_EXTRA_CA_CERTS`, and the system's authorities if they are enabled. Not every runtime has the
  // function. Importing the names would parse all certificates at the program's start.
  const tls = process.getBuiltinModule('node:tls');
  return typeof tls.getCACertificates === 'function' ? tls.getCACertificates('default') : tls.rootCertificates;
}

/** Reads a variable in either case; lower case takes precedence, as in curl. */
function setting(env: Env, name: string): string | undefined {
  const value = (env[name.toLowerCase()] ?? env[name])?.trim() ?? '';
  return value === '' ? undefined : value;
}

function isExempt(hostname: string, port: string, list: string): boolean {
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', itsPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? [];
      if (name === '' || (itsPort !== undefined && itsPort !== port)) return false;
      return hostname === name || hostname.endsWith(`.${name}`);
    });
}

function isTrue(value: string | undefined): boolean {
  return ['1', 'true', 'yes', 'on'].includes(value?.trim().toLowerCase() ?? '');
}

// The message does not contain the value, because it may include a password.
function malformed(variable: string, problem: string, example: string, cause?: unknown): ExpectedError {
  return new ExpectedError('config.invalid', `cannot use the environment variable \`${variable}\`: ${problem}`, {
    hints: [`set it as in \`${variable}=${example}\`, or unset it`],
    cause,
  });
}
