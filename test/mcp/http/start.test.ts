import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expectClearExit } from '../../support/clear.ts';
import type { Runtime } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { httpTransports, startHttp } from '../../support/http.ts';
import { canListProcesses, findMarked, untilNoneMarked } from '../../support/processes.ts';
import { runProgram } from '../../support/program.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const serve = (...args: string[]) => ['start-mcp-server', '--transport', 'streamable-http', '--port', '0', ...args];

describe('a server that cannot listen exits with code 1 and the reason:', () => {
  test('a port that is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    try {
      expectClearExit(
        await runProgram(serve('--port', `${port}`)),
        1,
        `127.0.0.1:${port}`,
        'another program listens',
        '--port 0',
      );
    } finally {
      taken.close();
    }
  });

  test('an address of another machine', async () => {
    // Reserved for documentation (RFC 5737): no machine has it.
    expectClearExit(await runProgram(serve('--host', '192.0.2.1')), 1, '192.0.2.1', 'not an address of this machine');
  });

  test('a name that does not exist', async () => {
    expectClearExit(await runProgram(serve('--host', 'nosuch.invalid')), 1, 'nosuch.invalid', 'hint: ');
  });

  test('a broken configuration', async () => {
    expectClearExit(await runProgram(serve('--context', 'nosuch')), 78, 'nosuch');
  });
});

describe('a wrong command line exits with code 2 and says what is accepted:', () => {
  test.each([
    ['--port 70000', '70000', '65535'],
    ['--port -1', '-1', '65535'],
    ['--port 80.5', '80.5', '65535'],
    ['--port http', 'http', '65535'],
    ['--idle-timeout soon', 'soon', 'number of seconds'],
    ['--host=', '--host', '127.0.0.1'],
    ['--transport http', 'http', 'streamable-http, sse'],
  ])('%s', async (line, wrong, accepted) => {
    expectClearExit(await runProgram(serve(...line.split(' '))), 2, wrong, accepted);
  });

  test.each(['short', 'with a space in the middle', 'with-an-umlaut-ä-in-it', 'with\nlines-and-more-lines'])(
    'the token %j',
    async (token) => {
      expectClearExit(
        await runProgram(serve(), { env: { SERENA_HTTP_TOKEN: token } }),
        2,
        'SERENA_HTTP_TOKEN',
        'at least 16 of the characters',
      );
    },
  );
});

const endsClearly = testUnless(canListProcesses ? undefined : 'processes cannot be listed here');

describe.each([...httpTransports])('over %s', (transport) => {
  describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', (signal) => {
    endsClearly('ends the server, tells whoever waits for an answer, and leaves no process', async () => {
      const directory = makeTempDir();
      const [asked, report] = [join(directory, 'asked'), join(directory, 'cancelled')];
      const home = makeHome(stubServers({ python: ['reports-cancellation', { asked, report }] }));
      const project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
      await using server = await startHttp({
        transport,
        args: ['--project', project.root],
        env: { SERENA_HOME: home },
      });
      const client = await server.connect();
      const call = client.call('get_symbols_overview', { relative_path: 'a.py' });
      await eventually('the request to reach the language server', () => existsSync(asked));
      expect(findMarked(server.mark).length).toBeGreaterThan(1);
      expect(await server.stop(signal)).toEqual({ code: 0, signal: null });
      expect((await call).text).toContain('the server is shutting down');
      expect(readFileSync(report, 'utf8')).toBe('textDocument/documentSymbol\n');
      await client.vanish();
      await untilNoneMarked(server.mark);
    });
  });

  endsClearly('a language server that does not leave keeps the server from nothing', async () => {
    const project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
    const home = makeHome(stubServers({ python: 'never-shuts-down' }));
    await using server = await startHttp({ transport, args: ['--project', project.root], env: { SERENA_HOME: home } });
    const client = await server.connect();
    await client.ask('get_symbols_overview', { relative_path: 'a.py' });
    expect(findMarked(server.mark).length).toBeGreaterThan(1);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await client.vanish();
    await untilNoneMarked(server.mark);
  });

  test.each<Runtime>(['bun', 'deno'])('also works from the sources with %s', async (runtime) => {
    const project = makeWorkspace({ 'a.txt': '' });
    await using server = await startHttp({ transport, runtime });
    const client = await server.connect();
    await client.ask('activate_project', { project: project.root });
    expect(JSON.parse(await client.ask('list_dir', { relative_path: '.', recursive: false })).files).toEqual(['a.txt']);
    await client.leave();
    await eventually('the session to end', () => server.sessions === 0);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });
});

test('language servers and commands never receive the token', async () => {
  const project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
  const seen = join(makeTempDir(), 'seen.txt');
  const command = ['/bin/sh', '-c', `env > '${seen}'; exit 1`];
  const token = 'a-token-for-tests-0123456789';
  const home = makeHome(stubServers({ python: { command } }));
  await using server = await startHttp({
    transport: 'sse',
    args: ['--project', project.root],
    env: { SERENA_HOME: home, SERENA_HTTP_TOKEN: token, SEEN: 'yes' },
  });
  await using client = await server.connect({ headers: { Authorization: `Bearer ${token}` } });
  expect((await client.call('get_symbols_overview', { relative_path: 'a.py' })).isError).toBe(true);
  const printed = await client.ask('execute_shell_command', { command: 'env' });
  for (const environment of [readFileSync(seen, 'utf8'), printed]) {
    expect(environment).toContain('SEEN=yes');
    expect(environment).not.toContain(token);
  }
});
