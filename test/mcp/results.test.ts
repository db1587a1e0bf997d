import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { copyFixture, type Workspace } from '../support/workspace.ts';

let client: TestClient;
let project: Workspace;

beforeAll(async () => {
  project = copyFixture('tools');
  project.write('latin.txt', Uint8Array.of(0x67, 0x72, 0xfc, 0xdf, 0x65));
  const home = makeHome(stubServers({ python: ['errors-on-symbols', { file: 'models.py' }] }));
  client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
});

afterAll(() => client.close());

describe('results of tools/call', () => {
  test.each([
    ['a string', 'read_file', { relative_path: 'uni.txt' }],
    ['JSON', 'list_dir', { relative_path: 'pkg', recursive: false }],
    ['an empty string', 'read_file', { relative_path: 'pkg/__init__.py' }],
    ['an empty list', 'find_symbol', { name_path_pattern: 'zzz', relative_path: 'pkg/app.py' }],
    ['a negative answer that is not an error', 'list_dir', { relative_path: 'nowhere', recursive: false }],
    ['several lines', 'get_current_config', {}],
  ])('carry %s as text and as structured content', async (_, tool, args) => {
    const answer = await client.call(tool, args);
    expect(answer).toMatchObject({ isError: false, blocks: [answer.text], structured: { result: answer.text } });
  });
});

describe('errors of tools/call', () => {
  const file = { substring_pattern: 'x' };
  test.each([
    ['ValueError', 'search_for_pattern', { substring_pattern: '(' }],
    ['ValueError', 'search_for_pattern', { ...file, paths_include_glob: '{a' }],
    ['ValueError', 'read_file', { relative_path: '../x' }],
    ['ValueError', 'get_symbols_overview', { relative_path: 'uni.txt' }],
    ['ValueError', 'find_referencing_symbols', { name_path: 'zzz', relative_path: 'pkg/app.py' }],
    ['ValueError', 'read_file', { relative_path: 'uni.txt', max_answer_chars: 0 }],
    ['AssertionError', 'find_symbol', { name_path_pattern: '' }],
    ['AssertionError', 'find_symbol', { name_path_pattern: 'make', max_matches: 0 }],
    ['FileNotFoundError', 'read_file', { relative_path: 'nope.txt' }],
    ['FileNotFoundError', 'find_file', { relative_path: 'nope', file_mask: '*' }],
    ['FileNotFoundError', 'search_for_pattern', { ...file, relative_path: 'nope' }],
    ['FileNotFoundError', 'get_symbols_overview', { relative_path: 'nope.py' }],
    ['FileNotFoundError', 'find_symbol', { name_path_pattern: 'x', relative_path: 'nope' }],
    ['IsADirectoryError', 'read_file', { relative_path: 'pkg' }],
    ['NotADirectoryError', 'list_dir', { relative_path: 'uni.txt', recursive: false }],
    ['UnicodeDecodeError', 'read_file', { relative_path: 'latin.txt' }],
    ['SolidLSPException', 'get_symbols_overview', { relative_path: 'pkg/models.py' }],
    ['ProjectNotFoundError', 'activate_project', { project: 'nobody-knows-it' }],
  ])('name the kind: %s from %s (%#)', async (kind, tool, args) => {
    const answer = await client.call(tool, args);
    expect(answer).toMatchObject({ isError: true, blocks: [answer.text], structured: undefined });
    expect(answer.text).toStartWith(`Error executing tool ${tool}: ${kind}: `);
    expect(answer.text).not.toMatch(/\n\s+at /);
  });

  test('of the pipeline have no kind: no project', async () => {
    await using alone = await startClient({ env: { SERENA_HOME: makeHome() } });
    const { text, isError } = await alone.call('read_file', { relative_path: 'x' });
    expect(isError).toBe(true);
    expect(text).toStartWith('Error executing tool read_file: no project is active\nhint: ask the user');
  });

  test('of the pipeline have no kind: an inactive tool, with the active ones in order', async () => {
    const home = makeHome({ fixed_tools: ['search_for_pattern', 'list_dir', 'find_symbol'] });
    await using alone = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    const { text, isError } = await alone.call('read_file', { relative_path: 'uni.txt' });
    expect(isError).toBe(true);
    expect(text).toBe(
      'Error executing tool read_file: the tool `read_file` is not active. ' +
        'Active tools: find_symbol, list_dir, search_for_pattern',
    );
  });

  test.each([
    ['find_symbl', 'find_symbol'],
    ['getSymbolsOverview', 'get_symbols_overview'],
    ['mcp__serena__reed_file', 'read_file'],
  ])('of an unknown tool stand alone and suggest the nearest: %s', async (name, meant) => {
    const { text, isError } = await client.call(name, {});
    expect(isError).toBe(true);
    expect(text).toBe(`there is no tool \`${name}\`\nhint: did you mean \`${meant}\`?`);
  });

  test('of a name unlike that of any tool list all tools', async () => {
    const { text } = await client.call('make_coffee', {});
    expect(text).toStartWith(
      'there is no tool `make_coffee`\nhint: the tools are: read_file, create_text_file, list_dir,',
    );
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'of a name that every object has say that there is no such tool: %s',
    async (name) => {
      expect((await client.call(name, {})).text).toStartWith(`there is no tool \`${name}\``);
      const joined = { edits: [{ tool: name, arguments: {} }] };
      expect((await client.call('apply_edits', joined)).text).toContain(`edit 1 (\`${name}\`) is not an active tool`);
    },
  );

  test('are in the log file, whose path the log on stderr contains', async () => {
    await client.call('read_file', { relative_path: 'nope.txt' });
    const path = /log file: (\S+)/.exec(client.stderr)?.[1] ?? '';
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain('file `nope.txt` does not exist in the project');
  });
});
