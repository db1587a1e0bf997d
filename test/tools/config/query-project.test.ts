import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { python as pythonServer } from '../../../src/languages/python/servers.ts';
import { typescript as typescriptServer } from '../../../src/languages/typescript/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { expectClearError } from '../../support/clear.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, ownHome, stubServers } from '../../support/homes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

const optional = ['query_project', 'list_queryable_projects', 'restart_language_server', 'remove_project'];

describe('query_project from a TypeScript project', () => {
  let here: Workspace;
  let python: Workspace;
  let client: TestClient;

  beforeAll(async () => {
    here = copyFixture('typescript', { as: 'here' });
    python = copyFixture('python', { as: 'there' });
    python.write('.serena/project.yml', 'project_name: there\nexcluded_tools: [find_file]\n');
    python.write('.serena/memories/only_there.md', 'remember');
    for (const spec of [pythonServer, typescriptServer]) await install(spec);
    const env = {
      ...ownHome({ projects: [here.root, python.root], included_optional_tools: optional }),
    };
    client = await startClient({ args: ['--project', here.root], env });
  }, installTimeoutMs);

  afterAll(() => client.close());

  const query = (tool_name: string, args: object, project_name = 'there') =>
    client.ask('query_project', { project_name, tool_name, tool_params_json: JSON.stringify(args) });

  test('answers for the other project and keeps the active one active', async () => {
    await using direct = await startClient({ args: ['--project', python.root] });
    for (const [tool, args] of [
      ['get_symbols_overview', { relative_path: 'shop/helper.py', depth: 1 }],
      ['find_symbol', { name_path_pattern: 'Basket', include_body: true }],
      ['find_referencing_symbols', { name_path: 'Basket', relative_path: 'shop/helper.py' }],
      ['list_dir', { relative_path: '.', recursive: true, skip_ignored_files: true }],
      ['search_for_pattern', { substring_pattern: 'def ' }],
      ['read_file', { relative_path: 'shop/helper.py' }],
      ['read_memory', { memory_name: 'only_there' }],
      ['check_onboarding_performed', {}],
    ] as const) {
      const expected = await direct.ask(tool, args);
      expect(await query(tool, args)).toBe(expected);
      expect(await query(tool, args, python.root)).toBe(expected);
    }
    expect(await client.ask('list_memories')).toBe('{}');
    expect(await client.ask('find_symbol', { name_path_pattern: 'Basket' })).toContain('"src/');
    expect(await client.ask('get_current_config')).toContain(`Active project: here (${here.root})`);
  });

  test('accepts older names of tools and parameters, objects instead of JSON, and inactive tools', async () => {
    const found = await query('find_symbol', { name_path_pattern: 'Basket' });
    expect(found).toContain('shop/helper.py');
    const call = (args: object) => client.ask('query_project', { project_name: 'there', ...args });
    const older = { name_path: 'Basket' };
    expect(await call({ tool_name: 'mcp__serena__find_symbol', tool_params_json: older })).toBe(found);
    expect(await call({ tool_name: 'find_symbol', tool_params: older })).toBe(found);
    expect(await call({ tool_name: 'find_symbol', tool_params: JSON.stringify(older) })).toBe(found);
    const find = { file_mask: 'helper.py', relative_path: '.' };
    expect(await call({ tool_name: 'find_file', tool_params: find })).toBe('{"files": ["shop/helper.py"]}');
    expect(await call({ tool_name: 'list_memories', tool_params_json: '' })).toBe('{"memories": ["only_there"]}');
  });

  test('reports about the other project, not the active one, in tools about the project', async () => {
    expect(await query('get_current_config', {})).toContain(`Active project: there (${python.root})`);
    const manual = await query('initial_instructions', {});
    expect(manual).toContain(`The project \`there\` at ${python.root} is open for queries.`);
    expect(manual).toContain('{"memories": ["only_there"]}');
  });
});

describe('query_project', () => {
  const files = { '.serena/project.yml': 'project_name: other\n', 'a.py': 'def one():\n    pass\n', 'a.txt': 'hi' };

  async function start(others: readonly Workspace[], config: Readonly<Record<string, unknown>> = {}) {
    const here = makeWorkspace({ 'b.txt': 'here' });
    const projects = others.map(({ root }) => root);
    const home = makeHome({ projects, included_optional_tools: optional, ...config });
    return { here, home, client: await startClient({ args: ['--project', here.root], env: { SERENA_HOME: home } }) };
  }

  const read = { tool_name: 'read_file', tool_params_json: '{"relative_path": "a.txt"}' };

  test('rejects unknown tools and projects, and invalid arguments', async () => {
    const [other, stranger] = [makeWorkspace(files), makeWorkspace({ 'a.txt': 'secret' })];
    const { client } = await start([other]);
    await using _ = client;
    const rows: readonly (readonly [object, ...string[]])[] = [
      [{ tool_name: 'find_symbl' }, 'ValueError: there is no tool `find_symbl`', 'did you mean `find_symbol`'],
      [{ tool_name: 'zzzzzzzzz' }, 'ValueError: there is no tool', 'tools that can: read_file'],
      [{ project_name: 'nope' }, 'AssertionError: no known project is called `nope`', 'known projects: '],
      [{ project_name: stranger.root }, 'AssertionError: no known project is called', 'activated'],
      [{ project_name: 'a\0b' }, 'AssertionError: '],
      [{ tool_params_json: '{' }, 'ValueError: `tool_params_json` is not valid JSON'],
      [{ tool_params_json: '[1]' }, 'ValueError: the arguments must be one JSON object'],
      [{ tool_params_json: '{"relative_pat": "x"}' }, 'ValueError: wrong arguments', '`relative_path`'],
      [{ tool_params_json: '{"relative_path": "nope.txt"}' }, 'FileNotFoundError: file `nope.txt` does not exist'],
      [{ tool_params_json: '{"relative_path": "../x"}' }, 'ValueError: ', 'outside the project'],
    ];
    for (const [args, ...parts] of rows) {
      const answer = await client.call('query_project', { project_name: 'other', ...read, ...args });
      expectClearError(answer, 'query_project: ', ...parts);
    }
    expect(await client.ask('read_file', { relative_path: 'b.txt' })).toBe('here');
  });

  describe('rejects a tool that is excluded', () => {
    const refusal = '`read_file` cannot run in another project: ';
    const excluding = 'excluded_tools: [read_file]\n';
    const fixing = `fixed_tools: [query_project, list_dir]\n`;

    test('by the configuration of the user', async () => {
      const { client } = await start([makeWorkspace(files)], { excluded_tools: ['read_file'] });
      await using _ = client;
      const ask = (more: object) => client.call('query_project', { project_name: 'other', ...read, ...more });
      expectClearError(await ask({}), refusal);
      const other = await ask({ tool_name: 'zzzzzzzzz' });
      expectClearError(other, 'tools that can: ', 'list_dir');
      expect(other.text).not.toContain('read_file');
      const listing = { relative_path: '.', recursive: false };
      expect((await ask({ tool_name: 'list_dir', tool_params_json: listing })).text).toContain('a.txt');
    });

    test.each([
      ['context', 'contexts', ['--context', 'mine'], excluding],
      ['context by naming others', 'contexts', ['--context', 'mine'], fixing],
      ['mode', 'modes', ['--add-mode', 'mine'], excluding],
    ] as const)('by a %s', async (_by, kind, args, text) => {
      const [here, other] = [makeWorkspace({ 'b.txt': 'here' }), makeWorkspace(files)];
      const home = makeHome({ projects: [other.root], included_optional_tools: optional });
      mkdirSync(join(home, kind));
      writeFileSync(join(home, kind, 'mine.yml'), `description: mine\nprompt: ''\n${text}`);
      await using client = await startClient({ args: ['--project', here.root, ...args], env: { SERENA_HOME: home } });
      expectClearError(await client.call('query_project', { project_name: 'other', ...read }), refusal);
    });

    test('but not by the active project, whose configuration does not apply', async () => {
      const other = makeWorkspace(files);
      const here = makeWorkspace({ '.serena/project.yml': 'excluded_tools: [read_file]\n' });
      const home = makeHome({ projects: [other.root], included_optional_tools: optional });
      await using client = await startClient({ args: ['--project', here.root], env: { SERENA_HOME: home } });
      expect(await client.ask('query_project', { project_name: 'other', ...read })).toBe('hi');
    });
  });

  test('rejects an ambiguous name; list_queryable_projects lists the directories', async () => {
    const [one, two] = [makeWorkspace(files), makeWorkspace(files)];
    const link = join(makeTempDir(), 'link');
    symlinkSync(two.root, link);
    const { client } = await start([one, two]);
    await using _ = client;
    const answer = await client.call('query_project', { project_name: 'other', ...read });
    expectClearError(answer, 'ValueError: `other` names 2 projects', one.root, two.root);
    const { here: _here, ...listed } = JSON.parse(await client.ask('list_queryable_projects'));
    expect(Object.entries(listed)).toEqual(
      expect.arrayContaining([
        [one.root, one.root],
        [two.root, two.root],
      ]),
    );
    for (const project_name of [two.root, `${two.root}/`, link]) {
      expect(await client.ask('query_project', { project_name, ...read })).toBe('hi');
    }
  });

  test('passes on gaps and shortening of the inner answer', async () => {
    const other = makeWorkspace({
      ...files,
      'b.ts': 'class one {\n}\n',
      '.serena/project.yml': 'project_name: other\n',
    });
    const stubs = {
      ...stubServers({ python: 'errors-on-symbols', typescript: 'well-behaved' }),
      trusted_project_path_patterns: ['**'],
    };
    const { client } = await start([other], stubs);
    await using _ = client;
    const ask = (tool_params: object) =>
      client.call('query_project', { project_name: 'other', tool_name: 'find_symbol', tool_params });
    const answer = await ask({ name_path_pattern: 'one' });
    expect(answer).toMatchObject({ isError: false, structured: { result: answer.text } });
    expect(answer.text).toContain('"b.ts"');
    expect(answer.blocks[1]).toContain('Incomplete:\n- `a.py` was not searched');
    expect((await ask({ name_path_pattern: 'one', max_answer_chars: 10 })).text).toStartWith('The answer has');
  });

  test('queries several projects at once, and creates no files in them', async () => {
    const others = ['x', 'y', 'z'].map((name) =>
      makeWorkspace({ 'a.txt': name, '.serena/project.yml': `project_name: ${name}\n` }),
    );
    const { client } = await start(others);
    await using _ = client;
    const names = ['x', 'y', 'z', 'x', 'y', 'z', 'x'];
    const answers = await Promise.all(
      names.map((project_name) => client.ask('query_project', { project_name, ...read })),
    );
    expect(answers).toEqual(names);
    for (const other of others) {
      expect(existsSync(other.path('.serena/memories'))).toBe(false);
      expect(existsSync(other.path('.serena/.gitignore'))).toBe(false);
    }
  });

  test('works before any project is active', async () => {
    const other = makeWorkspace(files);
    const home = makeHome({ projects: [other.root], included_optional_tools: optional });
    await using client = await startClient({ env: { SERENA_HOME: home } });
    expect(await client.ask('list_queryable_projects', { symbol_access: false })).toBe(`{"other": "${other.root}"}`);
    expect(await client.ask('query_project', { project_name: 'other', ...read })).toBe('hi');
    expect((await client.call('read_file', { relative_path: 'a.txt' })).text).toContain('no project is active');
  });
});
