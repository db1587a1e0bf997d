import { expect, test } from 'bun:test';
import { startClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { findMarked } from '../support/processes.ts';
import { copyFixture } from '../support/workspace.ts';

const overview = { relative_path: 'shop/helper.py' };

test('switching to another project stops the servers of the previous one, and switching back starts them again', async () => {
  const [first, second] = [copyFixture('python', { as: 'first' }), copyFixture('tools', { as: 'second' })];
  await using client = await startClient({ args: ['--project', first.root] });
  const before = await client.ask('get_symbols_overview', overview);
  const servers = () => findMarked(client.mark).filter(({ pid }) => pid !== client.pid);
  expect(servers().length).toBeGreaterThan(0);
  const pids = servers().map(({ pid }) => pid);
  await client.ask('activate_project', { project: second.root });
  await eventually('the servers of the first project to end', () => servers().every(({ pid }) => !pids.includes(pid)));
  await client.ask('activate_project', { project: first.root });
  expect(await client.ask('get_symbols_overview', overview)).toBe(before);
});
