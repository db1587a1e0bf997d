// Suggestions of find_symbol if nothing matches, and its summaries if too much does.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const many = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [
    `many/part-${index % 2}/m${index}.py`,
    `def handle_${index}():\n    pass\n`,
  ]),
);

let client: TestClient;

beforeAll(async () => {
  const project = makeWorkspace({
    'models.py': 'class QuerySet:\n    def filter(self):\n        pass\n\n    def exclude(self):\n        pass\n',
    'other.py': 'class Basket:\n    def total(self):\n        pass\n\ndef checkout():\n    pass\n',
    ...many,
  });
  const home = makeHome(stubServers({ python: 'well-behaved' }));
  client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
});

afterAll(() => client.close());

const find = async (pattern: string, more: object = {}) =>
  (await client.call('find_symbol', { name_path_pattern: pattern, ...more })).blocks;

const like = (pattern: string, names: string, rest = '') =>
  `Note:\n- Nothing matches \`${pattern}\`; similar names are ${names}${rest}`;
const separators = '. Names in a name path are separated by `/`, as in `Class/method`';

describe('find_symbol without a match suggests', () => {
  test.each([
    ['QuerySet.filter', '`QuerySet/filter` in `models.py`', separators],
    ['QuerySet::filter', '`QuerySet/filter` in `models.py`', separators],
    ['QuerySet#filtr', '`QuerySet/filter` in `models.py`', separators],
    ['QuerySet/filtr', '`QuerySet/filter` in `models.py`', ''],
    ['Basket/filter', '`QuerySet/filter` in `models.py`', ''],
    ['Baskte', '`Basket` in `other.py`', ''],
    ['queryset', '`QuerySet` in `models.py`', ''],
    ['check_out', '`checkout` in `other.py`', ''],
  ])('for %s', async (pattern, names, rest) => {
    expect(await find(pattern)).toEqual(['[]', like(pattern, names, rest)]);
  });

  test('names of the given file', async () => {
    const within = { relative_path: 'other.py' };
    expect(await find('totals', within)).toEqual(['[]', like('totals', '`Basket/total` in `other.py`')]);
    expect(await find('filter', within)).toEqual(['[]']);
  });

  test('the separator if no name is similar', async () => {
    expect(await find('Nowhere.nothing')).toEqual(['[]', `Note:\n- Nothing matches \`Nowhere.nothing\`${separators}`]);
    expect(await find('Nowhere')).toEqual(['[]']);
  });
});

describe('a tool for one symbol that matches none suggests', () => {
  const failure = async (name_path: string, relative_path: string) => {
    const answer = await client.call('find_referencing_symbols', { name_path, relative_path });
    expect(answer.isError).toBe(true);
    return answer.text;
  };
  const filter = '`QuerySet/filter` in `models.py`';

  test.each([
    ['another separator', 'QuerySet.filter', 'models.py', filter],
    ['a sibling', 'QuerySet/filtr', 'models.py', filter],
    ['the name in another class', 'Basket/filter', '', filter],
    ['the name in another file', 'filter', 'other.py', filter],
    ['the name path in another file', 'QuerySet.filter', 'other.py', filter],
    ['the name in another directory', 'QuerySet', 'many', '`QuerySet` in `models.py`'],
    ['a similar name', 'Baskte', '', '`Basket` in `other.py`'],
    ['a similar name of the file', 'totals', 'other.py', '`Basket/total` in `other.py`'],
  ])('%s', async (_what, name, path, names) => {
    const text = await failure(name, path);
    expect(text).toContain(`no symbol matches \`${name}\` in ${path === '' ? 'the project' : `\`${path}\``}`);
    expect(text).toContain(`did you mean ${names}?`);
    expect(text.includes('separated by `/`')).toBe(name.includes('.'));
  });

  test('several names, and none if no name is similar', async () => {
    const near = [0, 10, 20, 12, 14].map((index) => `\`handle_${index}\` in \`many/part-0/m${index}.py\``);
    const [last] = near.splice(-1);
    const names = `did you mean ${near.join(', ')}, or ${last}?`;
    expect(await failure('handle_00', 'many/part-0')).toContain(names);
    expect(await failure('Nowhere', 'models.py')).not.toContain('did you mean');
    expect(await failure('Nowhere.nothing', 'models.py')).toContain('Names in a name path are separated by `/`');
  });

  test('also for an edit, which changes nothing', async () => {
    const edit = { name_path: 'QuerySet.exclude', relative_path: 'models.py', body: 'pass' };
    const answer = await client.call('replace_symbol_body', edit);
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toContain('did you mean `QuerySet/exclude` in `models.py`?');
  });
});

test('find_symbol suggests a name that the server quotes', async () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const place = { range, selectionRange: range };
  const answer = [{ name: 'Shape', kind: 5, ...place, children: [{ name: '"kebab-name"', kind: 7, ...place }] }];
  const project = makeWorkspace({ 'shape.py': 'class Shape:\n    "kebab-name"\n' });
  const home = makeHome(stubServers({ python: ['answers-oddly', { answer: JSON.stringify(answer) }] }));
  await using other = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  const found = await other.call('find_symbol', { name_path_pattern: 'Shape/kebab-name' });
  expect(found.blocks).toEqual(['[]', like('Shape/kebab-name', '`Shape/"kebab-name"` in `shape.py`')]);
});

describe('find_symbol summarizes too many matches', () => {
  const handlers = { substring_matching: true, max_matches: 5 };

  test('by name, by file or by directory, as the length of the answer allows', async () => {
    const [all = ''] = await find('handle_', handlers);
    expect(all).toStartWith(
      'Matched 30>max_matches=5 symbols.\nName paths by file:\n{"many/part-0/m0.py": ["handle_0"],',
    );
    const [files = ''] = await find('handle_', { ...handlers, max_answer_chars: 900 });
    expect(files).toContain('Matched 30>max_matches=5 symbols.\nNumber of matches by file:\n{"many/part-0/m0.py": 1,');
    const [directories = ''] = await find('handle_', { ...handlers, max_answer_chars: 260 });
    expect(directories).toEndWith('Number of matches by directory:\n{"many/part-0": 15, "many/part-1": 15}');
  });

  test('also without max_matches', async () => {
    const [directories = ''] = await find('handle_', { substring_matching: true, max_answer_chars: 200 });
    expect(directories).toEndWith('Number of matches by directory:\n{"many/part-0": 15, "many/part-1": 15}');
  });
});
