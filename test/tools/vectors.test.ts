// Test vectors for all tools (see docs/compatibility.md, Conformance tests).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../support/client.ts';
import { copyFixture, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
let client: TestClient;

beforeAll(async () => {
  workspace = copyFixture('tools', { as: 'proj' });
  client = await startClient({ args: ['--project', workspace.root] });
  // Downloads pyright at first use.
  await client.ask('get_symbols_overview', { relative_path: 'pkg/models.py' });
}, 180_000);

afterAll(async () => {
  await client.close();
});

const ask = (name: string, args: Record<string, unknown>) => client.ask(name, args);
const askJson = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
  JSON.parse(await ask(name, args));

/** Returns the kind of error that a call answers with, such as `ValueError`. */
async function failure(name: string, args: Record<string, unknown>): Promise<string> {
  const answer = await client.call(name, args);
  expect(answer.isError).toBe(true);
  expect(answer.structured).toBeUndefined();
  return new RegExp(`^Error executing tool ${name}: (\\w+): `).exec(answer.text)?.[1] ?? answer.text;
}

describe('get_symbols_overview', () => {
  const models = { relative_path: 'pkg/models.py' };

  test('groups top-level symbols by kind', async () => {
    expect(await ask('get_symbols_overview', models)).toBe(
      '{"Constant": ["LIMIT"], "Class": ["Base", "Child"], "Function": ["make", "make2"]}',
    );
  });

  test('shows members that contain others down to the requested depth', async () => {
    expect(await ask('get_symbols_overview', { ...models, depth: 1 })).toBe(
      '{"Constant": ["LIMIT"], "Class": [{"Base": {"Method": ["__init__", "run", "helper"]}}, {"Child": {"Method": ["run", "helper2"]}}], "Function": ["make", "make2"]}',
    );
    expect(await ask('get_symbols_overview', { ...models, depth: 2 })).toContain(
      '{"Base": {"Method": ["__init__", "run", {"helper": {"Function": ["inner"]}}]}}',
    );
  });

  test('returns only the notice, with the size, if no shorter form fits', async () => {
    const text = await ask('get_symbols_overview', { ...models, depth: 1, max_answer_chars: 100 });
    expect(text).toContain(' 161 characters');
    expect(text).not.toContain('\n');
  });

  test('rejects a missing file, a text file and an ignored file', async () => {
    const kinds: string[] = [];
    for (const relative_path of ['nope.py', 'uni.txt', 'build/gen.py']) {
      kinds.push(await failure('get_symbols_overview', { relative_path }));
    }
    expect(kinds).toEqual(['FileNotFoundError', 'ValueError', 'ValueError']);
  });

  test('lists several files and the files directly in a directory, with an error for each that has no overview', async () => {
    const files = await askJson('get_symbols_overview', { relative_path: ['pkg', 'pkg/models.py', 'nope.py'] });
    expect(files).toMatchObject({
      'pkg/__init__.py': {},
      'pkg/models.py': { Class: ['Base', 'Child'] },
      'nope.py': { error: expect.stringContaining('does not exist') },
    });
  });

  test('returns an empty object for an empty file', async () => {
    expect(await ask('get_symbols_overview', { relative_path: 'pkg/__init__.py' })).toBe('{}');
  });
});

describe('find_symbol', () => {
  test('returns only name paths if there are too many matches', async () => {
    const text = await ask('find_symbol', { name_path_pattern: 'make', substring_matching: true, max_matches: 1 });
    const [first, , ...rest] = text.split('\n');
    expect(first).toBe('Matched 2>max_matches=1 symbols.');
    expect(rest.join('\n')).toBe('{"pkg/models.py": ["make", "make2"]}');
  });

  test('finds every symbol of a name in order', async () => {
    expect(await askJson('find_symbol', { name_path_pattern: 'run' })).toEqual([
      hit('Base/run', 'Method', [15, 17]),
      hit('Child/run', 'Method', [27, 28]),
    ]);
  });

  test('returns an empty list for a missing symbol', async () => {
    for (const args of [
      { name_path_pattern: '/run' },
      { name_path_pattern: 'zzz' },
      { name_path_pattern: 'run', include_kinds: [99] },
    ]) {
      expect(await ask('find_symbol', args)).toBe('[]');
    }
  });

  test('returns only the notice if nothing else fits', async () => {
    const text = await ask('find_symbol', { name_path_pattern: 'Base', max_answer_chars: 20 });
    expect(text).toContain(' 126 characters');
    expect(text).not.toContain('\n');
  });

  test('prefers exclude_kinds to include_kinds, the latter given as text', async () => {
    const kinds = { include_kinds: '[5]', exclude_kinds: [5] };
    expect(await ask('find_symbol', { name_path_pattern: 'Base', ...kinds })).toBe('[]');
    expect(await askJson('find_symbol', { name_path_pattern: 'Base', include_kinds: '[5]' })).toHaveLength(1);
  });

  test('prefers the parameter to its older name', async () => {
    const found = await askJson('find_symbol', { name_path_pattern: 'make', name_path: 'zzz' });
    expect(found).toEqual([hit('make', 'Function', [33, 35])]);
    expect(await askJson('find_symbol', { name_path: 'make' })).toEqual(found);
  });

  test('lists members with their lines, grouped by kind', async () => {
    const [base] = zeroOrMore(await askJson('find_symbol', { name_path_pattern: 'Base', depth: 1 }));
    expect(base).toEqual({
      ...hit('Base', 'Class', [6, 23]),
      children: {
        Variable: [member('kind', [9, 9]), member('name', [12, 12]), member('count', [13, 13])],
        Method: [member('__init__', [11, 13]), member('run', [15, 17]), member('helper', [19, 23])],
      },
    });
  });

  test('shows the body, without members', async () => {
    const found = await askJson('find_symbol', { name_path_pattern: 'Child', include_body: true, depth: 1 });
    expect(found).toEqual([
      {
        ...hit('Child', 'Class', [26, 30]),
        body: 'class Child(Base):\n    def run(self) -> int:\n        return self.helper(LIMIT)\n\n    def helper2(self): return 1',
      },
    ]);
  });

  test('shows signatures with include_info', async () => {
    const [make] = zeroOrMore(await askJson('find_symbol', { name_path_pattern: 'make', include_info: true }));
    expect(String(Reflect.get(Object(make), 'info'))).toContain('def make(name: str) -> Base');
  });

  test('searches one file, one directory, or all', async () => {
    for (const relative_path of ['pkg/models.py', 'pkg', '', './pkg/../pkg/models.py']) {
      expect(await askJson('find_symbol', { name_path_pattern: 'make', relative_path })).toEqual([
        hit('make', 'Function', [33, 35]),
      ]);
    }
  });

  test('finds files and packages only if requested by kind', async () => {
    expect(await ask('find_symbol', { name_path_pattern: 'models' })).toBe('[]');
    expect(await askJson('find_symbol', { name_path_pattern: 'models', include_kinds: [1] })).toEqual([
      { ...hit('proj/pkg/models', 'File', [0, 41]), relative_path: 'pkg/models.py' },
    ]);
    expect(await askJson('find_symbol', { name_path_pattern: 'pkg', include_kinds: [4] })).toEqual([
      { ...hit('proj/pkg', 'Package', [0, 0]), relative_path: 'pkg' },
    ]);
  });

  test('rejects max_matches 0 and an empty pattern', async () => {
    expect(await failure('find_symbol', { name_path_pattern: 'run', max_matches: 0 })).toBe('AssertionError');
    expect(await failure('find_symbol', { name_path_pattern: '/' })).toBe('AssertionError');
  });
});

describe('find_referencing_symbols', () => {
  const models = { relative_path: 'pkg/models.py' };
  const make = { ...models, name_path: 'make' };

  test('shows each reference with its symbol and the surrounding lines', async () => {
    expect(await askJson('find_referencing_symbols', make)).toEqual({
      'pkg/app.py': {
        File: [use('app', [0, 15], '  >   0:from pkg.models import make, Child\n...   1:')],
        Variable: [use('obj', [2, 2], '...   1:\n  >   2:obj = make("a")\n...   3:obj.name = "b"')],
      },
      'pkg/models.py': {
        Function: [
          use('make2', [38, 39], '...  38:def make2(name: str) -> Base:\n  >  39:    return make(name)\n...  40:'),
        ],
      },
    });
  });

  test('shows the reference inside a function', async () => {
    const found = await askJson('find_referencing_symbols', { ...models, name_path: 'Base/helper' });
    expect(Reflect.get(Object(found), 'pkg/app.py')).toEqual({
      Function: [use('main', [7, 10], '...   9:    c.run()\n  >  10:    return c.helper(3)\n...  11:')],
    });
  });

  test('shortens to counts by file, then to the total', async () => {
    const counts = await ask('find_referencing_symbols', { ...make, max_answer_chars: 300 });
    expect(counts.split('\n').at(-1)).toBe('{"pkg/app.py": 2, "pkg/models.py": 1}');
    const total = await ask('find_referencing_symbols', { ...make, max_answer_chars: 130 });
    expect(total).toContain('3 references in 2 files');
    expect(total.length).toBeLessThanOrEqual(130);
  });

  test('lists the candidates of an ambiguous name', async () => {
    const answer = await client.call('find_referencing_symbols', { ...models, name_path: 'run' });
    expect(answer.isError).toBe(true);
    const list: unknown = JSON.parse(answer.text.slice(answer.text.indexOf('['), answer.text.lastIndexOf(']') + 1));
    expect(list).toEqual([
      { name_path: 'Base/run', kind: 'Method', relative_path: 'pkg/models.py' },
      { name_path: 'Child/run', kind: 'Method', relative_path: 'pkg/models.py' },
    ]);
  });

  test('takes the variable whose attribute is assigned as the user of the attribute', async () => {
    const found = await askJson('find_referencing_symbols', { ...models, name_path: 'Base/name' });
    expect(Reflect.get(Object(found), 'pkg/app.py')).toEqual({
      Variable: [use('obj', [3, 3], '...   2:obj = make("a")\n  >   3:obj.name = "b"\n...   4:print(obj.run())')],
    });
  });

  test('names the containers of every use of Child', async () => {
    const found = await askJson('find_referencing_symbols', { ...models, name_path: 'Child' });
    expect(namesIn(found)).toEqual({
      'pkg/app.py': { File: ['app'], Variable: ['main/c'] },
      'pkg/models.py': { Variable: ['make/result'] },
    });
  });

  test('returns an empty object if nothing references the symbol', async () => {
    expect(await ask('find_referencing_symbols', { ...models, name_path: 'make2' })).toBe('{}');
  });

  test('refuses a symbol that is not there', async () => {
    expect(await failure('find_referencing_symbols', { ...models, name_path: 'zzz' })).toBe('ValueError');
  });
});

describe('search_for_pattern', () => {
  const multi = { substring_pattern: 'def run.*?return', relative_path: 'pkg/models.py' };

  test('shows whole lines of a match over several lines, with context', async () => {
    const found = await askJson('search_for_pattern', { ...multi, context_lines_before: 1, context_lines_after: 1 });
    const blocks = zeroOrMore(Reflect.get(Object(found), 'pkg/models.py')).map((block) => String(block).split('\n'));
    expect(blocks.map((lines) => [lines.length, lines[0], lines.at(-1)])).toEqual([
      [8, '...  15:    @abstractmethod', '...  22:'],
      [4, '...  26:class Child(Base):', '...  29:'],
    ]);
    expect(blocks[1]?.[1]).toBe('  >  27:    def run(self) -> int:');
  });

  test('does not span lines with multiline off', async () => {
    expect(await ask('search_for_pattern', { ...multi, multiline: false })).toBe('{}');
  });

  test('leaves ignored files out unless told otherwise or pointed at them', async () => {
    const hit = { 'build/gen.py': ['  >   0:x = 1'] };
    const pattern = { substring_pattern: 'x = 1' };
    expect(await ask('search_for_pattern', pattern)).toBe('{}');
    expect(await askJson('search_for_pattern', { ...pattern, skip_ignored_files: false })).toMatchObject(hit);
    expect(await askJson('search_for_pattern', { ...pattern, relative_path: 'build' })).toEqual(hit);
  });

  test('retries a slash-free include glob at any depth when it selects no file', async () => {
    const found = await askJson('search_for_pattern', { substring_pattern: 'self', paths_include_glob: '*.py' });
    expect(Object.keys(Object(found))).toEqual(['pkg/models.py']);
  });

  test('shortens to counts by file', async () => {
    const args = { substring_pattern: '\\w+', relative_path: 'pkg/app.py', max_answer_chars: 200 };
    const text = await ask('search_for_pattern', args);
    expect(text).toContain(' 897 characters');
    expect(text.split('\n').at(-1)).toBe('{"pkg/app.py": 27}');
  });

  test('refuses a pattern that is no regular expression', async () => {
    expect(await failure('search_for_pattern', { substring_pattern: '(' })).toBe('ValueError');
  });
});

describe('list_dir, find_file and read_file', () => {
  test('list_dir shows an ignored directory that it is pointed at', async () => {
    expect(await ask('list_dir', { relative_path: 'build', recursive: false, skip_ignored_files: true })).toBe(
      '{"dirs": [], "files": ["build/gen.py"]}',
    );
  });

  test('list_dir answers about a missing directory without an error, and refuses a file', async () => {
    const missing = await askJson('list_dir', { relative_path: 'nope', recursive: false });
    expect(Object.keys(Object(missing))).toEqual(['error', 'project_root', 'hint']);
    expect(await failure('list_dir', { relative_path: 'uni.txt', recursive: false })).toBe('NotADirectoryError');
  });

  test('list_dir leaves ignored entries out when asked to, and sorts', async () => {
    const all = { relative_path: '.', recursive: true, skip_ignored_files: true };
    const { dirs, files } = Object(await askJson('list_dir', all));
    expect(dirs).not.toContain('build');
    expect(files).not.toContain('a.log');
    expect(files).toContain('pkg/models.py');
    expect([...files].sort()).toEqual(files);
  });

  test('find_file compares the mask with base names and skips ignored files', async () => {
    const py = { file_mask: '*.py', relative_path: '.' };
    expect(await ask('find_file', py)).toBe('{"files": ["pkg/__init__.py", "pkg/app.py", "pkg/models.py"]}');
    expect(await ask('find_file', { ...py, skip_ignored_files: false })).toContain('build/gen.py');
    expect(await ask('find_file', { file_mask: 'pkg/*.py', relative_path: '.' })).toBe('{"files": []}');
    expect(await failure('find_file', { file_mask: '*', relative_path: 'nope' })).toBe('FileNotFoundError');
  });

  test('read_file slices lines as the reference does, with -1 as the end', async () => {
    const lines = (range: object) => ask('read_file', { relative_path: 'crlf.txt', ...range });
    expect(await lines({})).toBe('line1\nline2\nline3\n');
    expect(await lines({ start_line: 1, end_line: 1 })).toBe('line2');
    expect(await lines({ start_line: -2 })).toBe('line3\n');
    expect(await lines({ start_line: 0, end_line: -2 })).toBe('line1\nline2\nline3');
    expect(await lines({ start_line: 0, end_line: -1 })).toBe('line1\nline2\nline3\n');
    expect(await lines({ start_line: 99 })).toBe('');
  });

  test('read_file refuses a missing file and a directory', async () => {
    expect(await failure('read_file', { relative_path: 'nope.txt' })).toBe('FileNotFoundError');
    expect(await failure('read_file', { relative_path: 'pkg' })).toBe('IsADirectoryError');
  });
});

function hit(name_path: string, kind: string, [start_line, end_line]: [number, number]) {
  return { name_path, kind, relative_path: 'pkg/models.py', body_location: { start_line, end_line } };
}

function member(name: string, [start_line, end_line]: [number, number]) {
  return { name, body_location: { start_line, end_line } };
}

function use(name_path: string, [start_line, end_line]: [number, number], content_around_reference: string) {
  return { name_path, body_location: { start_line, end_line }, content_around_reference };
}

/** Replaces each list of entries by their name paths. */
function namesIn(found: unknown): unknown {
  if (Array.isArray(found)) return found.map((entry) => Reflect.get(Object(entry), 'name_path'));
  return Object.fromEntries(Object.entries(Object(found)).map(([key, value]) => [key, namesIn(value)]));
}

function zeroOrMore(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
