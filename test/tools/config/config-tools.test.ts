import { describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tools } from '../../../src/tools/tools.ts';
import { expectClearError } from '../../support/clear.ts';
import { startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const included_optional_tools = [
  ...['remove_project', 'list_queryable_projects', 'query_project', 'open_dashboard', 'search_tools'],
  ...['switch_modes', 'serena_info'],
];
const project = (name: string) => makeWorkspace({ '.serena/project.yml': `project_name: ${name}\n`, 'a.txt': name });

/**
 * Starts a client whose home directory has these files beside a configuration that includes the tools of this suite.
 */
function start(options: { files?: Readonly<Record<string, string>>; config?: object; args?: readonly string[] } = {}) {
  const home = makeHome({ included_optional_tools, ...options.config });
  for (const [path, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return startClient({ args: options.args ?? [], env: { SERENA_HOME: home } });
}

describe('remove_project', () => {
  test('removes the project from the file and leaves everything else unchanged', async () => {
    const [one, two, three] = [project('one'), project('two'), project('three')];
    const home = makeTempDir('home');
    const file = join(home, 'serena_config.yml');
    const head = `# mine\nincluded_optional_tools: [${included_optional_tools.join(', ')}] # all\nunknown_key: {a: 1}\n\n`;
    const [a, b, c] = [`  - ${one.root} # first\n`, `  - ${two.root} # second\n`, `  - ${three.root}\n`];
    const tail = '\n# after\ntool_timeout: 60\n';
    writeFileSync(file, `${head}# known\nprojects:\n${a}${b}${c}${tail}`);
    await using client = await startClient({ env: { SERENA_HOME: home } });
    expect(await client.ask('remove_project', { project_name: 'two' })).toBe(
      `Removed the project \`two\` at ${two.root} from the known projects; its files are unchanged.`,
    );
    expect(readFileSync(file, 'utf8')).toBe(`${head}# known\nprojects:\n${a}${c}${tail}`);
    expect(two.read('a.txt')).toBe('two');
    expect(two.read('.serena/project.yml')).toBe('project_name: two\n');
    // No later call adds it again.
    await client.ask('activate_project', { project: 'one' });
    expect(Object.keys(JSON.parse(await client.ask('list_queryable_projects')))).toEqual(['one', 'three']);
    expect(await client.ask('get_current_config')).not.toContain(two.root);
    await client.ask('remove_project', { project_name: three.root });
    await client.ask('remove_project', { project_name: 'one' });
    expect(await client.ask('list_queryable_projects')).toBe('{}');
    expect(readFileSync(file, 'utf8')).toContain(`projects: []\n${tail}`);
  });

  test('rejects an unknown project, listing the known ones, and an ambiguous name', async () => {
    const [one, twin, other] = [project('one'), project('twin'), project('twin')];
    await using client = await start({ config: { projects: [one.root, twin.root, other.root] } });
    const remove = (project_name: string) => client.call('remove_project', { project_name });
    for (const name of ['two', '/', one.path('a.txt'), '', 'a\0']) {
      expectClearError(
        await remove(name),
        `ValueError: no known project is called \`${name}\``,
        'known projects: one, twin, twin',
      );
    }
    expectClearError(await remove('twin'), 'ValueError: `twin` names 2 projects', twin.root, other.root);
    expect(Object.keys(JSON.parse(await client.ask('list_queryable_projects')))).toHaveLength(3);
    await client.ask('remove_project', { project_name: `${twin.root}/` });
    expect(JSON.parse(await client.ask('list_queryable_projects'))).toEqual({ one: one.root, twin: other.root });
  });

  test('removes a missing directory, and one whose configuration is broken', async () => {
    const [gone, broken] = [project('gone'), project('broken')];
    rmSync(gone.root, { recursive: true });
    broken.write('.serena/project.yml', 'project_name: [\n');
    await using client = await start({ config: { projects: [gone.root, broken.root] } });
    for (const { root } of [gone, broken]) {
      expect(await client.ask('remove_project', { project_name: root })).toContain('from the known projects');
      expectClearError(await client.call('remove_project', { project_name: root }), 'no known project is called');
    }
  });

  test('keeps the active project active, and its directory can be activated again', async () => {
    const one = project('one');
    await using client = await start({ args: ['--project', one.root] });
    await client.ask('read_file', { relative_path: 'a.txt' });
    await client.ask('remove_project', { project_name: 'one' });
    expect(await client.ask('read_file', { relative_path: 'a.txt' })).toBe('one');
    expectClearError(await client.call('activate_project', { project: 'one' }), 'ProjectNotFoundError: ');
    await client.ask('activate_project', { project_path: one.root });
    expect(await client.ask('activate_project', { project_name: 'one' })).toContain('is activated');
  });
});

test('lists of known projects reflect changes by other processes', async () => {
  const [one, two] = [project('one'), project('two')];
  const home = makeHome({ included_optional_tools, projects: [one.root] });
  const options = { env: { SERENA_HOME: home } };
  await using first = await startClient(options);
  await using second = await startClient(options);
  const names = async () => Object.keys(JSON.parse(await first.ask('list_queryable_projects')));
  expect(await names()).toEqual(['one']);
  await second.ask('activate_project', { project: two.root });
  expect((await names()).sort()).toEqual(['one', 'two']);
  await second.ask('remove_project', { project_name: 'one' });
  expect(await names()).toEqual(['two']);
  expectClearError(await first.call('remove_project', { project_name: 'one' }), 'known projects: two');
  expect((await first.call('read_file', { relative_path: 'a.txt' })).text).toContain('known projects: two');
});

describe('search_tools', () => {
  const ending = `\n\n\nAvailable categories: file_operations, symbolic_read, symbolic_edit, memory, config, workflow, shell, jetbrains`;
  const namesIn = (text: string) => [...text.matchAll(/^- \*\*(\w+)\*\*/gm)].map(([, name]) => name);

  test('returns state, category and summary of each tool, name matches first', async () => {
    await using client = await start({ config: { excluded_tools: ['read_memory'] } });
    const text = await client.ask('search_tools', { query: 'Memory' });
    expect(text).toMatch(
      /^Found \d+ tool\(s\):\n\n- \*\*delete_memory\*\* \[active] \[can_edit] \[memory]\n {2}Deletes a memory\.\n\n- /,
    );
    expect(text).toStartWith(`Found ${namesIn(text).length} tool(s):`);
    expect(text).toEndWith(ending);
    expect(text).toContain(
      '\n\n- **read_memory** [inactive] [memory]\n  Reads a memory, a note from an earlier conversation.\n\n',
    );
    const named = ['delete_memory', 'edit_memory', 'read_memory', 'rename_memory', 'write_memory'];
    const found = namesIn(text);
    expect(found.slice(0, 5)).toEqual(named);
    expect(found.slice(5)).toEqual([...found.slice(5)].sort());
    expect(found).toContain('list_memories');
  });

  test('finds words in summaries and parameters, within a category', async () => {
    await using client = await start();
    expect(namesIn(await client.ask('search_tools', { query: 'topic', category: 'Memory' }))).toEqual([
      'list_memories',
      'rename_memory',
    ]);
    expect(namesIn(await client.ask('search_tools', { query: 'tool_params_json' }))).toEqual(['query_project']);
    for (const { name, category } of [
      { name: 'write_memory', category: 'memory' },
      { name: 'serena_info', category: 'workflow' },
      { name: 'search_tools', category: 'config' },
    ]) {
      expect(namesIn(await client.ask('search_tools', { query: name, category }))).toEqual([name]);
    }
  });

  test('finds all tools, up to the requested number', async () => {
    await using client = await start();
    const all = await client.ask('search_tools', { max_results: 1000 });
    expect(namesIn(all)).toEqual(tools.map(({ name }) => name).sort());
    for (const line of all.split('\n')) expect(line.startsWith('  ') ? line.length : 0).toBeLessThanOrEqual(102);
    const few = await client.call('search_tools', { max_results: 2, include_descriptions: false });
    const [first, second] = tools.map(({ name }) => name).sort();
    expect(few.text).toStartWith(`Found 2 tool(s):\n\n- **${first}** [active] [config]\n\n- **${second}** [inactive] `);
    expect(few.text).toEndWith(ending);
    expect(few.blocks[1]).toBe(
      `Note:\n- ${tools.length - 2} more tools match; raise \`max_results\` or narrow the query`,
    );
    expectClearError(await client.call('search_tools', { max_results: 0 }), 'ValueError: ', '`max_results`');
  });

  test('reports that nothing matches and lists the categories', async () => {
    await using client = await start();
    expect(await client.ask('search_tools', { query: 'zzz', category: 'memory' })).toBe(
      'No tool matches.\nCategory filter: memory\nQuery: zzz',
    );
    expect(await client.ask('search_tools', { category: 'memories' })).toBe(
      `There is no category \`memories\`. ${ending.trim()}`,
    );
  });
});

describe('switch_modes', () => {
  const files = {
    'modes/quiet.yml': 'prompt: Say little.\nexcluded_tools: [read_file]\n',
    'modes/loud.yml': `prompt: "Say much{% if 'read_file' in available_tools %}, read{% endif %}."\n`,
    'modes/broken.yml': 'prompt: "{% if x %}"\n',
  };
  const active = async (client: { ask: (name: string) => Promise<string> }) =>
    /^Active modes: (.*)$/m.exec(await client.ask('get_current_config'))?.[1];

  test('replaces the modes other than the base modes, with their prompts and tools', async () => {
    await using client = await start({ files, args: ['--project', project('one').root] });
    const quiet = await client.ask('switch_modes', { modes: ['quiet'] });
    expect(quiet).toStartWith(
      'Active modes: editing, interactive, quiet\n<mode name="quiet">\nSay little.\n</mode>\nActive tools: ',
    );
    expect(quiet).not.toContain('read_file');
    expect((await client.call('read_file', { relative_path: 'a.txt' })).text).toContain('`read_file` is not active');
    expect((await client.tools()).map(({ name }) => name)).toContain('read_file');
    const loud = await client.ask('switch_modes', { modes: ['loud', 'editing', 'loud'] });
    expect(loud).toStartWith(
      'Active modes: editing, interactive, loud\n<mode name="loud">\nSay much, read.\n</mode>\n',
    );
    expect(loud).not.toContain('quiet');
    expect(await client.ask('read_file', { relative_path: 'a.txt' })).toBe('one');
    expect(await client.ask('initial_instructions')).toContain('<mode name="loud">');
    expect(await client.ask('switch_modes', { modes: [] })).toStartWith(
      'Active modes: editing, interactive\nActive tools: ',
    );
  });

  test('accepts the path of a YAML file', async () => {
    const file = join(makeTempDir(), 'mine.yml');
    writeFileSync(file, 'prompt: Mine.\n');
    await using client = await start({ args: ['--project', project('one').root] });
    expect(await client.ask('switch_modes', { modes: `["${file}"]` })).toContain('<mode name="mine">\nMine.\n</mode>');
  });

  test('changes nothing when one of them does not exist or is broken', async () => {
    await using client = await start({ files, args: ['--project', project('one').root] });
    await client.ask('switch_modes', { modes: ['quiet'] });
    for (const [modes, ...parts] of [
      [['loud', 'nope'], 'ValueError: there is no mode `nope`', 'editing, interactive'],
      [['loud', 'broken'], 'ValueError: ', 'broken.yml:1: the template is broken'],
      [['/nonexistent/x.yml'], 'ValueError: there is no mode'],
    ] as const) {
      expectClearError(await client.call('switch_modes', { modes }), ...parts);
      expect(await active(client)).toBe('editing, interactive, quiet');
    }
    expect((await client.call('read_file', { relative_path: 'a.txt' })).isError).toBe(true);
  });
});

describe('tools with nothing to show', () => {
  test('open_dashboard reports that there is none, and how to see the same information', async () => {
    await using client = await start();
    expectClearError(await client.call('open_dashboard'), 'open_dashboard: ValueError: ', '`get_current_config`');
  });

  test('serena_info names its topics', async () => {
    await using client = await start();
    const answer = await client.call('serena_info', { topic: 'nope' });
    expectClearError(answer, 'serena_info: ValueError: ', '`nope`', 'jet_brains_debug_repl');
    const info = await client.ask('serena_info', { topic: 'jet_brains_debug_repl' });
    for (const word of ['`debug`', '`session`', '`repl_key`', 'breakpoints', 'empty expression']) {
      expect(info).toContain(word);
    }
  });
});
