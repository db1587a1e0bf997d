import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { copyFixture, type Workspace } from '../support/workspace.ts';

let client: TestClient;
let project: Workspace;

beforeAll(async () => {
  project = copyFixture('tools');
  const home = makeHome(stubServers({ python: 'well-behaved' }));
  client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
});

afterAll(() => client.close());

const file = { relative_path: 'crlf.txt' };
const root = { relative_path: '.' };
const isClass = { name_path_pattern: 'Child', include_kinds: [5] };

describe('arguments of tools/call', () => {
  test.each([
    ['a string for a number', 'read_file', { ...file, start_line: '1', end_line: '1' }, 'line2'],
    ['a string with spaces for a number', 'read_file', { ...file, start_line: ' 1 ', end_line: '1' }, 'line2'],
    [
      'a string with a decimal number without a fraction',
      'read_file',
      { ...file, start_line: '1.0', end_line: '1' },
      'line2',
    ],
    ['a number with an empty fraction', 'read_file', { ...file, start_line: 1.0, end_line: 1.0 }, 'line2'],
    ['a string with a negative number', 'read_file', { ...file, start_line: '-2' }, 'line3\n'],
    ['null for a nullable number', 'read_file', { ...file, start_line: 2, end_line: null }, 'line3\n'],
    ['the string null for a nullable number', 'read_file', { ...file, start_line: 2, end_line: 'null' }, 'line3\n'],
    [
      'null for any optional argument',
      'read_file',
      { ...file, start_line: null, max_answer_chars: null },
      'line1\nline2\nline3\n',
    ],
    [
      'unknown arguments besides known ones',
      'read_file',
      { ...file, end_line: 0, encoding: 'latin-1', x: {} },
      'line1',
    ],
  ])('accept %s', async (_, tool, args, expected) => {
    expect(await client.ask(tool, args)).toBe(expected);
  });

  test.each([
    ...['true', 'TRUE', '1', 'yes', 'Yes', 'on', 'ON', 1, true].map((value) => [value, true] as const),
    ...['false', 'False', '0', 'no', 'NO', 'off', 'Off', 0, false].map((value) => [value, false] as const),
  ])('accept %p for %p', async (value, isRecursive) => {
    const { files } = JSON.parse(await client.ask('list_dir', { ...root, recursive: value }));
    expect(files.includes('pkg/app.py')).toBe(isRecursive);
  });

  test.each([
    ['a string with a list', { include_kinds: '[5]' }],
    ['a list of strings', { include_kinds: ['5'] }],
    ['a string with a list of strings', { include_kinds: '["5"]' }],
    ['a list of decimals', { include_kinds: [5.0] }],
    ['null besides a list', { relative_path: null, depth: null, exclude_kinds: null }],
    ['the alias of the pattern', { name_path_pattern: undefined, name_path: 'Child' }],
    ['the alias of the path', { within_relative_path: 'pkg/models.py' }],
    [
      'an alias that the right name overrules',
      { name_path: 'zzz', within_relative_path: 'nowhere', relative_path: '' },
    ],
  ])('of find_symbol accept %s', async (_, args) => {
    const found = JSON.parse(await client.ask('find_symbol', { ...isClass, ...args }));
    expect(found).toMatchObject([{ name_path: 'Child', kind: 'Class', relative_path: 'pkg/models.py' }]);
  });

  test('of find_referencing_symbols may use the alias of name_path', async () => {
    const args = { relative_path: 'pkg/models.py' };
    const answer = await client.ask('find_referencing_symbols', { ...args, name_path_pattern: 'make' });
    expect(Object.keys(JSON.parse(answer))).toEqual(['pkg/app.py', 'pkg/models.py']);
    expect(await client.ask('find_referencing_symbols', { ...args, name_path: 'make', name_path_pattern: 'x' })).toBe(
      answer,
    );
  });

  test.each(['project', 'project_name', 'project_path'])('of activate_project may use %s', async (name) => {
    expect(await client.ask('activate_project', { [name]: project.root })).toContain(project.root);
  });

  test('are accepted for tool names with the prefix that some clients add', async () => {
    expect(await client.ask('mcp__serena__read_file', { ...file, end_line: '0' })).toBe('line1');
  });

  test('may be missing for a tool without parameters', async () => {
    const answer = await client.client.callTool({ name: 'get_current_config' });
    expect(answer.isError).toBe(false);
  });
});

describe('wrong arguments', () => {
  test.each([
    ['a missing argument', 'find_symbol', {}, ['`name_path_pattern`: missing']],
    [
      'null for a required argument',
      'read_file',
      { relative_path: null },
      ['`relative_path`: must be a string, not null'],
    ],
    [
      'a number for a string',
      'find_symbol',
      { name_path_pattern: 5 },
      ['`name_path_pattern`: must be a string or a list, not 5'],
    ],
    ['a word for a number', 'read_file', { ...file, start_line: 'two' }, ['`start_line`: must be a number, not "two"']],
    ['a fraction', 'read_file', { ...file, start_line: 1.5 }, ['`start_line`: must be a whole number, not 1.5']],
    [
      'a word for a boolean',
      'list_dir',
      { ...root, recursive: 'perhaps' },
      ['`recursive`: must be true or false, not "perhaps"'],
    ],
    [
      'the name of a property of all objects',
      'list_dir',
      { ...root, recursive: 'constructor' },
      ['`recursive`: must be true or false, not "constructor"'],
    ],
    [
      'a list for a boolean',
      'list_dir',
      { ...root, recursive: [true] },
      ['`recursive`: must be true or false, not [true]'],
    ],
    ['a map for a list', 'find_symbol', { ...isClass, include_kinds: {} }, ['`include_kinds`: must be a list, not {}']],
    [
      'a word in a list',
      'find_symbol',
      { ...isClass, include_kinds: [5, 'class'] },
      ['`include_kinds.1`: must be a number, not "class"'],
    ],
    ['several at once', 'list_dir', { relative_path: 5, recursive: 'perhaps' }, ['`relative_path`', '`recursive`']],
  ])('are reported: %s', async (_, tool, args, parts) => {
    const answer = await client.call(tool, args);
    expect(answer.isError).toBe(true);
    expect(answer.structured).toBeUndefined();
    expect(answer.text).toStartWith(`Error executing tool ${tool}: ValueError: wrong arguments: `);
    for (const part of parts) expect(answer.text).toContain(part);
    expect(answer.text).toContain(`hint: \`${tool}\` takes: `);
  });

  test('get a hint with the likely name', async () => {
    const { text } = await client.call('find_symbol', { name_path_patern: 'Child' });
    expect(text).toContain('`name_path_patern` is not a parameter of `find_symbol`; did you mean `name_path_pattern`');
  });
});
