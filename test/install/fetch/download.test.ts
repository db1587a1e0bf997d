import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fetchBlob } from '../../../src/install/fetch/fetch.ts';
import { ensureInstalled, findInstalled } from '../../../src/install/install.ts';
import { serverDirectories } from '../../../src/install/store/layout.ts';
import { closedPortUrl } from '../../support/closed-port.ts';
import { rejection } from '../../support/rejection.ts';
import { failureOf, leftovers } from '../demo.ts';
import {
  breakOff,
  FileServer,
  mirrorPath,
  redirect,
  releaseRequest,
  sendRange,
  sha256Of,
  stall,
  status,
} from '../file-server.ts';

const content = new Uint8Array(Buffer.from('#!/bin/sh\necho demo\n'.repeat(5000)));
const other = new Uint8Array(Buffer.from('something else'));
const nothing = { installed: [], staging: [] };

describe('ensureInstalled() from a release', () => {
  test('installs the program, and makes no further request', async () => {
    await using server = await FileServer.start();
    server.files.set('/v1.0.0/demo', content);
    const messages: string[] = [];
    const request = releaseRequest(`${server.url}v{version}/{file}`, content, {
      onProgress: ({ message }) => messages.push(message),
    });
    const installed = await ensureInstalled(request);
    expect(installed).toMatchObject({ id: 'demo', version: '1.0.0', program: join(installed.directory, 'demo') });
    expect(new Uint8Array(readFileSync(installed.program))).toEqual(content);
    expect(statSync(installed.program).mode & 0o111).not.toBe(0);
    expect(findInstalled(request)).toEqual(installed);
    expect(await ensureInstalled(request)).toEqual(installed);
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1.0.0/demo']);
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
    expect(messages).toContain('Downloading demo 1.0.0 (0.1 MB)');
    expect(leftovers(request.home).staging).toEqual([]);
    // The program is executable, and no blob is kept.
    expect(readdirSync(serverDirectories(request.home).root)).not.toContain('blobs');
  });

  test.each([
    ['different content', () => other],
    ['shorter content', () => content.subarray(0, 100)],
    ['no content', () => new Uint8Array()],
  ])('rejects %s with both hashes on separate lines, and tries no other source', async (_what, make) => {
    await using server = await FileServer.start();
    await using mirror = await FileServer.start();
    const found = make();
    server.files.set('/demo', found);
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf({ ...request, env: { ...request.env, SERENA_MIRROR: mirror.url } });
    expect(error.code).toBe('install.hash-mismatch');
    expect(error.message.split('\n')).toEqual([
      expect.stringContaining('`demo`'),
      `  expected: ${sha256Of(content)}`,
      `  found:    ${sha256Of(found)}`,
    ]);
    expect(server.requests.length).toBe(1);
    expect(mirror.requests.length).toBe(1);
    expect(leftovers(request.home)).toEqual(nothing);
  });

  test('rejects a file that never ends', async () => {
    await using server = await FileServer.start();
    const junk = Buffer.alloc(1e6, 'junk');
    server.answers.push((_request, response) => {
      const more = () => response.write(junk) && setImmediate(more);
      response.on('drain', more);
      more();
    });
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf(request);
    expect(error.code).toBe('install.hash-mismatch');
    expect(error.message).toMatch(/found: {4}more than \d+ bytes/);
    expect(leftovers(request.home)).toEqual(nothing);
  });

  test.each([408, 425, 429, 500, 502, 503, 504])('retries after status %d', async (code) => {
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    server.answers.push(status(code), status(code));
    await ensureInstalled(releaseRequest(`${server.url}{file}`, content));
    expect(server.requests.length).toBe(3);
  });

  test('gives up after five attempts', async () => {
    await using server = await FileServer.start();
    server.answers.push(...Array.from({ length: 9 }, () => status(503)));
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf(request);
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toContain('503');
    expect(error.hints.join('\n')).toContain('serena servers unpack');
    expect(server.requests.length).toBe(5);
    expect(leftovers(request.home)).toEqual(nothing);
  });

  test('waits as long as `Retry-After` says', async () => {
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    server.answers.push(status(503, { 'retry-after': '1' }));
    const startedMs = Date.now();
    await ensureInstalled(releaseRequest(`${server.url}{file}`, content));
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(1000);
  });

  test('does not wait if `Retry-After` is hours', async () => {
    await using server = await FileServer.start();
    server.answers.push(status(429, { 'retry-after': '7200' }));
    const error = await failureOf(releaseRequest(`${server.url}{file}`, content));
    expect(error.message).toContain('429');
    expect(server.requests.length).toBe(1);
  });

  test.each([400, 401, 403, 404, 410])('does not retry after status %d', async (code) => {
    await using server = await FileServer.start();
    server.answers.push(status(code));
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf(request);
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toContain(`status ${code}`);
    expect(server.requests.length).toBe(1);
    expect(leftovers(request.home)).toEqual(nothing);
  });
});

describe('an interrupted download', () => {
  test('is resumed', async () => {
    await using server = await FileServer.start();
    server.answers.push(breakOff(content, 30_000), sendRange(content));
    await ensureInstalled(releaseRequest(`${server.url}{file}`, content));
    const [first, second] = server.requests;
    expect(first?.headers.range).toBeUndefined();
    expect(second?.headers.range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(second?.headers['if-range']).toBe('"v1"');
  });

  test('starts over if the server cannot resume', async () => {
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    server.answers.push(breakOff(content, 30_000));
    await ensureInstalled(releaseRequest(`${server.url}{file}`, content));
    expect(server.requests.length).toBe(2);
  });

  test('starts over if the server does not have the range or sends another one', async () => {
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    const wrongPart = (_: unknown, response: import('node:http').ServerResponse) =>
      void response.writeHead(206, { 'content-range': 'bytes 5-9/99' }).end('12345');
    server.answers.push(breakOff(content, 30_000), status(416), breakOff(content, 10_000), wrongPart);
    await ensureInstalled(releaseRequest(`${server.url}{file}`, content));
    expect(server.requests.at(-1)?.headers.range).toBeUndefined();
  });

  test('leaves nothing if every attempt fails', async () => {
    await using server = await FileServer.start();
    server.answers.push(...Array.from({ length: 9 }, () => breakOff(content, 100)));
    const request = releaseRequest(`${server.url}{file}`, content);
    expect((await failureOf(request)).code).toBe('install.download-failed');
    expect(leftovers(request.home)).toEqual(nothing);
  });

  test.each([0, 100])('can be one that stalls after %d bytes', async (sentBytes) => {
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    server.answers.push(stall(content, sentBytes));
    await ensureInstalled(releaseRequest(`${server.url}{file}`, content));
    expect(server.requests.length).toBe(2);
  });

  test('can be one without a response', async () => {
    await using server = await FileServer.start();
    server.answers.push(...Array.from({ length: 9 }, () => () => undefined));
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf({ ...request, timing: { retryDelaysMs: [1], idleTimeoutMs: 100 } });
    expect(error.message).toContain('no data for 0.1 s');
    expect(server.requests.length).toBe(2);
  });

  test('for lack of a server names the URL', async () => {
    const url = await closedPortUrl();
    const error = await failureOf(releaseRequest(`${url}{file}`, content));
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toContain(url);
  });

  test('stops when cancelled, and leaves nothing', async () => {
    await using server = await FileServer.start();
    const controller = new AbortController();
    server.answers.push((request, response) => {
      stall(content, 100)(request, response);
      setTimeout(() => controller.abort(new Error('enough')), 20);
    });
    const request = releaseRequest(`${server.url}{file}`, content, { signal: controller.signal });
    expect(await rejection(ensureInstalled({ ...request, timing: undefined }))).toContain('enough');
    expect(leftovers(request.home)).toEqual(nothing);
  });
});

describe('a redirect', () => {
  test('on the same host is followed', async () => {
    await using server = await FileServer.start();
    server.files.set('/elsewhere', content);
    server.answers.push(redirect('/elsewhere'));
    await ensureInstalled(releaseRequest(`${server.url}{file}`, content));
  });

  test('to a host that is not allowed is rejected before a request', async () => {
    await using server = await FileServer.start();
    await using foreign = await FileServer.start();
    foreign.files.set('/demo', content);
    server.answers.push(redirect(`${foreign.url}demo?secret=1`));
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf(request);
    expect(error.code).toBe('install.download-failed');
    expect(error.message).toContain(`127.0.0.1:${foreign.port}`);
    expect(error.message).not.toContain('secret');
    expect(error.hints[0]).toContain('SERENA_URL_REWRITE');
    expect(foreign.requests).toEqual([]);
    expect(leftovers(request.home)).toEqual(nothing);
  });

  test('to a host that the user allows is followed', async () => {
    await using server = await FileServer.start();
    await using foreign = await FileServer.start();
    foreign.files.set('/demo', content);
    server.answers.push(redirect(`${foreign.url}demo`));
    const request = releaseRequest(`${server.url}{file}`, content);
    const SERENA_URL_REWRITE = JSON.stringify({ [foreign.url]: foreign.url });
    await ensureInstalled({ ...request, env: { ...request.env, SERENA_URL_REWRITE } });
  });

  test('loop is stopped', async () => {
    await using server = await FileServer.start();
    server.answers.push(...Array.from({ length: 20 }, () => redirect('/demo')));
    expect((await failureOf(releaseRequest(`${server.url}{file}`, content))).message).toContain(
      'redirects more than 10 times',
    );
    expect(server.requests.length).toBeLessThan(15);
  });

  test.each(['http://example.invalid/x', 'file:///etc/passwd', 'ftp://127.0.0.1/x'])(
    'to %s is rejected',
    async (address) => {
      await using server = await FileServer.start();
      server.answers.push(redirect(address));
      expect((await failureOf(releaseRequest(`${server.url}{file}`, content))).message).toContain('https');
    },
  );
});

describe('SERENA_MIRROR', () => {
  test('has the file under its hash, so that the origin gets no request', async () => {
    await using mirror = await FileServer.start();
    await using server = await FileServer.start();
    mirror.files.set(`/base${mirrorPath(sha256Of(content))}`, content);
    const request = releaseRequest(`${server.url}{file}`, content);
    const SERENA_MIRROR = `http://me:pass%20word@127.0.0.1:${mirror.port}/base`;
    await ensureInstalled({ ...request, env: { ...request.env, SERENA_MIRROR } });
    expect(server.requests).toEqual([]);
    expect(mirror.requests[0]?.headers.authorization).toBe(`Basic ${btoa('me:pass word')}`);
  });

  test.each([
    ['does not have it', [] as const],
    ['fails', Array.from({ length: 5 }, () => status(500))],
  ])("that %s: the origin is used, without the mirror's password", async (_what, answers) => {
    await using mirror = await FileServer.start();
    await using server = await FileServer.start();
    mirror.answers.push(...answers);
    server.files.set('/demo', content);
    const request = releaseRequest(`${server.url}{file}`, content);
    const SERENA_MIRROR = `http://me:secret@127.0.0.1:${mirror.port}/`;
    await ensureInstalled({ ...request, env: { ...request.env, SERENA_MIRROR } });
    expect(server.requests.length).toBe(1);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('that redirects to another port does not give away its password there', async () => {
    await using mirror = await FileServer.start();
    await using elsewhere = await FileServer.start();
    elsewhere.files.set('/demo', content);
    mirror.answers.push(redirect(`${elsewhere.url}demo`));
    const request = releaseRequest('http://127.0.0.1:1/{file}', content);
    const SERENA_MIRROR = `http://me:secret@127.0.0.1:${mirror.port}/`;
    const SERENA_URL_REWRITE = JSON.stringify({ [elsewhere.url]: elsewhere.url });
    await ensureInstalled({ ...request, env: { ...request.env, SERENA_MIRROR, SERENA_URL_REWRITE } });
    expect(mirror.requests[0]?.headers.authorization).toBe(`Basic ${btoa('me:secret')}`);
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('with different content is an error, and no other source is tried', async () => {
    await using mirror = await FileServer.start();
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    mirror.files.set(mirrorPath(sha256Of(content)), other);
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf({ ...request, env: { ...request.env, SERENA_MIRROR: mirror.url } });
    expect(error.code).toBe('install.hash-mismatch');
    expect(server.requests).toEqual([]);
    expect(leftovers(request.home)).toEqual(nothing);
  });
});

describe('SERENA_URL_REWRITE', () => {
  test('replaces the longest matching prefix', async () => {
    await using server = await FileServer.start();
    server.files.set('/gh/tool/v1/demo', content);
    const request = releaseRequest('https://releases.example.org/tool/v1/{file}', content);
    const SERENA_URL_REWRITE = JSON.stringify({
      'https://releases.example.org/': 'https://wrong.example.org/',
      'https://releases.example.org/tool/': `${server.url}gh/tool/`,
    });
    await ensureInstalled({ ...request, env: { ...request.env, SERENA_URL_REWRITE, GITHUB_TOKEN: 'topsecret' } });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe('an unusable setting', () => {
  test.each([
    ['SERENA_MIRROR', 'not an address'],
    ['SERENA_MIRROR', 'ftp://me:secret@x/'],
    ['SERENA_URL_REWRITE', '{'],
    ['SERENA_URL_REWRITE', '{"https://a/": 5}'],
    ['SERENA_URL_REWRITE', '["https://a/"]'],
    ['SERENA_CA_FILE', '/nonexistent/secret.pem'],
    ['SERENA_CA_FILE', import.meta.filename],
    ['HTTP_PROXY', 'socks5://me:secret@127.0.0.1:1'],
  ])('%s=%s causes an error that names the variable but not its value', async (name, value) => {
    await using server = await FileServer.start();
    const request = releaseRequest(`${server.url}{file}`, content);
    const error = await failureOf({ ...request, env: { ...request.env, [name]: value } });
    expect(error.code).toBe('config.invalid');
    expect(error.message).toContain(`\`${name}\``);
    expect(`${error.message}${error.hints.join('')}`).not.toContain('me:secret');
    expect(server.requests).toEqual([]);
    expect(leftovers(request.home)).toEqual(nothing);
  });
});

describe('fetchBlob()', () => {
  const artifact = (url: string) => ({
    title: 'demo',
    integrity: sha256Of(content),
    sizeBytes: content.length,
    origin: { kind: 'url', url } as const,
  });
  const contextOf = (home: string, env = {}) => ({
    ...{ home, env },
    signal: new AbortController().signal,
    report: () => undefined,
    timing: { retryDelaysMs: [], idleTimeoutMs: 1000 },
  });

  test('keeps a downloaded blob for installations without network access', async () => {
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    const request = releaseRequest(`${server.url}{file}`, content);
    const path = await fetchBlob(artifact(`${server.url}demo`), contextOf(request.home));
    expect(path).toBe(join(serverDirectories(request.home).blobs, mirrorPath(sha256Of(content))));
    expect(statSync(path).mode & 0o777).toBe(0o444);
    expect(await fetchBlob(artifact(`${server.url}demo`), contextOf(request.home))).toBe(path);
    const installed = await ensureInstalled({ ...request, env: { ...request.env, SERENA_OFFLINE: '1' } });
    expect(new Uint8Array(readFileSync(installed.program))).toEqual(content);
    expect(server.requests.length).toBe(1);
    expect(leftovers(request.home).staging).toEqual([]);
  });

  test('rejects a changed blob, and so does an installation', async () => {
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    const request = releaseRequest(`${server.url}{file}`, content);
    const path = await fetchBlob(artifact(`${server.url}demo`), contextOf(request.home));
    await Bun.$`chmod u+w ${path} && printf x >> ${path}`;
    for (const failing of [failureOf(request), rejection(fetchBlob(artifact(server.url), contextOf(request.home)))]) {
      expect(String(await failing)).toContain(`\`${path}\``);
    }
    expect(server.requests.length).toBe(1);
  });

  test('uses the blob of a store', async () => {
    await using server = await FileServer.start();
    server.files.set('/demo', content);
    const elsewhere = releaseRequest(`${server.url}{file}`, content);
    const path = await fetchBlob(artifact(`${server.url}demo`), contextOf(elsewhere.home));
    const { home } = releaseRequest(`${server.url}{file}`, content);
    const env = { SERENA_STORE: serverDirectories(elsewhere.home).root, SERENA_OFFLINE: '1' };
    expect(await fetchBlob(artifact(`${server.url}demo`), contextOf(home, env))).toBe(path);
  });
});
