// What find_symbol says where nothing matches, and where too much does.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

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
  `Note:\n- Nothing matches \`${pattern}\`; names like it are ${names}${rest}`;
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

  test('the separator where nothing is like it', async () => {
    expect(await find('Nowhere.nothing')).toEqual(['[]', `Note:\n- Nothing matches \`Nowhere.nothing\`${separators}`]);
    expect(await find('Nowhere')).toEqual(['[]']);
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

describe('find_symbol with too many matches counts them', () => {
  const handlers = { substring_matching: true, max_matches: 5 };

  test('by name, by file and by folder, as far as the answer goes', async () => {
    const [all = ''] = await find('handle_', handlers);
    expect(all).toStartWith(
      'Matched 30>max_matches=5 symbols.\nName paths by file:\n{"many/part-0/m0.py": ["handle_0"],',
    );
    const [files = ''] = await find('handle_', { ...handlers, max_answer_chars: 900 });
    expect(files).toContain('Matched 30>max_matches=5 symbols.\nNumber of matches by file:\n{"many/part-0/m0.py": 1,');
    const [folders = ''] = await find('handle_', { ...handlers, max_answer_chars: 260 });
    expect(folders).toEndWith('Number of matches by folder:\n{"many/part-0": 15, "many/part-1": 15}');
  });

  test('also without max_matches', async () => {
    const [folders = ''] = await find('handle_', { substring_matching: true, max_answer_chars: 200 });
    expect(folders).toEndWith('Number of matches by folder:\n{"many/part-0": 15, "many/part-1": 15}');
  });
});
