import { describe, expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { startHttp } from '../support/http.ts';
import { RawMcp } from '../support/raw-mcp.ts';
import { rejection } from '../support/rejection.ts';
import { StatelessClient } from '../support/stateless-client.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const modern = '2026-07-28';
const readA = { relative_path: 'a.txt' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('the stateless protocol over stdio', () => {
  test('is negotiated; lists may be reused and calls are answered', async () => {
    await using project = makeWorkspace({ 'a.txt': 'alpha' });
    await using client = await StatelessClient.start({ args: ['--project', project.root] });
    expect(client.client.getNegotiatedProtocolVersion()).toBe(modern);
    expect(client.client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    expect(client.client.getInstructions()).toContain('`initial_instructions`');
    expect(await client.client.listTools()).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
    expect(await client.call('read_file', readA)).toEqual({ text: 'alpha', isError: false });
    // The project is known, so no call has to name it.
    expect(await client.parametersOf('read_file')).not.toContain('project');
  });

  test('asks a client for its roots, once', async () => {
    await using project = makeWorkspace({ 'a.txt': 'alpha' });
    await using client = await StatelessClient.start({ roots: [project.root], home: makeHome() });
    expect(client.client.getNegotiatedProtocolVersion()).toBe(modern);
    expect(await client.parametersOf('read_file')).not.toContain('project');
    expect(await client.call('read_file', readA)).toEqual({ text: 'alpha', isError: false });
    expect(await client.call('read_file', readA)).toEqual({ text: 'alpha', isError: false });
  });

  test('without roots and project, calls name their project', async () => {
    await using one = makeWorkspace({ 'a.txt': 'one' });
    await using other = makeWorkspace({ 'a.txt': 'other' });
    await using client = await StatelessClient.start({ home: makeHome() });
    expect(await client.parametersOf('read_file')).toContain('project');
    expect(await client.parametersOf('activate_project')).toEqual(['project']);
    expect(await client.parametersOf('read_file')).not.toContain('session');
    expect(await client.call('read_file', { ...readA, project: one.root })).toEqual({ text: 'one', isError: false });
    expect(await client.call('read_file', { ...readA, project: other.root })).toEqual({
      text: 'other',
      isError: false,
    });
    const refused = await client.call('read_file', { ...readA, project: 5 });
    expect(refused.text).toContain('`project`: must be a string');
    const missing = await client.call('read_file', { ...readA, project: `/${randomUUID()}` });
    expect(missing).toEqual({ text: expect.stringContaining('ProjectNotFoundError'), isError: true });
    // A call that names none has none, unlike after `activate_project`.
    expect((await client.call('read_file', readA)).text).toContain('no project is active');
    await client.call('activate_project', { project: one.root });
    expect(await client.call('read_file', readA)).toEqual({ text: 'one', isError: false });
  });

  test('a subscription reports changes of the list of tools', async () => {
    await using project = makeWorkspace({ 'a.txt': 'alpha' });
    const args = ['--context', 'deferred-loading', '--project', project.root];
    await using client = await StatelessClient.start({ args });
    expect(await client.client.listTools()).toMatchObject({ ttlMs: 0 });
    await client.call('search_tools', { query: 'rename' });
    await eventually('the notification', () => client.changes === 1);
    expect(await client.parametersOf('rename_symbol')).toContain('new_name');
  });

  test('a client that discovers first may still send `initialize`', async () => {
    await using project = makeWorkspace({ 'a.txt': 'alpha' });
    await using server = new RawMcp({ args: ['--project', project.root] });
    server.send({ id: 'discover', method: 'server/discover', params: { _meta: envelope } });
    const discovered = await server.answer('discover');
    expect(discovered.result).toMatchObject({ supportedVersions: [modern] });
    expect((await server.initialize()).result).toMatchObject({ protocolVersion: '2025-06-18' });
    server.call(1, 'read_file', readA);
    expect((await server.answer(1)).result).toMatchObject({ content: [{ text: 'alpha' }] });
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    '`initialize` of %s is answered',
    async (version) => {
      await using server = new RawMcp();
      const clientInfo = { name: 'raw-client', version: '1.0.0' };
      server.send({ id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo } });
      expect((await server.answer(1)).result).toMatchObject({ protocolVersion: version });
    },
  );

  test('progress of a call is reported', async () => {
    await using project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
    const home = makeHome(stubServers({ python: 'well-behaved' }));
    await using client = await StatelessClient.start({ args: ['--project', project.root], home });
    const reports: unknown[] = [];
    await client.client.callTool(
      { name: 'get_symbols_overview', arguments: { relative_path: 'a.py' } },
      { onprogress: (progress) => reports.push(progress) },
    );
    expect(reports).toContainEqual(expect.objectContaining({ progress: 1, message: expect.any(String) }));
  });

  test('`initialize` with an envelope, and `ping`, do not exist', async () => {
    await using server = new RawMcp();
    server.send({ id: 0, method: 'tools/list', params: { _meta: envelope } });
    await server.answer(0);
    server.send({ id: 1, method: 'ping', params: { _meta: envelope } });
    expect((await server.answer(1)).error).toMatchObject({ code: -32601 });
  });

  test('a wrong argument gets a readable error', async () => {
    await using server = new RawMcp();
    server.send({ id: 1, method: 'tools/call', params: { _meta: envelope, name: 'read_file', arguments: [] } });
    expect((await server.answer(1)).error).toMatchObject({
      code: -32602,
      message: 'Invalid params: `params.arguments` must be an object, not a list',
    });
  });

  test('an unknown version is refused with those that are served', async () => {
    await using server = new RawMcp();
    const _meta = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    server.send({ id: 1, method: 'tools/list', params: { _meta } });
    expect((await server.answer(1)).error).toMatchObject({ code: -32022, data: { supported: [modern] } });
  });
});

describe('the stateless protocol over HTTP', () => {
  test('calls without a handle share a session that none of them changes', async () => {
    await using project = makeWorkspace({ 'a.txt': 'alpha' });
    await using server = await startHttp({ transport: 'streamable-http', env: { SERENA_HOME: makeHome() } });
    await using client = await StatelessClient.connect(server.url);
    expect(client.client.getNegotiatedProtocolVersion()).toBe(modern);
    expect(await client.parametersOf('read_file')).toEqual(expect.arrayContaining(['session', 'project']));
    expect(await client.call('read_file', { ...readA, project: project.root })).toEqual({
      text: 'alpha',
      isError: false,
    });
    const refused = await client.call('activate_project', { project: project.root });
    expect(refused).toEqual({ text: expect.stringContaining('`activate_project` needs it'), isError: true });
    expect((await client.call('read_file', readA)).text).toContain('no project is active');
  });

  test('a handle keeps what its calls change, apart from other clients', async () => {
    await using project = makeWorkspace({ 'a.txt': 'alpha' });
    await using server = await startHttp({ transport: 'streamable-http', env: { SERENA_HOME: makeHome() } });
    await using client = await StatelessClient.connect(server.url);
    await using other = await StatelessClient.connect(server.url);
    const { text } = await client.call('initial_instructions');
    const session = /The handle of this session is `([^`]+)`/.exec(text)?.[1];
    if (session === undefined) throw new Error(`no handle in: ${text}`);
    await client.call('activate_project', { project: project.root, session });
    expect(await client.call('read_file', { ...readA, session })).toEqual({ text: 'alpha', isError: false });
    expect((await other.call('read_file', readA)).text).toContain('no project is active');
    const unknown = await other.call('read_file', { ...readA, session: randomUUID() });
    expect(unknown).toEqual({ text: expect.stringContaining('there is no session with this handle'), isError: true });
    const wrong = await other.call('read_file', { ...readA, session: 5 });
    expect(wrong).toEqual({ text: expect.stringContaining('`session`: must be a string'), isError: true });
  });

  test('the roots of a client name its project in every call', async () => {
    await using one = makeWorkspace({ 'a.txt': 'one' });
    await using other = makeWorkspace({ 'a.txt': 'other' });
    await using server = await startHttp({ transport: 'streamable-http', env: { SERENA_HOME: makeHome() } });
    await using first = await StatelessClient.connect(server.url, [one.root]);
    await using second = await StatelessClient.connect(server.url, [other.root]);
    const answers = await Promise.all([first, second, first].map((client) => client.call('read_file', readA)));
    expect(answers.map(({ text }) => text)).toEqual(['one', 'other', 'one']);
  });

  test('clients of both protocols are served side by side', async () => {
    await using project = makeWorkspace({ 'a.txt': 'alpha' });
    await using server = await startHttp({ transport: 'streamable-http', args: ['--project', project.root] });
    await using older = await server.connect();
    await using newer = await StatelessClient.connect(server.url);
    expect(await older.ask('read_file', readA)).toBe('alpha');
    expect(await newer.call('read_file', readA)).toEqual({ text: 'alpha', isError: false });
    expect(await newer.parametersOf('read_file')).not.toContain('project');
  });
});

test.each(['stdio', 'HTTP'])('the cancellation of a call over %s reaches the language server', async (transport) => {
  await using project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
  const directory = makeTempDir();
  const [asked, report] = [join(directory, 'asked'), join(directory, 'cancelled')];
  const method = 'textDocument/documentSymbol';
  const home = makeHome(stubServers({ python: ['reports-cancellation', { asked, report, method }] }));
  const args = ['--project', project.root];
  await using server = await startHttp({ transport: 'streamable-http', args, env: { SERENA_HOME: home } });
  await using client = await (transport === 'HTTP'
    ? StatelessClient.connect(server.url)
    : StatelessClient.start({ args, home }));
  const stop = new AbortController();
  const overview = { name: 'get_symbols_overview', arguments: { relative_path: 'a.py' } };
  const call = client.client.callTool(overview, { signal: stop.signal });
  call.catch(() => undefined);
  await eventually('the request to reach the language server', () => existsSync(asked));
  stop.abort();
  await rejection(call);
  await eventually('the cancellation', () => existsSync(report) && readFileSync(report, 'utf8') === `${method}\n`);
});
