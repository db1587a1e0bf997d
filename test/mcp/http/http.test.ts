import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { eventually } from '../../support/eventually.ts';
import { makeHome, type Stub, stubServers } from '../../support/homes.ts';
import { type HttpServer, type HttpTransport, httpTransports, startHttp } from '../../support/http.ts';
import { canListProcesses, findMarked } from '../../support/processes.ts';
import { rejection } from '../../support/rejection.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { copyFixture, makeWorkspace } from '../../support/workspace.ts';

const files = { 'a.py': 'def one():\n    pass\n', 'b.py': 'def two():\n    pass\n' };
const list = { relative_path: '.', recursive: false };
const listsProcesses = testUnless(canListProcesses ? undefined : 'processes cannot be listed here');

const startWithStub = (transport: HttpTransport, stub: Stub, args: readonly string[] = []) =>
  startHttp({ transport, args, env: { SERENA_HOME: makeHome(stubServers({ python: stub })) } });

/** Starts a server whose Python stub never answers `documentSymbol` and records requests and cancellations. */
async function startCancellable(transport: HttpTransport, args: readonly string[] = []) {
  const directory = makeTempDir();
  const [asked, report] = [join(directory, 'asked'), join(directory, 'cancelled')];
  return {
    server: await startWithStub(transport, ['reports-cancellation', { asked, report }], args),
    untilRequested: () => eventually('the request to reach the language server', () => existsSync(asked)),
    untilCancelled: () =>
      eventually(
        'the language server to hear of it',
        () => existsSync(report) && readFileSync(report, 'utf8') === 'textDocument/documentSymbol\n',
      ),
  };
}

const languageServers = (server: HttpServer) => findMarked(server.mark).filter(({ pid }) => pid !== server.pid);

/** Returns the files that the server has open below `directory`. */
function openFiles(server: HttpServer, directory: string): string[] {
  const descriptors = `/proc/${server.pid}/fd`;
  return readdirSync(descriptors).flatMap((name) => {
    try {
      const path = readlinkSync(join(descriptors, name));
      return path.startsWith(directory) ? [path] : [];
    } catch {
      return [];
    }
  });
}

/** Returns the number of worker threads of projects: Bun names them differently from its own threads. */
function workers(server: HttpServer): number {
  const tasks = `/proc/${server.pid}/task`;
  return readdirSync(tasks).filter((thread) => {
    try {
      return readFileSync(join(tasks, thread, 'comm'), 'utf8').trim() === 'Worker';
    } catch {
      return false;
    }
  }).length;
}

describe.each([...httpTransports])('over %s', (transport) => {
  test('two clients have different projects', async () => {
    await using server = await startHttp({ transport });
    const [first, second] = [
      makeWorkspace({ 'one.txt': '' }, { as: 'first' }),
      makeWorkspace({ 'two.txt': '' }, { as: 'second' }),
    ];
    await using a = await server.connect();
    await using b = await server.connect();
    await Promise.all([
      a.ask('activate_project', { project: first.root }),
      b.ask('activate_project', { project: second.root }),
    ]);
    const lists = await Promise.all([a.ask('list_dir', list), b.ask('list_dir', list)]);
    expect(lists.map((text) => JSON.parse(text).files)).toEqual([['one.txt'], ['two.txt']]);
    await using c = await server.connect();
    expect((await c.call('list_dir', list)).text).toContain('no project is active');
    expect(server.stdout).toBe('');
  });

  test('a client starts with the project of its first root, or with the one given at start', async () => {
    const [root, given] = [
      makeWorkspace({ 'root.txt': '' }, { as: 'root' }),
      makeWorkspace({ 'given.txt': '' }, { as: 'given' }),
    ];
    await using server = await startHttp({ transport });
    await using rooted = await server.connect({ roots: [root.root] });
    expect(JSON.parse(await rooted.ask('list_dir', list)).files).toEqual(['root.txt']);
    await using other = await startHttp({ transport, args: ['--project', given.root] });
    await using client = await other.connect({ roots: [root.root] });
    expect(JSON.parse(await client.ask('list_dir', list)).files).toEqual(['given.txt']);
  });

  listsProcesses(
    'two clients of one project share its language server, which lives as long as one of them does',
    async () => {
      const project = copyFixture('python');
      await using server = await startHttp({ transport, args: ['--project', project.root] });
      const clients = [await server.connect(), await server.connect()] as const;
      const overview = { relative_path: 'shop/helper.py' };
      const [one, two] = await Promise.all(clients.map((client) => client.ask('get_symbols_overview', overview)));
      expect(one).toBe(two ?? '');
      const pyrights = () => languageServers(server).filter(({ command }) => command.includes('pyright'));
      const [running, ...more] = pyrights();
      expect({ running, more }).toEqual({ running: expect.objectContaining({ pid: expect.any(Number) }), more: [] });
      await clients[0].leave();
      await eventually('the session to end', () => server.sessions === 1);
      expect(await clients[1].ask('get_symbols_overview', overview)).toBe(one ?? '');
      expect(pyrights().map(({ pid }) => pid)).toEqual([running?.pid ?? -1]);
      await clients[1].leave();
      await eventually('the language server to end', () => languageServers(server).length === 0);
    },
    120_000,
  );

  test('progress reaches only the client that requested it', async () => {
    await using server = await startWithStub(transport, 'reports-progress');
    await using asking = await server.connect({ roots: [makeWorkspace(files).root] });
    await using other = await server.connect({ roots: [makeWorkspace(files).root] });
    const leftovers: unknown[] = [];
    other.client.fallbackNotificationHandler = async (notification) => void leftovers.push(notification);
    const heard: Progress[] = [];
    await asking.ask('get_symbols_overview', { relative_path: 'a.py' }, { onProgress: (said) => heard.push(said) });
    await other.ask('list_dir', list);
    expect(heard[0]).toMatchObject({ progress: 1, message: expect.stringContaining('Starting') });
    expect(leftovers).toEqual([]);
  });

  test('a cancellation reaches the language server, and other calls continue', async () => {
    const { server, untilRequested, untilCancelled } = await startCancellable(transport);
    await using _ = server;
    await using client = await server.connect({ roots: [makeWorkspace(files).root] });
    const stop = new AbortController();
    const call = client.call('find_symbol', { name_path_pattern: 'one' }, { signal: stop.signal });
    call.catch(() => undefined);
    await untilRequested();
    stop.abort();
    await rejection(call);
    await untilCancelled();
    expect(JSON.parse(await client.ask('list_dir', list)).files).toEqual(['a.py', 'b.py']);
  });

  test('a slow call of one client does not delay the others', async () => {
    const { server, untilRequested } = await startCancellable(transport);
    await using _ = server;
    const [slow, quick] = [makeWorkspace(files, { as: 'slow' }), makeWorkspace({ 'c.txt': '' }, { as: 'quick' })];
    await using a = await server.connect({ roots: [slow.root] });
    await using b = await server.connect({ roots: [slow.root] });
    const call = a.call('find_symbol', { name_path_pattern: 'one' });
    call.catch(() => undefined);
    await untilRequested();
    // With another project, too: within one session `activate_project` would wait for the slow call.
    await b.ask('activate_project', { project: quick.root });
    expect(JSON.parse(await b.ask('list_dir', list)).files).toEqual(['c.txt']);
  });

  listsProcesses('what a client leaves that vanishes in the middle of a call is ended, and others go on', async () => {
    const { server, untilRequested, untilCancelled } = await startCancellable(transport, ['--idle-timeout', '5']);
    await using _ = server;
    await using staying = await server.connect({ roots: [makeWorkspace({ 'c.txt': '' }).root] });
    await staying.ask('list_dir', list);
    const vanishing = await server.connect({ roots: [makeWorkspace(files).root] });
    vanishing.call('find_symbol', { name_path_pattern: 'one' }).catch(() => undefined);
    await untilRequested();
    await vanishing.vanish();
    await untilCancelled();
    await eventually('its language server to end', () => languageServers(server).length === 0);
    await eventually('the log entry', () => server.sessions === 1);
    expect(JSON.parse(await staying.ask('list_dir', list)).files).toEqual(['c.txt']);
  });

  listsProcesses('a client that leaves while its language server starts leaves no server', async () => {
    await using server = await startWithStub(transport, 'never-initializes');
    const client = await server.connect({ roots: [makeWorkspace(files).root] });
    client.call('find_symbol', { name_path_pattern: 'one' }).catch(() => undefined);
    await eventually('the language server to start', () => languageServers(server).length > 0);
    await client.leave();
    await eventually('the language server to end', () => languageServers(server).length === 0);
    // The next client may start the server again.
    await using next = await server.connect({ roots: [makeWorkspace(files).root] });
    const call = next.call('find_symbol', { name_path_pattern: 'one' });
    call.catch(() => undefined);
    await eventually('another one to start', () => languageServers(server).length > 0);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect((await call).text).toContain('the server is shutting down');
    expect(findMarked(server.mark)).toEqual([]);
  });

  listsProcesses('twenty clients that come and leave leave no session, project or process', async () => {
    const project = makeWorkspace(files);
    const other = makeWorkspace(files, { as: 'other' });
    const config = { ...stubServers({ python: 'well-behaved' }), included_optional_tools: ['query_project'] };
    const env = { SERENA_HOME: makeHome({ ...config, projects: [project.root, other.root] }) };
    await using server = await startHttp({ transport, args: ['--idle-timeout', '5'], env });
    const visit = async (index: number) => {
      const client = await server.connect();
      await client.ask('activate_project', { project: (index % 2 === 0 ? project : other).root });
      await client.ask('get_symbols_overview', { relative_path: 'a.py' });
      await client.ask('query_project', {
        project_name: project.root,
        tool_name: 'find_symbol',
        tool_params_json: '{"name_path_pattern": "one"}',
      });
      expect(workers(server)).toBeGreaterThan(0);
      // Half of them disconnect without ending their session.
      await (index % 4 < 2 ? client.leave() : client.vanish());
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => visit(index)));
    await eventually('the sessions to end', () => server.sessions === 0);
    await eventually('the language servers to end', () => languageServers(server).length === 0);
    await eventually(
      'the projects to be closed',
      () => openFiles(server, project.root).length === 0 && openFiles(server, other.root).length === 0,
    );
    await eventually('the threads of the projects to end', () => workers(server) === 0);
  });
});
