import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

type Config = Readonly<Record<string, unknown>>;

/** A way in which the user, a context or a mode excludes the shell. */
interface Restriction {
  readonly args?: readonly string[];
  readonly user?: Config;
  /** The file of a context or a mode called `mine`. */
  readonly mine?: readonly ['contexts' | 'modes', Config];
}

const withoutShell: Config = { excluded_tools: ['execute_shell_command'] };
const onlyReading: Config = { fixed_tools: ['read_file', 'find_symbol'] };
const mine = (kind: 'contexts' | 'modes', config: Config) =>
  [kind, { description: '', prompt: '', ...config }] as const;

const restrictions: Readonly<Record<string, Restriction>> = {
  'excluded_tools of the user': { user: withoutShell },
  'fixed_tools of the user': { user: onlyReading },
  'a built-in context': { args: ['--context', 'claude-code'] },
  'a built-in context for several projects': { args: ['--context', 'codex'] },
  'excluded_tools of a context': { args: ['--context', 'mine'], mine: mine('contexts', withoutShell) },
  'fixed_tools of a context': { args: ['--context', 'mine'], mine: mine('contexts', onlyReading) },
  'fixed_tools of a context for one project': {
    args: ['--context', 'mine'],
    mine: mine('contexts', { ...onlyReading, single_project: true }),
  },
  'a default mode': { user: { default_modes: ['planning'] } },
  'a base mode': { user: { base_modes: ['planning'] } },
  'fixed_tools of a base mode': { user: { base_modes: ['mine'] }, mine: mine('modes', onlyReading) },
  '--mode': { args: ['--mode', 'planning'] },
  '--add-mode': { args: ['--add-mode', 'planning'] },
  '--mode in a context for one project': {
    args: ['--mode', 'mine', '--context', 'mine'],
    mine: mine('modes', withoutShell),
  },
};

/** Everything with which a project could include the shell again. */
const attempts: Readonly<Record<string, Config>> = {
  included_optional_tools: { included_optional_tools: ['execute_shell_command'] },
  'included_optional_tools, with a former name': { included_optional_tools: ['mcp__serena__execute_shell_command'] },
  fixed_tools: { fixed_tools: ['execute_shell_command', 'read_file'] },
  default_modes: { default_modes: [], included_optional_tools: ['execute_shell_command'] },
};

const combinations = Object.keys(restrictions).flatMap((restriction) =>
  Object.keys(attempts).map((attempt) => [restriction, attempt] as const),
);

function makeProject(config: Config): Workspace {
  return makeWorkspace({ 'a.txt': 'one\ntwo\n', '.serena/project.yml': JSON.stringify(config) });
}

function start(project: Workspace, { args = [], user = {}, mine }: Restriction): Promise<TestClient> {
  const home = makeHome(user);
  for (const kind of ['contexts', 'modes']) mkdirSync(join(home, kind));
  if (mine) writeFileSync(join(home, mine[0], 'mine.yml'), JSON.stringify(mine[1]));
  // A mode with the name of the context has no file in `contexts`.
  if (args.includes('--mode') && args.includes('mine')) {
    writeFileSync(
      join(home, 'contexts/mine.yml'),
      JSON.stringify({ description: '', prompt: '', single_project: true }),
    );
  }
  return startClient({ args: [...args, '--project', project.root], env: { SERENA_HOME: home } });
}

const listed = async (client: TestClient) => (await client.tools()).map(({ name }) => name);
const shell = { command: 'touch ran' };
/** A mode that the client may switch off does not change the list, unless the session keeps its project. */
const staysListed = ['a default mode', '--mode', '--add-mode'];

describe('an untrusted project cannot include the shell again', () => {
  test.each(combinations)('that %s excludes, with %s', async (restriction, attempt) => {
    const project = makeProject(attempts[attempt] ?? {});
    await using client = await start(project, restrictions[restriction] ?? {});
    const names = await listed(client);
    if (!('fixed_tools' in (attempts[attempt] ?? {}))) expect(names).toContain('find_symbol');
    expect(names.includes('execute_shell_command')).toBe(staysListed.includes(restriction));
    expectClearError(await client.call('execute_shell_command', shell), 'not active');
    expect(existsSync(project.path('ran'))).toBe(false);
  });
});

describe('an untrusted project', () => {
  const rest = ['query_project', 'switch_modes', 'remove_project', 'restart_language_server', 'jet_brains_debug'];

  test.each(['ide', 'desktop-app'])(
    'adds optional tools that only read or edit, and says what it cannot add: %s',
    async (context) => {
      const project = makeProject({ included_optional_tools: ['delete_lines', 'summarize_changes', ...rest] });
      // The mode `editing`, which is active by default, excludes `delete_lines`.
      await using client = await start(project, {
        args: ['--context', context],
        user: { base_modes: ['interactive'] },
      });
      const names = await listed(client);
      expect(names.includes('delete_lines')).toBe(context === 'ide');
      for (const name of rest) {
        expect(names).not.toContain(name);
        expectClearError(await client.call(name, {}), 'not active');
      }
      await client.call('read_file', { relative_path: 'a.txt' });
      await client.ask('delete_lines', { relative_path: 'a.txt', start_line: 0, end_line: 0 });
      expect(project.read('a.txt')).toBe('two\n');
      expect(client.stderr).toContain('Ignored the tools');
      for (const name of rest) expect(client.stderr).toContain(`\`${name}\``);
    },
  );

  test.each(['ide', 'desktop-app'])('can remove tools with fixed_tools: %s', async (context) => {
    const project = makeProject({ fixed_tools: ['read_file', 'list_memories'] });
    await using client = await start(project, { args: ['--context', context] });
    // The context `ide` excludes `read_file`.
    if (context === 'ide') expect(await listed(client)).toEqual(['list_memories']);
    await client.ask('list_memories');
    expectClearError(await client.call('list_dir', { relative_path: '.', recursive: false }), 'not active');
    const read = await client.call('read_file', { relative_path: 'a.txt' });
    expect(read.isError).toBe(context === 'ide');
  });

  test('cannot add tools through a mode that it adds', async () => {
    const project = makeProject({ added_modes: ['query-projects'], default_modes: ['editing'] });
    await using client = await start(project, {});
    expect(await listed(client)).not.toContain('query_project');
    expectClearError(await client.call('query_project', {}), 'not active');
  });

  test('cannot have a JetBrains IDE run programs', async () => {
    const project = makeProject({ language_backend: 'JetBrains' });
    await using client = await start(project, {});
    const names = await listed(client);
    expect(names).toContain('jet_brains_find_symbol');
    expect(names).not.toContain('jet_brains_debug');
    expectClearError(await client.call('jet_brains_debug', {}), 'not active');
  });

  test('does not affect modes that the client switches to', async () => {
    const project = makeProject({ added_modes: ['planning'] });
    await using client = await start(project, {
      user: { included_optional_tools: ['switch_modes'], default_modes: ['planning'] },
    });
    expectClearError(await client.call('execute_shell_command', shell), 'not active');
    await client.ask('switch_modes', { modes: ['editing'] });
    await client.ask('execute_shell_command', shell);
    expect(existsSync(project.path('ran'))).toBe(true);
  });
});

describe('a trusted project takes precedence', () => {
  test.each(combinations)('over %s, with %s', async (restriction, attempt) => {
    const project = makeProject(attempts[attempt] ?? {});
    const given = restrictions[restriction] ?? {};
    const user = { ...given.user, trusted_project_path_patterns: [project.root] };
    await using client = await start(project, { ...given, user });
    await client.ask('execute_shell_command', shell);
    expect(existsSync(project.path('ran'))).toBe(true);
  });
});
