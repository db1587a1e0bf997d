import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { eventually } from '../../support/eventually.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { type HttpServer, httpTransports, startHttp } from '../../support/http.ts';
import { callBody, initializeBody, messageHeaders, openSse, rawRequest } from '../../support/raw-http.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const list = { relative_path: '.', recursive: false };
const post = (url: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  rawRequest(url, { method: 'POST', headers: { ...messageHeaders, ...headers }, body });

/** Starts a session of the Streamable HTTP transport and returns the headers for its requests. */
async function beginSession(server: HttpServer) {
  const { status, headers } = await post(server.url, initializeBody());
  expect(status).toBe(200);
  const session = { 'Mcp-Session-Id': String(headers['mcp-session-id']), 'MCP-Protocol-Version': '2025-06-18' };
  const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect((await post(server.url, initialized, session)).status).toBe(202);
  return session;
}

/** Behavior of every path that accepts messages, in both transports. */
describe.each([...httpTransports])('over %s', (transport) => {
  const code = (text: string) => Number(JSON.parse(text).error.code);

  /** Starts a server and returns a path that accepts messages, and a client of another session. */
  async function start() {
    const server = await startHttp({ transport });
    const client = await server.connect();
    const stream = transport === 'sse' ? await openSse(server.url) : undefined;
    return {
      ...{ server, client, url: stream?.messagesUrl ?? server.url },
      [Symbol.asyncDispose]: async () => {
        stream?.close();
        await server.stop();
      },
    };
  }

  test('a body that is not JSON, or not a message, is refused', async () => {
    await using started = await start();
    const { url, client } = started;
    for (const body of ['', '{', 'null and void', '\u0000', new Uint8Array([0xff, 0xfe])]) {
      const { status, text } = await post(url, body);
      expect({ status, code: code(text) }).toEqual({ status: 400, code: -32700 });
    }
    for (const body of ['null', '1', '[]', '{}', '{"jsonrpc": "1.0", "id": 1, "method": "ping"}']) {
      expect((await post(url, body)).status).toBe(400);
    }
    await client.client.ping();
  });

  test('a request with wrong parameters gets a readable error, not a dump', async () => {
    await using started = await start();
    const { client } = started.client;
    const request = (method: string, params: Record<string, unknown>) =>
      client.request({ method, params }, z.looseObject({}));
    const failure = (request: Promise<unknown>) => request.catch(({ code, message }) => ({ code, message }));
    const wrong = { name: 'list_dir', arguments: '{}' };
    expect(await failure(request('tools/call', wrong))).toEqual({
      code: -32602,
      message: expect.stringMatching(/: Invalid params: `params.arguments` must be an object, not a string$/),
    });
    expect(await failure(request('tools/call', { ...wrong, name: 5 }))).toMatchObject({ code: -32602 });
    await client.ping();
  });

  test('a body that is too large is refused, with or without Content-Length, and the server keeps working', async () => {
    await using started = await start();
    const { url, client } = started;
    const huge = new Uint8Array(5 * 1024 * 1024).fill(32);
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const { status, text } = await post(url, huge, headers);
      expect({ status, text }).toEqual({ status: 413, text: expect.stringContaining('larger than 4194304 bytes') });
    }
    await client.client.ping();
  });

  test('a content type other than JSON is refused', async () => {
    await using started = await start();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/plain; a=application/json']) {
      expect((await post(started.url, initializeBody(), { 'Content-Type': type })).status).toBe(415);
    }
  });

  test('other paths are not found', async () => {
    await using started = await start();
    for (const path of ['/', '/favicon.ico', '/mcp/x', '/sse//', '//mcp', '/%6dcp', '/messages/x']) {
      const { status, text } = await rawRequest(new URL('/', started.server.url).href.replace(/\/$/, path));
      expect({ path, status, text }).toEqual({
        path,
        status: 404,
        text: `Not found; MCP clients use ${new URL(started.server.url).pathname}\n`,
      });
    }
  });

  test('a request of an unknown session is told to initialize again', async () => {
    await using started = await start();
    const url = started.url.replace(/sessionId=.*/, 'sessionId=nosuch');
    const { status, text } = await post(url, callBody('list_dir', list), { 'Mcp-Session-Id': 'nosuch' });
    expect({ status, code: code(text) }).toEqual({ status: 404, code: -32001 });
    expect(text).toContain('Send `initialize` again');
  });

  test('an aborted request, and one that is not HTTP, do not affect the server', async () => {
    await using started = await start();
    const { hostname, port } = new URL(started.server.url);
    const heads = [
      '',
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\n',
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`,
    ];
    for (const head of heads) {
      await new Promise<void>((resolve) => {
        const socket = connectSocket(Number(port), hostname, () => socket.write(head, () => socket.destroy()));
        socket.once('close', () => resolve());
      });
    }
    await started.client.client.ping();
  });
});

describe.each([...httpTransports])('over %s', (transport) => {
  test('a client that disconnects before its session has started leaves none behind', async () => {
    await using server = await startHttp({ transport, args: ['--idle-timeout', '5'] });
    const { hostname, port, pathname } = new URL(server.url);
    const body = transport === 'sse' ? '' : initializeBody();
    const head = [
      `${transport === 'sse' ? 'GET' : 'POST'} ${pathname} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
    ];
    // Some disconnect at once, some while the session is created, some after that.
    const visits = Array.from({ length: 40 }, async (_, delayMs) => {
      const socket = connectSocket(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
      await pause(delayMs);
      socket.destroy();
    });
    await Promise.all(visits);
    const visitor = await server.connect();
    await visitor.leave();
    await eventually('a session to begin', () => /Session \S+ started/.test(server.stderr));
    await eventually('every session to end', () => server.sessions === 0);
  });
});

describe('over streamable-http', () => {
  const transport = 'streamable-http';

  test('only `initialize` is served without a session', async () => {
    await using server = await startHttp({ transport });
    const project = makeWorkspace({});
    expect((await post(server.url, callBody('activate_project', { project: project.root }))).status).toBe(400);
    expect((await rawRequest(server.url, { headers: { Accept: 'text/event-stream' } })).status).toBe(400);
    expect((await rawRequest(server.url, { method: 'DELETE' })).status).toBe(400);
    expect((await post(server.url, `[${initializeBody()}]`)).status).toBe(400);
    expect(readFileSync(join(sharedHome(), 'serena_config.yml'), 'utf8')).not.toContain(project.root);
    expect(server.stderr).not.toContain('Session ');
  });

  test('a refused `initialize` leaves no session', async () => {
    await using server = await startHttp({ transport });
    expect((await post(server.url, initializeBody(), { Accept: 'application/json' })).status).toBe(406);
    expect(server.stderr).not.toContain('Session ');
  });

  test('a session ends with DELETE, and its id becomes invalid', async () => {
    await using server = await startHttp({ transport });
    const session = await beginSession(server);
    expect((await post(server.url, callBody('initial_instructions', {}), session)).status).toBe(200);
    expect((await rawRequest(server.url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await post(server.url, callBody('initial_instructions', {}), session)).status).toBe(404);
    expect((await rawRequest(server.url, { method: 'DELETE', headers: session })).status).toBe(404);
    await eventually('the log entry', () => server.sessions === 0);
  });

  test('a session id cannot be guessed from another one', async () => {
    await using server = await startHttp({ transport });
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await beginSession(server))['Mcp-Session-Id']),
    );
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('a protocol version that does not exist is refused', async () => {
    await using server = await startHttp({ transport });
    const session = { ...(await beginSession(server)), 'MCP-Protocol-Version': '1999-01-01' };
    expect((await post(server.url, callBody('initial_instructions', {}), session)).status).toBe(400);
  });

  test('the stream of a cancelled call ends, because no response will come', async () => {
    const asked = join(makeTempDir(), 'asked');
    const stub = stubServers({ python: ['reports-cancellation', { asked, report: join(makeTempDir(), 'report') }] });
    const project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
    await using server = await startHttp({
      transport,
      args: ['--project', project.root],
      env: { SERENA_HOME: makeHome(stub) },
    });
    const session = await beginSession(server);
    const call = post(server.url, callBody('get_symbols_overview', { relative_path: 'a.py' }), session);
    await eventually('the request to reach the language server', () => existsSync(asked));
    const cancelled = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    expect((await post(server.url, cancelled, session)).status).toBe(202);
    const { status, text } = await call;
    expect({ status, hasAnswer: text.includes('data:') }).toEqual({ status: 200, hasAnswer: false });
  });

  test('a session without requests and streams ends after the idle time; one with a stream does not', async () => {
    await using server = await startHttp({ transport, args: ['--idle-timeout', '5'] });
    await using listening = await server.connect();
    const session = await beginSession(server);
    const ended = `Session ${session['Mcp-Session-Id'].slice(0, 8)} ends`;
    await eventually('the silent session to end', () => server.stderr.includes(ended));
    expect((await post(server.url, callBody('initial_instructions', {}), session)).status).toBe(404);
    expect(await listening.ask('initial_instructions')).toContain('find_symbol');
  });

  test('at the limit, the session of a client with the fewest requests ends, among equals the one quiet for longest', async () => {
    await using server = await startHttp({ transport });
    const first = await beginSession(server);
    const second = await post(server.url, initializeBody());
    const third = await beginSession(server);
    for (let index = 3; index < 256; index++) expect((await post(server.url, initializeBody())).status).toBe(200);
    await eventually('the log entry', () => server.sessions === 256);
    expect((await post(server.url, callBody('initial_instructions', {}), first)).status).toBe(200);
    expect((await post(server.url, initializeBody())).status).toBe(200);
    await eventually('the log entry', () => server.sessions === 256);
    expect((await post(server.url, callBody('initial_instructions', {}), first)).status).toBe(200);
    const ofSecond = { 'Mcp-Session-Id': String(second.headers['mcp-session-id']) };
    expect((await post(server.url, callBody('initial_instructions', {}), ofSecond)).status).toBe(404);
    expect((await post(server.url, callBody('initial_instructions', {}), third)).status).toBe(200);
  });

  test('a flood of sessions does not end those of another client, and a new client is still accepted', async () => {
    await using server = await startHttp({ transport });
    const idle = await post(server.url, initializeBody());
    const flood = () => post(server.url, initializeBody().replace('raw-client', 'flood'));
    for (let index = 0; index < 300; index++) expect((await flood()).status).toBe(200);
    const session = { 'Mcp-Session-Id': String(idle.headers['mcp-session-id']) };
    expect((await post(server.url, callBody('initial_instructions', {}), session)).status).toBe(200);
    expect((await post(server.url, initializeBody().replace('raw-client', 'another'))).status).toBe(200);
    await eventually('the log entry', () => server.sessions === 256);
  });
});

describe('over sse', () => {
  test('the stream announces the path for messages, and the session ends with the stream', async () => {
    await using server = await startHttp({ transport: 'sse' });
    const stream = await openSse(server.url);
    expect(new URL(stream.messagesUrl).pathname).toBe('/messages/');
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await post(stream.messagesUrl, ping)).status).toBe(202);
    stream.close();
    await eventually('the session to end', () => server.sessions === 0);
    expect((await post(stream.messagesUrl, ping)).status).toBe(404);
  });

  test('each path accepts one method', async () => {
    await using server = await startHttp({ transport: 'sse' });
    const wrong = [await post(server.url, initializeBody()), await rawRequest(new URL('/messages/', server.url).href)];
    expect(wrong.map(({ status, headers }) => ({ status, allow: headers.allow }))).toEqual([
      { status: 405, allow: 'GET' },
      { status: 405, allow: 'POST' },
    ]);
    expect((await post(new URL('/messages/', server.url).href, initializeBody())).status).toBe(400);
  });
});
