import { describe, expect, test } from 'bun:test';
import packageFile from '../../package.json' with { type: 'json' };
import { servers } from '../../src/languages/servers.ts';
import { tools } from '../../src/tools/tools.ts';
import { startClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = {
  '.serena/project.yml': 'project_name: mine\n',
  'a.py': 'def one():\n    pass\n',
  'b.ts': 'class two {\n}\n',
};

function inRowsOfFour(names: readonly string[]): string[] {
  const sorted = [...names].sort();
  const starts = sorted.flatMap((_, index) => (index % 4 === 0 ? [index] : []));
  return starts.map((start) => `  ${sorted.slice(start, start + 4).join(', ')}`);
}

/** The language servers of a project that names none. */
const usualServers = servers.filter(({ needsExplicitChoice }) => needsExplicitChoice !== true);

describe('get_current_config', () => {
  test('returns the whole state, line by line', async () => {
    const project = makeWorkspace(files);
    const other = makeWorkspace({ '.serena/project.yml': 'project_name: other\n' });
    const fixed_tools = ['read_file', 'get_current_config', 'find_symbol', 'search_for_pattern', 'write_file'];
    const home = makeHome({ projects: [other.root, project.root], fixed_tools });
    const inactive = tools
      .map(({ name }) => name)
      .filter((name) => name !== 'create_text_file' && !fixed_tools.includes(name));
    await using client = await startClient({
      args: ['--project', 'mine', '--log-level', 'ERROR'],
      env: { SERENA_HOME: home },
    });
    expect(await client.ask('get_current_config')).toBe(
      [
        `Serena ${packageFile.version}`,
        'Log level: ERROR',
        `Active project: mine (${project.root})`,
        'Language backend: LSP',
        `Language servers: ${usualServers.length} not initialized`,
        'Known projects:',
        `  other (${other.root})`,
        `  mine (${project.root})`,
        'Context: desktop-app',
        'Active modes: editing, interactive',
        'Inactive modes: benchmark, no-memories, no-onboarding, onboarding, one-shot, planning, query-projects',
        'Active tools:',
        '  create_text_file, find_symbol, get_current_config, read_file',
        '  search_for_pattern',
        'Inactive tools:',
        ...inRowsOfFour(inactive),
      ].join('\n'),
    );
  });

  test('reports for each server whether it is starting, running or stopped, or why it could not start', async () => {
    const project = makeWorkspace(files);
    const stubs = {
      python: 'never-initializes',
      typescript: { command: ['/nonexistent/server'] },
      go: 'exits-on-request',
    } as const;
    project.write('c.go', 'class three {\n}\n');
    await using client = await startClient({
      args: ['--project', project.root],
      env: { SERENA_HOME: makeHome(stubServers(stubs)) },
    });
    const stop = new AbortController();
    const waiting = client.call('get_symbols_overview', { relative_path: 'a.py' }, { signal: stop.signal });
    waiting.catch(() => undefined);
    await client.call('get_symbols_overview', { relative_path: 'b.ts' });
    await client.call('get_symbols_overview', { relative_path: 'c.go' });
    const state = await eventually('python to be starting', async () => {
      const text = await client.ask('get_current_config');
      return text.includes('python starting') && text;
    });
    expect(state).toContain('typescript error (cannot start `/nonexistent/server`');
    expect(state).toContain('go stopped');
    stop.abort();
  });

  test('lists projects that another process has added meanwhile', async () => {
    const home = makeHome();
    await using first = await startClient({
      args: ['--project', makeWorkspace(files).root],
      env: { SERENA_HOME: home },
    });
    await first.ask('get_current_config');
    const later = makeWorkspace({ '.serena/project.yml': 'project_name: later\n' });
    await using second = await startClient({ args: ['--project', later.root], env: { SERENA_HOME: home } });
    await second.ask('get_current_config');
    expect(await first.ask('get_current_config')).toContain(`  later (${later.root})`);
  });
});

describe('initial_instructions', () => {
  const all = ['find_symbol', 'get_symbols_overview', 'find_referencing_symbols', 'search_for_pattern', 'read_file'];
  /** Returns how the manual refers to a tool; it mentions `read_file` without its name. */
  const words = (name: string) => (name === 'read_file' ? 'Read a whole file' : `\`${name}\``);

  test('names the active tools and describes the active project', async () => {
    const project = makeWorkspace(files);
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
    const manual = await client.ask('initial_instructions');
    for (const name of all) expect(manual).toContain(words(name));
    expect(manual).toMatch(/^<serena>\n.*<context>.*<mode name="editing">.*<mode name="interactive">.*<\/serena>\n/s);
    expect(manual).toContain(
      `<active-project>\nThe project \`mine\` at ${project.root} is activated.\nLanguage servers: python (1 file), typescript (1 file).`,
    );
  });

  test.each(all)('does not name %s if the user or the project excludes it', async (name) => {
    const plain = makeWorkspace(files);
    const excluding = makeWorkspace({ '.serena/project.yml': `excluded_tools: [${name}]\n` });
    await using client = await startClient({
      args: ['--project', plain.root],
      env: { SERENA_HOME: makeHome({ excluded_tools: [name] }) },
    });
    expect(await client.ask('initial_instructions')).not.toContain(words(name));
    await using other = await startClient({ args: ['--project', excluding.root], env: { SERENA_HOME: makeHome() } });
    expect(await other.ask('initial_instructions')).not.toContain(words(name));
  });

  test('contains no template syntax', async () => {
    await using client = await startClient({ env: { SERENA_HOME: makeHome({ excluded_tools: all }) } });
    const manual = await client.ask('initial_instructions');
    expect(manual).not.toMatch(/\{[{%#]|undefined|\n\n\n/);
    expect(manual).toEndWith('No project is active. Call `activate_project`.');
  });

  test('reports why the project given at start is not active', async () => {
    await using client = await startClient({ args: ['--project', '/nonexistent/x'], env: { SERENA_HOME: makeHome() } });
    expect(await client.ask('initial_instructions')).toContain(
      'No project is active: there is no project or directory `/nonexistent/x`',
    );
  });

  test('is not recommended again after it was read', async () => {
    const project = makeWorkspace(files);
    await using client = await startClient({ env: { SERENA_HOME: makeHome() } });
    const reminder = 'Call `initial_instructions`';
    expect(await client.ask('activate_project', { project: project.root })).toContain(reminder);
    await client.ask('initial_instructions');
    expect(await client.ask('activate_project', { project: project.root })).not.toContain(reminder);
  });
});

describe('tools', () => {
  test('that a project excludes stay listed but cannot run; in another project they run again', async () => {
    const closed = makeWorkspace({ '.serena/project.yml': 'excluded_tools: [read_file]\n', 'a.txt': 'a' });
    const open = makeWorkspace({ 'a.txt': 'a' });
    await using client = await startClient({ args: ['--project', closed.root], env: { SERENA_HOME: makeHome() } });
    const read = { relative_path: 'a.txt' };
    expect((await client.call('read_file', read)).text).toContain(
      'the tool `read_file` is not active. Active tools: activate_project,',
    );
    expect((await client.tools()).map(({ name }) => name)).toContain('read_file');
    await client.ask('activate_project', { project: open.root });
    expect(await client.ask('read_file', read)).toBe('a');
  });

  test('that the user excludes are not listed; with fixed tools only these are', async () => {
    await using excluding = await startClient({ env: { SERENA_HOME: makeHome({ excluded_tools: ['read_file'] }) } });
    expect((await excluding.tools()).map(({ name }) => name)).not.toContain('read_file');
    await using fixed = await startClient({
      env: { SERENA_HOME: makeHome({ fixed_tools: ['list_dir', 'read_file'] }) },
    });
    expect((await fixed.tools()).map(({ name }) => name)).toEqual(['read_file', 'list_dir']);
  });

  test('run in a read-only project unless they edit', async () => {
    const project = makeWorkspace({ ...files, '.serena/project.yml': 'project_name: mine\nread_only: true\n' });
    const home = makeHome(stubServers({ python: 'well-behaved' }));
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    expect(await client.ask('get_symbols_overview', { relative_path: 'a.py' })).toBe('{"Function": ["one"]}');
    expect(await client.ask('activate_project', { project: 'mine' })).toContain('is activated');
    const [, inactive = ''] = (await client.ask('get_current_config')).split('Inactive tools:');
    for (const { name, effect, stage } of tools) {
      expect([name, inactive.split(/[\s,]+/).includes(name)]).toEqual([
        name,
        effect === 'edits' || stage !== undefined,
      ]);
    }
  });
});

test('clients that show the names of tools only get the questions that the tools answer', async () => {
  const { root } = makeWorkspace({ 'a.py': '' });
  await using client = await startClient({
    args: ['--context', 'claude-code', '--project', root],
    env: { SERENA_HOME: makeHome() },
  });
  const instructions = client.client.getInstructions();
  expect(instructions).toContain('| Who calls or uses this? Where is it referenced? | `find_referencing_symbols` |');
  // Claude Code cuts them at 2,048.
  expect(instructions?.length ?? 0).toBeWithin(700, 2000);
  const listed = await client.tools();
  for (const [, name] of (instructions ?? '').matchAll(/\| `(\w+)` \|/g))
    expect(listed.find((tool) => tool.name === name)?._meta).toHaveProperty(['anthropic/searchHint']);
});
