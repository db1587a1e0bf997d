import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { toolsets } from '../../src/tools/tool.ts';
import { tools } from '../../src/tools/tools.ts';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome } from '../support/homes.ts';
import { type HttpTestClient, httpTransports, startHttp } from '../support/http.ts';
import { makeWorkspace } from '../support/workspace.ts';

const core = [
  ...['list_dir', 'find_file', 'activate_project', 'get_current_config', 'onboarding', 'initial_instructions'],
  'search_tools',
];
const listed = async (client: TestClient) => (await client.tools()).map(({ name }) => name);

function start(context: string, home = makeHome()): Promise<TestClient> {
  const project = makeWorkspace({ 'a.txt': 'a' });
  return startClient({ args: ['--context', context, '--project', project.root], env: { SERENA_HOME: home } });
}

/** Creates a home directory with one user context. */
function homeWith(text: string): string {
  const home = makeHome();
  mkdirSync(join(home, 'contexts'));
  writeFileSync(join(home, 'contexts', 'mine.yml'), text);
  return home;
}

/** Counts the `list_changed` notifications that a client receives. */
function countChanges(client: Pick<TestClient, 'client'>): { count: number } {
  const notifications = { count: 0 };
  client.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    notifications.count++;
  });
  return notifications;
}

describe('deferred loading', () => {
  test('lists the core tools and announces list changes', async () => {
    await using client = await start('deferred-loading');
    expect(client.client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    expect((await listed(client)).sort()).toEqual([...core].sort());
    await using usual = await start('desktop-app');
    expect(usual.client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    expect(await listed(usual)).not.toContain('search_tools');
  });

  test('lists a tool once it was found and notifies the client', async () => {
    await using client = await start('deferred-loading');
    const notifications = countChanges(client);
    await client.ask('search_tools', { query: 'rename' });
    await eventually('the notification', () => notifications.count === 1);
    expect((await listed(client)).sort()).toEqual(
      [...core, 'rename_symbol', 'rename_file', 'rename_memory', 'change_signature'].sort(),
    );
    await client.ask('search_tools', { query: 'rename' });
    await client.ask('search_tools', { query: 'xyzzy' });
    await client.ask('search_tools', { category: 'shell' });
    await eventually('the notification', () => notifications.count === 2);
    expect(await listed(client)).toContain('execute_shell_command');
  });

  test('does not list found tools that cannot be called', async () => {
    await using client = await start('deferred-loading');
    expect(await client.ask('search_tools', { query: 'delete_lines' })).toContain('**delete_lines** [inactive]');
    expect(await listed(client)).not.toContain('delete_lines');
    expectClearError(
      await client.call('delete_lines', { relative_path: 'a.txt', start_line: 0, end_line: 0 }),
      'not active',
    );
  });

  test('allows calls of all tools that can be listed, found or not', async () => {
    await using client = await start('deferred-loading');
    expect(await client.ask('read_file', { relative_path: 'a.txt' })).toBe('a');
    expect(await client.ask('switch_modes', { modes: [] })).toContain('Active modes: ');
  });

  test('lists a found tool only in the session that found it', async () => {
    await using one = await start('deferred-loading');
    await using other = await start('deferred-loading');
    await one.ask('search_tools', { category: 'memory' });
    expect(await listed(one)).toContain('write_memory');
    expect((await listed(other)).length).toBe(core.length);
  });

  test.each(httpTransports)('is separate for each client over %s', async (transport) => {
    await using server = await startHttp({
      transport,
      args: ['--context', 'deferred-loading'],
      env: { SERENA_HOME: makeHome() },
    });
    const [one, other] = [await server.connect(), await server.connect()];
    const [changes, changesOfOther] = [countChanges(one), countChanges(other)];
    await one.ask('search_tools', { query: 'write_memory' });
    await eventually('the notification', () => changes.count === 1);
    const namesOf = async ({ client }: HttpTestClient) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await namesOf(one)).toContain('write_memory');
    expect((await namesOf(other)).length).toBe(core.length);
    expect(changesOfOther.count).toBe(0);
  });

  test('is explained by the manual, with the core tools and every category', async () => {
    await using client = await start('deferred-loading');
    const manual = await client.ask('initial_instructions');
    for (const word of ['`search_tools`', ...core, ...toolsets]) expect(manual).toContain(word);
    await using usual = await start('desktop-app');
    expect(await usual.ask('initial_instructions')).not.toContain('## More tools');
  });

  test('finds every tool by its category', async () => {
    await using client = await start('deferred-loading');
    for (const category of toolsets) {
      const found = await client.ask('search_tools', { category, max_results: 100 });
      for (const { name } of tools.filter(({ toolset }) => toolset === category))
        expect(found).toContain(`**${name}**`);
    }
  });

  test('in the context for Claude Code starts with the tools for reading', async () => {
    await using client = await start('claude-code-deferred');
    expect((await listed(client)).sort()).toEqual(
      [
        ...['search_tools', 'initial_instructions', 'get_current_config', 'activate_project', 'list_dir', 'find_file'],
        ...['get_symbols_overview', 'find_symbol', 'find_referencing_symbols', 'search_for_pattern'],
        ...['read_memory', 'list_memories'],
      ].sort(),
    );
  });
});

describe('a user context', () => {
  test('may enable deferred loading with its own core tools, also by former names', async () => {
    const home = homeWith('deferred_loading: true\ncore_tools: [find_symbol, write_file, delete_lines]\n');
    await using client = await start('mine', home);
    // `delete_lines` is optional and not included here.
    expect((await listed(client)).sort()).toEqual(['create_text_file', 'find_symbol', 'search_tools']);
    const manual = await client.ask('initial_instructions');
    expect(manual).toContain('Only these tools are listed initially: create_text_file, find_symbol, search_tools.');
  });

  test('has the default core tools if it defines none', async () => {
    await using client = await start('mine', homeWith('deferred_loading: true\n'));
    expect((await listed(client)).sort()).toEqual([...core].sort());
  });

  test('does not list core tools that the configuration excludes', async () => {
    const home = homeWith('deferred_loading: true\nsingle_project: true\nexcluded_tools: [list_dir]\n');
    await using client = await start('mine', home);
    expect((await listed(client)).sort()).toEqual(['find_file', 'initial_instructions', 'onboarding', 'search_tools']);
  });
});
