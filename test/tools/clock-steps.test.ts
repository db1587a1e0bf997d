// The user, or a time server, sets the clock of the machine while the program runs: nothing waits longer or gives up.
import { expect } from 'bun:test';
import { startClient } from '../support/client.ts';
import { linkOf, signIn, startWithDashboard } from '../support/dashboard.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { testUnless } from '../support/skip.ts';
import { makeClock, whyNoSteps } from '../support/stepped-clock.ts';
import { makeWorkspace } from '../support/workspace.ts';

const hour = 3_600;
const clockTest = testUnless(whyNoSteps());

clockTest(
  'calls answer, and edits are undone in their order, while the clock jumps back and forth',
  async () => {
    const clock = makeClock();
    const workspace = makeWorkspace({ 'a.py': 'fault = 1\n', 'b.txt': 'zero\n' });
    const home = makeHome(stubServers({ python: 'publishes-diagnostics' }));
    await using client = await startClient({
      args: ['--project', workspace.root],
      env: { SERENA_HOME: home, ...clock.env },
    });
    let steps = 0;
    const timer = setInterval(() => clock.step([0, -hour, hour][steps++ % 3] ?? 0), 3);
    try {
      for (let round = 1; round <= 5; round++) {
        workspace.write('a.py', `fault = ${round}\n`);
        expect(await client.ask('get_diagnostics_for_file', { relative_path: 'a.py' })).toContain(`fault = ${round}`);
        expect(await client.ask('execute_shell_command', { command: 'sleep 0.1; echo done' })).toContain('done');
        const edit = { relative_path: 'b.txt', needle: '\\Z', repl: `${round}\n`, mode: 'regex' };
        expect((await client.call('replace_content', edit)).text).toBe('OK');
        workspace.write('c.txt', `needle${round}\n`);
        expect(await client.ask('search_for_pattern', { substring_pattern: `needle${round}` })).toContain('c.txt');
      }
      for (let round = 5; round >= 1; round--) {
        expect(workspace.read('b.txt')).toContain(`${round}`);
        await client.ask('edit_history', { action: 'undo' });
        expect(workspace.read('b.txt')).not.toContain(`${round}`);
      }
    } finally {
      clearInterval(timer);
    }
  },
  120_000,
);

clockTest('a failed start is retried as soon as with a clock that runs', async () => {
  const clock = makeClock();
  const { root } = makeWorkspace({ 'a.py': 'x = 1\n' });
  const home = makeHome(stubServers({ python: { command: ['sh', '-c', 'sleep 1; exit 1'] } }));
  await using client = await startClient({ args: ['--project', root], env: { SERENA_HOME: home, ...clock.env } });
  const seconds = async () => {
    const { text } = await client.call('get_diagnostics_for_file', { relative_path: 'a.py' });
    return Number(/the first call after (\d+) s retries it/.exec(text)?.[1] ?? 0);
  };
  expect(await seconds()).toBe(0);
  clock.step(-hour);
  const wait = await seconds();
  expect([wait > 0, wait <= 30]).toEqual([true, true]);
});

clockTest('a link to the dashboard stays valid', async () => {
  const clock = makeClock();
  const { root } = makeWorkspace({ 'a.txt': 'a\n' });
  await using client = await startWithDashboard(root, {}, clock.env);
  const link = await linkOf(client);
  clock.step(hour);
  expect((await signIn(link)).status).toBe(200);
});
