import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../src/tools/tools.ts';
import { expectClearError, expectClearExit } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { runProgram } from '../support/program.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

type Config = Readonly<Record<string, unknown>>;

const projectWith = (config: Config) => makeWorkspace({ 'a.txt': '', '.serena/project.yml': JSON.stringify(config) });
const listed = async (client: TestClient) => (await client.tools()).map(({ name }) => name);

/** Creates a home directory with one user context or mode. */
function homeWith(kind: 'contexts' | 'modes', text: string, config: Config = {}): string {
  const home = makeHome(config);
  mkdirSync(join(home, kind));
  writeFileSync(join(home, kind, 'mine.yml'), text);
  return home;
}

describe('a session in a single-project context that starts with a project', () => {
  const start = (project: Config, args: readonly string[] = [], config: Config = {}) =>
    startClient({
      args: ['--context', 'ide', '--project', projectWith(project).root, ...args],
      env: { SERENA_HOME: makeHome(config) },
    });

  test('lists the tools that the project allows, without those for other projects', async () => {
    await using plain = await start({});
    await using own = await start({ excluded_tools: ['find_symbol'], included_optional_tools: ['summarize_changes'] });
    const [usual, selected] = [await listed(plain), await listed(own)];
    expect(usual).not.toContain('activate_project');
    expect(usual).not.toContain('get_current_config');
    expect(usual).toContain('find_symbol');
    expect(selected).toEqual(
      tools
        .map(({ name }) => name)
        .filter((name) => name === 'summarize_changes' || (usual.includes(name) && name !== 'find_symbol')),
    );
  });

  test('lists no tools that edit for a read-only project', async () => {
    await using client = await start({ read_only: true });
    const names = await listed(client);
    expect(names).toContain('find_symbol');
    expect(names.filter((name) => tools.find((tool) => tool.name === name)?.effect === 'edits')).toEqual([]);
  });

  test('does not list tools that its modes exclude', async () => {
    await using client = await start({}, ['--mode', 'planning']);
    expect(await listed(client)).not.toContain('replace_symbol_body');
  });

  test('keeps all tools when the project cannot be read, so that another can be activated', async () => {
    const project = makeWorkspace({ '.serena/project.yml': 'read_only: perhaps\n' });
    await using client = await startClient({
      args: ['--context', 'ide', '--project', project.root],
      env: { SERENA_HOME: makeHome() },
    });
    expect(await listed(client)).toContain('activate_project');
    expectClearError(
      await client.call('find_symbol', { name_path_pattern: 'x' }),
      'key `read_only`',
      'activate_project',
    );
  });
});

describe('other sessions', () => {
  test('list all tools regardless of the project, and refuse calls of those that it excludes', async () => {
    const project = projectWith({ read_only: true, excluded_tools: ['find_file'] });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
    const names = await listed(client);
    for (const name of ['activate_project', 'find_file', 'create_text_file']) expect(names).toContain(name);
    expectClearError(await client.call('find_file', { file_mask: '*', relative_path: '.' }), 'not active');
    const write = { relative_path: 'b.txt', content: '' };
    expectClearError(await client.call('create_text_file', write), 'not active');
  });

  test('list the tools that a default mode includes, and those that it excludes, because it may be switched off', async () => {
    await using client = await startClient({
      args: ['--mode', 'query-projects', '--add-mode', 'planning', '--project', projectWith({}).root],
      env: { SERENA_HOME: makeHome() },
    });
    const names = await listed(client);
    expect(names).toContain('query_project');
    expect(names).toContain('replace_symbol_body');
    const edit = { name_path: 'a', relative_path: 'a.txt', body: '' };
    expectClearError(await client.call('replace_symbol_body', edit), 'not active');
  });

  test('list open_dashboard if the dashboard runs but is not opened at start', async () => {
    for (const [config, isListed] of [
      [{}, false],
      [{ web_dashboard: true }, true],
      [{ web_dashboard: true, web_dashboard_open_on_launch: true }, false],
      [{ web_dashboard: true, gui_log_window: true }, false],
    ] as const) {
      await using client = await startClient({ env: { SERENA_HOME: makeHome(config) } });
      expect((await listed(client)).includes('open_dashboard')).toBe(isListed);
    }
  });
});

describe('an unknown tool name stops the start with an error that has file, line and key', () => {
  test.each([
    ['excluded_tools', 'excluded_tools: [read_fil]', 'did you mean `read_file`?'],
    ['included_optional_tools', 'included_optional_tools:\n- read_file\n- xyzzy', 'the tools are: '],
    ['fixed_tools', 'fixed_tools: [find_symbols]', 'did you mean `find_symbol`?'],
  ])('%s of the user', async (key, text, hint) => {
    const home = makeTempDir('home');
    writeFileSync(join(home, 'serena_config.yml'), `# one\n${text}\n`);
    const ended = await runProgram(['start-mcp-server'], { env: { SERENA_HOME: home } });
    expectClearExit(ended, 78, `${join(home, 'serena_config.yml')}:`, `key \`${key}\`: there is no tool`, hint);
  });

  test.each([
    ['excluded_tools: [xyzzy]', 'excluded_tools'],
    ['tool_description_overrides: {xyzzy: a}', 'tool_description_overrides'],
    ['deferred_loading: true\ncore_tools: [xyzzy]', 'core_tools'],
  ])('of a context: %s', async (text, key) => {
    const home = homeWith('contexts', `description: x\n${text}\n`);
    const ended = await runProgram(['start-mcp-server', '--context', 'mine'], { env: { SERENA_HOME: home } });
    const line = text.startsWith('deferred') ? 3 : 2;
    expectClearExit(ended, 78, `mine.yml:${line}: key \`${key}\`: there is no tool \`xyzzy\``);
  });

  test('of a mode', async () => {
    const home = homeWith('modes', 'prompt: x\nincluded_optional_tools: [xyzzy]\n', { base_modes: ['mine'] });
    const ended = await runProgram(['start-mcp-server'], { env: { SERENA_HOME: home } });
    expectClearExit(ended, 78, 'mine.yml:2: key `included_optional_tools`: there is no tool `xyzzy`');
  });

  test('of a project fails its calls', async () => {
    const project = makeWorkspace({ 'a.txt': '', '.serena/project.yml': 'project_name: a\nexcluded_tools: [xyzzy]\n' });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
    const answer = await client.call('read_file', { relative_path: 'a.txt' });
    expectClearError(
      answer,
      `${project.path('.serena/project.yml')}:2: key \`excluded_tools\`: there is no tool \`xyzzy\``,
    );
  });
});

describe('fixed tools', () => {
  test.each([
    ['excluded_tools', 'serena_config.yml'],
    ['included_optional_tools', 'serena_config.yml'],
  ])('cannot be combined with %s', async (key, file) => {
    const home = makeHome({ fixed_tools: ['read_file'], [key]: ['find_symbol'] });
    const ended = await runProgram(['start-mcp-server'], { env: { SERENA_HOME: home } });
    expectClearExit(ended, 78, file, 'key `fixed_tools`: cannot be combined with', `\`${key}\``);
  });

  test('of a project cannot be combined with lists of its local file', async () => {
    const project = makeWorkspace({
      '.serena/project.yml': 'fixed_tools: [read_file]\n',
      '.serena/project.local.yml': 'excluded_tools: [find_symbol]\n',
    });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
    const answer = await client.call('list_dir', { relative_path: '.', recursive: false });
    expectClearError(answer, 'project.local.yml over ', '`fixed_tools`: cannot be combined with `excluded_tools`');
  });
});

test('former names of tools and contexts are accepted with a warning in the log', async () => {
  const home = makeHome({ excluded_tools: ['replace_regex', 'mcp__serena__find_file', 'write_file'] });
  await using client = await startClient({ args: ['--context', 'ide-assistant'], env: { SERENA_HOME: home } });
  const names = await listed(client);
  for (const name of ['replace_content', 'find_file', 'create_text_file']) expect(names).not.toContain(name);
  expect(client.stderr).toContain('key `excluded_tools`: `replace_regex` is now called `replace_content`');
  expect(client.stderr).toContain('The context `ide-assistant` is now called `claude-code`');
  expect(await client.ask('initial_instructions')).toContain('Claude Code');
});
