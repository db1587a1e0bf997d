import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { accessTo, isLoopback, refusalOf } from '../../../src/mcp/http/access.ts';
import { type HttpServer, httpTransports, startHttp } from '../../support/http.ts';
import { callBody, initializeBody, messageHeaders, rawRequest } from '../../support/raw-http.ts';
import { rejection } from '../../support/rejection.ts';
import { testUnless } from '../../support/skip.ts';
import { sharedHome } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const token = 'a-token-for-tests-0123456789';
const statusOf = (headers: IncomingHttpHeaders, access: Parameters<typeof refusalOf>[1]) =>
  refusalOf(headers, access)?.status;

describe('on loopback', () => {
  const access = accessTo('127.0.0.1', { hosts: ['127.0.0.1'], given: undefined });

  test.each(['localhost', 'LOCALHOST:8000', '127.0.0.1', '127.0.0.1:1', '[::1]:65535'])(
    'Host %s is accepted without a token',
    (host) => {
      expect(statusOf({ host }, access)).toBeUndefined();
    },
  );

  test.each([
    undefined,
    '',
    'attacker.example',
    'localhost.attacker.example',
    'localhost.',
    'attacker@localhost',
    'attacker.example#@localhost',
    'localhost/..',
    '127.0.0.1.attacker.example',
    '192.168.1.5',
    '0.0.0.0',
    '[::2]',
    'localhost:99999',
    'local host',
  ])('Host %s is refused', (host) => {
    expect(statusOf({ host }, access)).toBe(403);
  });

  test.each([undefined, 'http://localhost', 'http://127.0.0.1:3000', 'https://[::1]:8443'])(
    'Origin %s is accepted',
    (origin) => {
      expect(statusOf({ host: 'localhost', origin }, access)).toBeUndefined();
    },
  );

  test.each([
    '',
    'null',
    'http://attacker.example',
    'http://localhost.attacker.example:8000',
    'http://attacker.example/localhost',
    'http://localhost@attacker.example',
    'file://localhost',
    'chrome-extension://localhost',
    'localhost',
  ])('Origin %s is refused', (origin) => {
    expect(statusOf({ host: 'localhost', origin }, access)).toBe(403);
  });

  test('a given token is required here, too', () => {
    const protectedAccess = accessTo('127.0.0.1', { hosts: [], given: token });
    expect(statusOf({ host: 'localhost' }, protectedAccess)).toBe(401);
    expect(statusOf({ host: 'localhost', authorization: `Bearer ${token}` }, protectedAccess)).toBeUndefined();
  });
});

describe('beyond loopback', () => {
  test.each(['0.0.0.0', '::', '192.168.1.5', '10.0.0.1', 'fe80::1', '::ffff:10.0.0.1', '128.0.0.1', '1.127.0.1'])(
    '%s gets a generated token if none is given',
    (address) => {
      expect(isLoopback(address)).toBe(false);
      const [one, two] = [0, 1].map(() => accessTo(address, { hosts: [], given: undefined }).token);
      expect(one).toMatch(/^[\w-]{43}$/);
      expect(two).not.toBe(one ?? '');
    },
  );

  const access = accessTo('0.0.0.0', { hosts: ['0.0.0.0', 'Build.example'], given: token });
  const authorization = `Bearer ${token}`;

  test.each(['192.168.1.5:8000', '[fe80::1]:8000', 'localhost', 'build.example:8000'])(
    'Host %s is accepted',
    (host) => {
      expect(statusOf({ host, origin: `http://${host}`, authorization }, access)).toBeUndefined();
    },
  );

  test.each(['attacker.example', 'sub.build.example', ''])('Host %s is refused, even with the token', (host) => {
    expect(statusOf({ host, authorization }, access)).toBe(403);
  });

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer ${token} ${token}`,
  ])('%s is not the token', (sent) => {
    expect(statusOf({ host: 'localhost', authorization: sent }, access)).toBe(401);
  });

  test('the authorization scheme is case-insensitive', () => {
    expect(statusOf({ host: 'localhost', authorization: `bearer ${token}` }, access)).toBeUndefined();
  });
});

describe.each([...httpTransports])('the program, over %s,', (transport) => {
  /** Returns the path for calls, with or without a session. */
  const target = (server: HttpServer) => server.url.replace('/sse', '/messages/?sessionId=none');

  /** Sends requests with `headers` that would start a session or run a tool; neither may happen. */
  async function refusedWith(server: HttpServer, headers: Readonly<Record<string, string>>): Promise<number[]> {
    const project = makeWorkspace({ 'a.txt': '' });
    const sent = { ...messageHeaders, ...headers };
    const statuses = [
      (await rawRequest(server.url, { headers: sent })).status,
      (await rawRequest(server.url, { headers: { ...sent, Accept: 'text/event-stream' } })).status,
      (await rawRequest(target(server), { method: 'POST', headers: sent, body: initializeBody() })).status,
      (
        await rawRequest(target(server), {
          method: 'POST',
          headers: sent,
          body: callBody('activate_project', { project: project.root }),
        })
      ).status,
      (await rawRequest(server.url, { method: 'DELETE', headers: sent })).status,
      (await rawRequest(new URL('/', server.url).href, { headers: sent })).status,
    ];
    expect(readFileSync(join(sharedHome(), 'serena_config.yml'), 'utf8')).not.toContain(project.root);
    expect(server.stderr).not.toContain('Session ');
    return statuses;
  }

  const all = (status: number) => Array.from({ length: 6 }, () => status);

  test('refuses a foreign Host and a foreign Origin, and runs nothing', async () => {
    await using server = await startHttp({ transport });
    expect(await refusedWith(server, { Host: 'attacker.example' })).toEqual(all(403));
    expect(await refusedWith(server, { Origin: 'http://attacker.example' })).toEqual(all(403));
    const answer = await rawRequest(server.url, { headers: { Origin: 'http://attacker.example' } });
    expect(JSON.parse(answer.text)).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { message: expect.stringContaining('--allowed-host') },
    });
    // Nor does it allow browsers to let any page read its responses.
    const allowed = await rawRequest(server.url, { method: 'OPTIONS', headers: { Origin: 'http://localhost:3000' } });
    expect(Object.keys(allowed.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('accepts a further host name if it is configured', async () => {
    await using server = await startHttp({ transport, args: ['--allowed-host', 'build.example', 'other.example'] });
    const statuses = ['build.example', 'other.example', 'attacker.example'].map(async (name) => {
      return (await rawRequest(new URL('/', server.url).href, { headers: { Host: `${name}:80` } })).status;
    });
    expect(await Promise.all(statuses)).toEqual([404, 404, 403]);
  });

  test('requires the token of the user and does not print it', async () => {
    await using server = await startHttp({ transport, env: { SERENA_HTTP_TOKEN: token } });
    expect(server.tokens).toEqual([]);
    expect(server.stderr).not.toContain(token);
    expect(await refusedWith(server, {})).toEqual(all(401));
    expect(await refusedWith(server, { Authorization: 'Bearer wrong' })).toEqual(all(401));
    expect(await rejection(server.connect({ headers: { Authorization: 'Bearer wrong' } }))).toMatch(
      /401|Unauthorized|token of this server/i,
    );
    await using client = await server.connect({ headers: { Authorization: `Bearer ${token}` } });
    expect(await client.ask('initial_instructions')).toContain('find_symbol');
  });

  test.each(['0.0.0.0', '::'])('requires a token on %s, which it generates and prints once', async (host) => {
    await using server = await startHttp({ transport, args: ['--host', host], env: { SERENA_HTTP_TOKEN: '' } });
    const { port } = new URL(server.url);
    const url = server.url.replace(/\/\/.*:\d+/, `//127.0.0.1:${port}`);
    const [made = '', ...again] = server.tokens;
    expect({ length: made.length, again }).toEqual({ length: 43, again: [] });
    expect((await rawRequest(url, { headers: messageHeaders })).status).toBe(401);
    await using client = await server.connect({ headers: { Authorization: `Bearer ${made}` } }, url);
    expect(await client.ask('initial_instructions')).toContain('find_symbol');
  });

  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

  testUnless(outer === undefined ? 'this machine has no address but loopback' : undefined)(
    'wants a token on an address of the network, and listens on no other',
    async () => {
      await using server = await startHttp({ transport, args: ['--host', outer ?? ''] });
      expect(server.tokens).toHaveLength(1);
      expect((await rawRequest(server.url, { headers: messageHeaders })).status).toBe(401);
      await using client = await server.connect({ headers: { Authorization: `Bearer ${server.tokens[0]}` } });
      expect(await client.ask('initial_instructions')).toContain('find_symbol');
      await rejection(rawRequest(server.url.replace(outer ?? '', '127.0.0.1')));
    },
  );
});
