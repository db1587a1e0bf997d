import { describe, expect, test } from 'bun:test';
import { startClient } from '../support/client.ts';
import { makeHome, type Stub, stubServers } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = { 'a.py': 'def one():\n    pass\n', 'b.py': 'def two():\n    pass\n' };

function start(stub: Stub, root: string) {
  const home = makeHome(stubServers({ python: stub }));
  return startClient({ args: ['--project', root, '--tool-timeout', '20'], env: { SERENA_HOME: home } });
}

describe('calls of one client', () => {
  test('that read run at the same time', async () => {
    await using project = makeWorkspace(files);
    await using client = await start('answers-in-pairs', project.root);
    // The stub answers neither before it has received both.
    const [one, two] = await Promise.all([
      client.ask('get_symbols_overview', { relative_path: 'a.py' }),
      client.ask('get_symbols_overview', { relative_path: 'b.py' }),
    ]);
    expect([one, two]).toEqual(['{"Function": ["one"]}', '{"Function": ["two"]}']);
  });

  test('request several files of one query at the same time', async () => {
    await using project = makeWorkspace({ 'a.py': 'def one():\n    pass\n', 'b.py': 'def one():\n    pass\n' });
    await using client = await start('answers-in-pairs', project.root);
    expect(JSON.parse(await client.ask('find_symbol', { name_path_pattern: 'one' }))).toHaveLength(2);
  });

  test('are ordered around activate_project: it waits for reads before it, and reads after it see the new project', async () => {
    await using project = makeWorkspace(files);
    await using other = makeWorkspace({ 'other.py': '' }, { as: 'other' });
    await using client = await start(['answers-late', { delay: '700' }], project.root);
    const order: string[] = [];
    const noted = async (name: string, answer: Promise<string>) => {
      const text = await answer;
      order.push(name);
      return text;
    };
    const [before, activation, after] = await Promise.all([
      noted('before', client.ask('get_symbols_overview', { relative_path: 'a.py' })),
      noted('activation', client.ask('activate_project', { project: other.root })),
      noted('after', client.ask('list_dir', { relative_path: '.', recursive: false })),
    ]);
    expect(order).toEqual(['before', 'activation', 'after']);
    expect(before).toBe('{"Function": ["one"]}');
    expect(activation).toContain(other.root);
    expect(JSON.parse(after).files).toEqual(['other.py']);
  });
});
