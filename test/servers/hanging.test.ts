import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, ownHome, type Stub, stubServers } from '../support/homes.ts';
import { canListProcesses, findMarked, isAlive } from '../support/processes.ts';
import { describeUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { copyFixture, makeWorkspace } from '../support/workspace.ts';

const overview = { relative_path: 'a.py' };
const answer = '{"Function": ["one"]}';
const whyNoProcessList = canListProcesses ? undefined : 'this system does not list processes';

async function start(stub: Stub, config: object = {}): Promise<TestClient> {
  const project = makeWorkspace({ 'a.py': 'def one():\n    pass\n', 'b.py': 'def two():\n    pass\n' });
  const home = makeHome({ ...stubServers({ python: stub }), ...config });
  return await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
}

/** Process ids of the language servers that the client's server started. */
function serverPids(client: TestClient): number[] {
  return findMarked(client.mark).flatMap(({ pid, command }) =>
    pid === client.pid || command.startsWith('/bin/sh') ? [] : [pid],
  );
}

describeUnless(whyNoProcessList)('a server that hangs', () => {
  test.concurrent.each(['stopped', 'blocked', 'silent'])('is ended and asked once more, when it is %s', async (how) => {
    const once = join(makeTempDir(), 'hung');
    await using client = await start(['stops-answering', { how, once }], { tool_timeout: 60 });
    expect(await client.ask('get_symbols_overview', overview)).toBe(answer);
    expect(existsSync(once)).toBe(true);
    expect(client.stderr).toMatch(/hangs: it did not answer, and was idle for \d+ s/);
    expect(await client.ask('get_symbols_overview', { relative_path: 'b.py' })).toBe('{"Function": ["two"]}');
  });

  test.concurrent('gets no third attempt, and each start is given up in time', async () => {
    await using client = await start(['stops-answering', { how: 'blocked' }], { tool_timeout: 90 });
    const failed = await client.call('get_symbols_overview', overview);
    expectClearError(failed, 'it did not answer, and was idle for', 'the next call starts it again');
    expect(client.stderr.match(/hangs: /g)).toHaveLength(2);
  });

  test.concurrent('is detected although the call ends first: the next one does not wait in vain', async () => {
    const once = join(makeTempDir(), 'hung');
    await using client = await start(['stops-answering', { how: 'stopped', once }], { tool_timeout: 10 });
    // The first call may end before the server has started.
    await eventually('a call to reach the server', async () => {
      const failed = await client.call('get_symbols_overview', overview);
      return failed.text.includes('did not answer') && failed;
    }).then((failed) => expectClearError(failed, 'did not answer'));
    await eventually('the server to be ended', () => client.stderr.includes('hangs: '));
    expect(await client.ask('get_symbols_overview', overview)).toBe(answer);
  });

  test.concurrent('is replaced when a request times out, although it answers others', async () => {
    await using client = await start('never-answers', { tool_timeout: 40 });
    // On a slow machine the first call may end before the server has been idle for long enough.
    await eventually('the server to be ended after a call', async () => {
      expectClearError(await client.call('get_symbols_overview', overview), 'did not answer');
      return await eventually('its end', () => client.stderr.includes('it did not answer a request'), 5_000);
    });
  });
});

describeUnless(whyNoProcessList)('a server that is slow', () => {
  test.concurrent.each([
    ['computes', 'stops-answering', { how: 'spinning', seconds: '20' }],
    ['waits, and answers others meanwhile', 'answers-late', { delay: '20000' }],
  ] as const)('is left alone, when it %s', async (_, stub, args) => {
    await using client = await start([stub, args], { tool_timeout: 40 });
    const asked = client.ask('get_symbols_overview', overview);
    const [pid = -1] = await eventually('the server to run', () => serverPids(client).length > 0 && serverPids(client));
    expect(await asked).toBe(answer);
    expect(isAlive(pid)).toBe(true);
    expect(client.stderr).not.toContain('hangs: ');
  });
});

describeUnless(whyNoProcessList)('pyright', () => {
  test('that is suspended is killed and restarted, and the query runs again', async () => {
    await using project = copyFixture('python');
    await using client = await startClient({
      args: ['--project', project.root, '--tool-timeout', '90'],
      env: ownHome(),
    });
    const find = () => client.ask('find_referencing_symbols', { name_path: 'Basket', relative_path: 'shop/helper.py' });
    const before = await find();
    expect(before).toContain('shop/');
    const old = serverPids(client);
    for (const pid of old) process.kill(pid, 'SIGSTOP');
    // What the server answered before counts until a file changes.
    project.write('shop/unrelated.py', '');
    expect(await find()).toBe(before);
    expect(old.filter(isAlive)).toEqual([]);
    expect(client.stderr).toMatch(/pyright .* hangs: it did not answer, and was idle for \d+ s/);
  });
});
