import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearError, expectClearExit } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { runProgram } from '../support/program.ts';
import { makeWorkspace } from '../support/workspace.ts';

type Config = Readonly<Record<string, unknown>>;

/**
 * Creates a home directory with modes `a` … `e`, whose prompts contain their names, and a `serena_config.yml` with
 * these keys.
 */
function homeWith(config: Config, modes: Readonly<Record<string, string>> = {}): string {
  const home = makeHome(config);
  mkdirSync(join(home, 'modes'));
  const plain = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, `prompt: I am ${name}.\n`]));
  for (const [name, text] of Object.entries({ ...plain, ...modes }))
    writeFileSync(join(home, 'modes', `${name}.yml`), text);
  return home;
}

const projectWith = (config: Config, local?: Config) =>
  makeWorkspace({
    'a.txt': '',
    '.serena/project.yml': JSON.stringify(config),
    ...(local === undefined ? {} : { '.serena/project.local.yml': JSON.stringify(local) }),
  });

async function activeModes(client: TestClient): Promise<string | undefined> {
  return /^Active modes: (.*)$/m.exec(await client.ask('get_current_config'))?.[1];
}

describe('the active modes', () => {
  interface Row {
    readonly what: string;
    readonly user?: Config;
    readonly project?: Config;
    readonly local?: Config;
    readonly flags?: readonly string[];
    readonly modes: string;
  }
  const rows: readonly Row[] = [
    { what: 'are the base modes', modes: 'editing, interactive' },
    { what: 'and the default modes', user: { default_modes: ['a'] }, modes: 'a, editing, interactive' },
    {
      what: 'with those of the project instead of those of the user',
      ...{ user: { default_modes: ['a'] }, project: { default_modes: ['b'] }, modes: 'b, editing, interactive' },
    },
    {
      what: 'with those of the local file instead of project.yml',
      ...{ project: { default_modes: ['b'] }, local: { default_modes: ['c'] }, modes: 'c, editing, interactive' },
    },
    {
      what: 'with those of the command line instead of all others',
      ...{ user: { default_modes: ['a'] }, project: { default_modes: ['b'] }, flags: ['--mode', 'c', '--mode', 'd'] },
      modes: 'c, d, editing, interactive',
    },
    {
      what: 'without default modes if the list is empty',
      ...{ user: { default_modes: ['a'] }, project: { default_modes: [] }, modes: 'editing, interactive' },
    },
    {
      what: 'with those of the user if the project sets none',
      ...{ user: { default_modes: ['a'] }, project: { default_modes: null }, modes: 'a, editing, interactive' },
    },
    {
      what: 'and the modes added by project and command line',
      ...{ user: { default_modes: ['a'] }, project: { added_modes: ['b'] }, flags: ['--add-mode', 'c'] },
      modes: 'a, b, c, editing, interactive',
    },
    {
      what: 'with added modes besides those of the command line',
      ...{ project: { added_modes: ['b'] }, flags: ['--mode', 'c'], modes: 'b, c, editing, interactive' },
    },
    {
      what: 'with base modes of the user only',
      user: { base_modes: ['e'] },
      project: { base_modes: ['a'] },
      modes: 'e',
    },
    {
      what: 'once each',
      ...{ user: { base_modes: ['a'], default_modes: ['a', 'b'] }, project: { added_modes: ['b'] }, modes: 'a, b' },
    },
  ];
  test.each(rows)('$what', async ({ user = {}, project = {}, local, flags = [], modes }) => {
    const { root } = projectWith(project, local);
    await using client = await startClient({
      args: ['--project', root, ...flags],
      env: { SERENA_HOME: homeWith(user) },
    });
    expect(await activeModes(client)).toBe(modes);
  });

  test('change with the project, whose message has the prompts of the new ones; the next manual does not repeat them', async () => {
    const [one, two] = [projectWith({ added_modes: ['a'] }), projectWith({ default_modes: ['b'], added_modes: ['a'] })];
    await using client = await startClient({ args: ['--project', one.root], env: { SERENA_HOME: homeWith({}) } });
    expect(await client.ask('initial_instructions')).toContain('<mode name="a">\nI am a.\n</mode>');
    const message = await client.ask('activate_project', { project: two.root });
    expect(message).toContain('<mode name="b">\nI am b.\n</mode>');
    expect(message).not.toContain('<mode name="a">');
    const after = await client.ask('initial_instructions');
    expect(after).toContain('<mode name="a">');
    expect(after).not.toContain('<mode name="b">');
    expect(after).not.toContain('<active-project>');
    const again = await client.ask('initial_instructions');
    expect(again).toContain('<mode name="b">');
    expect(again).toContain('<active-project>');
    await client.ask('activate_project', { project: one.root });
    expect(await activeModes(client)).toBe('a, editing, interactive');
  });

  test('that the client switched to stay active with the next project', async () => {
    const home = homeWith({ included_optional_tools: ['switch_modes'], default_modes: ['a'] });
    const [one, two] = [projectWith({}), projectWith({ default_modes: ['b'] })];
    await using client = await startClient({ args: ['--project', one.root], env: { SERENA_HOME: home } });
    await client.ask('switch_modes', { modes: ['c'] });
    await client.ask('activate_project', { project: two.root });
    expect(await activeModes(client)).toBe('c, editing, interactive');
  });
});

describe('an unknown mode', () => {
  test.each([
    [
      'of the user',
      { base_modes: ['interactiv'] },
      [],
      'serena_config.yml: key `base_modes`: there is no mode `interactiv`',
    ],
    ['by default', { default_modes: ['nope'] }, [], 'serena_config.yml: key `default_modes`'],
    ['on the command line', {}, ['--mode', 'nope'], '`--mode`: there is no mode `nope`'],
    ['added there', {}, ['--add-mode', 'nope'], '`--add-mode`: there is no mode `nope`'],
    ['because it is internal', {}, ['--mode', 'jetbrains'], 'there is no mode `jetbrains`'],
  ])('stops the start: %s', async (_, user, flags, part) => {
    const ended = await runProgram(['start-mcp-server', ...flags], { env: { SERENA_HOME: homeWith(user) } });
    expectClearExit(ended, 78, part, 'planning', 'hint: ');
  });

  test.each(['default_modes', 'added_modes'])('in %s of a project fails its calls', async (key) => {
    const project = projectWith({ [key]: ['nope'] });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: homeWith({}) } });
    const answer = await client.call('read_file', { relative_path: 'a.txt' });
    expectClearError(answer, 'project.yml', `key \`${key}\`: there is no mode \`nope\``);
  });

  test('or a file with a misspelled key is reported with the line and a suggestion', async () => {
    const home = homeWith({ base_modes: ['bad'] }, { bad: 'prompt: x\nexcluded_tool: [read_file]\n' });
    const ended = await runProgram(['start-mcp-server'], { env: { SERENA_HOME: home } });
    expectClearExit(ended, 78, 'bad.yml:2: unknown key `excluded_tool`', 'hint: did you mean `excluded_tools`?');
  });
});

describe('the language backend', () => {
  const toolsOf = async (client: TestClient) => (await client.tools()).map(({ name }) => name);

  const rows: readonly { what: string; user: Config; project: Config; flags: readonly string[]; isIde: boolean }[] = [
    { what: 'of the user', user: { language_backend: 'jetbrains' }, project: {}, flags: [], isIde: true },
    {
      what: 'of the command line instead',
      ...{ user: { language_backend: 'JetBrains' }, project: {}, flags: ['--language-backend', 'LSP'], isIde: false },
    },
    {
      what: 'of the start project instead of both',
      ...{ user: {}, project: { language_backend: 'JetBrains' }, flags: ['--language-backend', 'LSP'], isIde: true },
    },
  ];
  test.each(rows)('is that $what', async ({ user, project, flags, isIde }) => {
    const { root } = projectWith(project);
    await using client = await startClient({
      args: ['--project', root, ...flags],
      env: { SERENA_HOME: makeHome(user) },
    });
    const names = await toolsOf(client);
    expect([names.includes('jet_brains_find_symbol'), names.includes('find_symbol')]).toEqual([isIde, !isIde]);
    const state = await client.ask('get_current_config');
    expect(state).toContain(`Language backend: ${isIde ? 'JetBrains' : 'LSP'}`);
    expect(state).toContain(`Active modes: ${isIde ? 'jetbrains, ' : ''}editing, interactive`);
  });

  test('cannot change with a later project', async () => {
    const [one, two] = [projectWith({}), projectWith({ language_backend: 'JetBrains' })];
    await using client = await startClient({ args: ['--project', one.root], env: { SERENA_HOME: makeHome() } });
    const answer = await client.call('activate_project', { project: two.root });
    expectClearError(answer, 'sets the language backend JetBrains, but this session uses LSP', '--language-backend');
    expect(await client.ask('read_file', { relative_path: 'a.txt' })).toBe('');
  });
});
