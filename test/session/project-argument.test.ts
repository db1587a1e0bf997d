import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

const write = { relative_path: 'a.txt', content: 'written' };
const read = { relative_path: 'a.txt' };

describe('a call without a project', () => {
  const none = { text: expect.stringContaining('no project is active'), isError: true };

  test('runs in the project of the absolute path in its arguments', async () => {
    await using one = makeWorkspace({ '.serena/project.yml': 'languages: []\n', 'in/a.txt': 'one' });
    await using two = makeWorkspace({ '.serena/project.yml': 'languages: []\n', 'a.txt': 'two' }, { as: 'two' });
    await using nowhere = makeWorkspace({ 'a.txt': 'nowhere' });
    await using client = await startClient({ env: { SERENA_HOME: makeHome() } });
    expect(await client.ask('read_file', { relative_path: one.path('in/a.txt') })).toBe('one');
    expect(await client.ask('read_file', { relative_path: two.path('a.txt') })).toBe('two');
    expect(await client.call('read_file', read)).toMatchObject(none);
    expect(await client.call('read_file', { relative_path: nowhere.path('a.txt') })).toMatchObject(none);
    expect(await client.call('find_symbol', { name_path_pattern: one.path('in/a.txt') })).toMatchObject(none);
  });

  test('does not leave the active project', async () => {
    await using one = makeWorkspace({ '.serena/project.yml': 'languages: []\n', 'a.txt': 'one' });
    await using two = makeWorkspace({ '.serena/project.yml': 'languages: []\n', 'a.txt': 'two' }, { as: 'two' });
    await using client = await startClient({ args: ['--project', one.root], env: { SERENA_HOME: makeHome() } });
    const refused = await client.call('read_file', { relative_path: two.path('a.txt') });
    expect(refused).toMatchObject({ text: expect.stringContaining('outside'), isError: true });
  });
});

describe('the argument `project`', () => {
  test('runs one call in another project, also an edit, and leaves the active one', async () => {
    await using active = makeWorkspace({ 'a.txt': 'active' });
    await using other = makeWorkspace({ 'a.txt': 'other' }, { as: 'other' });
    await using client = await startClient({ args: ['--project', active.root], env: { SERENA_HOME: makeHome() } });
    expect(await client.ask('read_file', { ...read, project: other.root })).toBe('other');
    await client.ask('create_text_file', { ...write, project: other.root });
    expect(readFileSync(join(other.root, 'a.txt'), 'utf8')).toBe('written');
    expect(await client.ask('read_file', read)).toBe('active');
  });

  test('obeys the configuration of that project', async () => {
    await using active = makeWorkspace({ 'a.txt': 'active' });
    await using other = makeWorkspace({
      'a.txt': 'other',
      '.serena/project.yml': 'project_name: other\nlanguages: []\nread_only: true\n',
    });
    await using client = await startClient({ args: ['--project', active.root], env: { SERENA_HOME: makeHome() } });
    const refused = await client.call('create_text_file', { ...write, project: other.root });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('`create_text_file` is not active') });
    expect(readFileSync(join(other.root, 'a.txt'), 'utf8')).toBe('other');
  });

  test('only reads known projects where the client may not activate projects', async () => {
    await using active = makeWorkspace({ 'a.txt': 'active' });
    const memory = '.serena/memories/of the other project.md';
    await using other = makeWorkspace({ 'a.txt': 'other', [memory]: 'text' }, { as: 'other' });
    const home = makeHome();
    const args = ['--context', 'claude-code', '--project', active.root];
    await using client = await startClient({ args, env: { SERENA_HOME: home } });
    const unknown = await client.call('list_memories', { project: other.root });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('no known project is called') });
    await using another = await startClient({ args: ['--project', other.root], env: { SERENA_HOME: home } });
    await another.ask('read_file', read);
    expect(await client.ask('list_memories', { project: 'other' })).toContain('of the other project');
    const insertion = { relative_path: 'a.txt', name_path: 'x', body: 'y', project: 'other' };
    const edit = await client.call('insert_after_symbol', insertion);
    expect(edit).toMatchObject({ isError: true, text: expect.stringContaining('cannot run in another project') });
  });
});
