import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { makeHome, type Stub, stubServers } from '../support/homes.ts';
import { RawMcp } from '../support/raw-mcp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const logLine = /^(DEBUG|INFO|WARNING|ERROR|FATAL) +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} \[\d+\] serena\.\w+ - /;

function start(stub: Stub): { server: RawMcp; home: string } {
  const project = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
  const home = makeHome(stubServers({ python: stub }));
  const server = new RawMcp({ args: ['--project', project.root, '--log-level', 'DEBUG'], env: { SERENA_HOME: home } });
  return { server, home };
}

describe('stdout', () => {
  test.each<[string, Stub]>([
    ['behaves', 'well-behaved'],
    ['prints junk', 'prints-junk'],
    ['floods stderr', ['floods-stderr', { megabytes: '1' }]],
    ['dies', 'exits-on-request'],
  ])('carries messages alone when the language server %s', async (_, stub) => {
    const { server } = start(stub);
    await server.initialize();
    server.send({ id: 1, method: 'tools/list' });
    server.call(2, 'get_symbols_overview', { relative_path: 'a.py' }, { progressToken: 1 });
    server.call(3, 'no_such_tool');
    server.send({ id: 4, method: 'no/such/method' });
    await Promise.all([1, 2, 3, 4].map((id) => server.answer(id)));
    server.child.stdin.end();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.stdout).toEndWith('\n');
    expect(server.messages().every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  });

  test('stays clean, and the server alive, after input that is not a message', async () => {
    const { server } = start('well-behaved');
    await server.initialize();
    server.child.stdin.write('this is not JSON\n{"jsonrpc": "2.0", "id": 9\n[1, 2]\n\n{"half": true}\n');
    server.send({ id: 1, method: 'tools/list' });
    expect((await server.answer(1)).result).toHaveProperty('tools');
    await server[Symbol.asyncDispose]();
    expect(server.messages().length).toBeGreaterThan(1);
  });
});

describe('the log', () => {
  test('goes to stderr and unchanged to a file below the home directory', async () => {
    const { server, home } = start('well-behaved');
    await server.initialize();
    server.call(1, 'get_symbols_overview', { relative_path: 'a.py' });
    await server.answer(1);
    await server[Symbol.asyncDispose]();
    const path = /log file: (\S+)/.exec(server.stderr)?.[1] ?? '';
    expect(path).toStartWith(`${home}/logs/`);
    const lines = server.stderr.split('\n').filter((line) => logLine.test(line));
    expect(lines.some((line) => line.includes('get_symbols_overview took'))).toBe(true);
    expect(lines.at(-1)).toContain('Stopping: the client has disconnected');
    expect(readFileSync(path, 'utf8')).toBe(server.stderr);
  });
});
