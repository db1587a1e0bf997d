// Test vectors for declarations, implementations and diagnostics (see docs/compatibility.md).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Answer, startClient, type TestClient } from '../../support/client.ts';
import { copyFixture, type Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let client: TestClient;

beforeAll(async () => {
  workspace = copyFixture('tools', { as: 'proj' });
  workspace.write('.serena/project.yml', 'project_name: proj\nincluded_optional_tools: [get_diagnostics_for_symbol]\n');
  client = await startClient({ args: ['--project', workspace.root] });
  // Downloads pyright at first use.
  await client.ask('get_symbols_overview', { relative_path: 'pkg/models.py' });
}, 180_000);

afterAll(async () => {
  await client.close();
});

const app = { relative_path: 'pkg/app.py' };
const models = { relative_path: 'pkg/models.py' };

async function askJson(name: string, args: Record<string, unknown>): Promise<unknown> {
  return JSON.parse(await client.ask(name, args));
}

/** Calls a tool that must fail; returns the kind of its error, such as `ValueError`, and its message. */
async function failure(name: string, args: Record<string, unknown>): Promise<{ kind: string; text: string }> {
  const { isError, text }: Answer = await client.call(name, args);
  expect(isError).toBe(true);
  return { kind: new RegExp(`^Error executing tool ${name}: (\\w+): `).exec(text)?.[1] ?? text, text };
}

const declared = (
  name_path: string,
  kind: string,
  relative_path: string,
  [start_line, end_line]: [number, number],
) => ({
  name_path,
  kind,
  relative_path,
  body_location: { start_line, end_line },
});
const helper = declared('Base/helper', 'Method', 'pkg/models.py', [19, 23]);
const make = declared('make', 'Function', 'pkg/models.py', [33, 35]);

describe('find_declaration', () => {
  test('follows a method through a variable', async () => {
    expect(await client.ask('find_declaration', { ...app, regex: 'c\\.(helper)\\(3' })).toBe(
      '{"name_path": "Base/helper", "kind": "Method", "relative_path": "pkg/models.py", "body_location": {"start_line": 19, "end_line": 23}}',
    );
  });

  test('follows an import, a call of what was imported, and finds what the file itself declares', async () => {
    const find = (regex: string) => askJson('find_declaration', { ...app, regex });
    expect(await find('import (make)')).toEqual(make);
    expect(await find('= (make)')).toEqual(make);
    expect(await find('^    (c)\\.run')).toEqual(declared('main/c', 'Variable', 'pkg/app.py', [8, 8]));
    expect(await find('def (main)')).toEqual(declared('main', 'Function', 'pkg/app.py', [7, 10]));
  });

  test('resolves a module to its file', async () => {
    const found = await askJson('find_declaration', { ...app, regex: 'from pkg\\.(models)' });
    expect(found).toEqual(declared('models', 'File', 'pkg/models.py', [0, 41]));
  });

  test('limits the search to the lines of a symbol', async () => {
    const args = { ...models, regex: '(\\w+)\\(name\\)' };
    expect(await failure('find_declaration', args)).toMatchObject({ kind: 'ValueError' });
    const within = (containing_symbol_name_path: string | null) =>
      askJson('find_declaration', { ...args, containing_symbol_name_path });
    expect(await within('make')).toEqual(declared('Child', 'Class', 'pkg/models.py', [26, 30]));
    expect(await within('make2')).toEqual(make);
    // Whole lines, although the range of a variable is only its name.
    const variable = { ...models, regex: '(Child)', containing_symbol_name_path: 'make/result' };
    expect(await askJson('find_declaration', variable)).toMatchObject({ name_path: 'Child' });
    for (const all of [null, '']) {
      const whole = { ...app, regex: 'c\\.(helper)', containing_symbol_name_path: all };
      expect(await askJson('find_declaration', whole)).toEqual(helper);
    }
  });

  test('shows body or info, and only the body if both are requested', async () => {
    const args = { ...app, regex: 'import (make)' };
    const body = 'def make(name: str) -> Base:\n    result = Child(name)\n    return result';
    expect(await askJson('find_declaration', { ...args, include_body: true })).toEqual({ ...make, body });
    expect(await askJson('find_declaration', { ...args, include_body: true, include_info: true })).toEqual({
      ...make,
      body,
    });
    expect(await askJson('find_declaration', { ...args, include_info: true })).toEqual({
      ...make,
      info: expect.stringContaining('def make(name: str) -> Base'),
    });
  });

  test('accepts escaped markup', async () => {
    workspace.write('pkg/compare.py', 'small = 1\nprint(small < 2, small > 3)\n');
    const compare = { relative_path: 'pkg/compare.py' };
    const small = declared('small', 'Variable', 'pkg/compare.py', [0, 0]);
    expect(await askJson('find_declaration', { ...compare, regex: '(small) &lt; 2' })).toEqual(small);
    expect(await askJson('find_declaration', { ...compare, regex: '(small) &gt; 3' })).toEqual(small);
    expect(await askJson('find_declaration', { ...compare, regex: '(small) < 2' })).toEqual(small);
  });

  test('rejects a regex that matches twice, never, or does not have exactly one group', async () => {
    const refusals: readonly (readonly [regex: string, says: string])[] = [
      ['(make)', '2 matches'],
      ['(nowhere)', '0 matches'],
      ['undefined_name', '0 capturing groups'],
      ['(undefined)(_name)', '2 capturing groups'],
      ['undefined_name(x)?', 'a group that did not match'],
      ['(', ''],
    ];
    for (const [regex, says] of refusals) {
      const { kind, text } = await failure('find_declaration', { ...app, regex });
      expect(kind).toBe('ValueError');
      expect(text).toContain(says);
    }
    // The number of matches is checked first.
    expect((await failure('find_declaration', { ...app, regex: 'make' })).text).toContain('2 matches');
  });

  test('reports where it searched if nothing declares the name', async () => {
    const { kind, text } = await failure('find_declaration', { ...app, regex: '(undefined_name)' });
    expect(kind).toBe('ValueError');
    expect(text).toContain('pkg/app.py:13:0');
  });

  test('reports where the standard library declares a name', async () => {
    const { kind, text } = await failure('find_declaration', { ...app, regex: '(print)' });
    expect(kind).toBe('ValueError');
    expect(text).toMatch(/outside the project's sources: `\/.*builtins\.pyi`, line \d+/);
  });

  test('rejects a path outside the project, a missing file, a directory, a text file and an ignored file', async () => {
    const kinds: string[] = [];
    for (const relative_path of ['../x.py', 'nope.py', 'pkg', 'uni.txt', 'build/gen.py']) {
      kinds.push((await failure('find_declaration', { relative_path, regex: '(x)' })).kind);
    }
    expect(kinds).toEqual(['ValueError', 'FileNotFoundError', 'ValueError', 'ValueError', 'ValueError']);
  });

  test('can be called by its older names', async () => {
    const args = { ...app, regex: 'c\\.(helper)\\(3', max_answer_chars: 10 };
    expect(await askJson('find_defining_symbol', args)).toEqual(helper);
    const at = { ...app, line: 10, column: 13 };
    expect(await askJson('find_defining_symbol_at_location', at)).toEqual(helper);
    expect(await askJson('find_defining_symbol_at_location', { ...at, include_body: true })).toMatchObject({
      body: expect.stringContaining('def inner'),
    });
    for (const place of [
      { line: 99, column: 0 },
      { line: 10, column: 99 },
      { line: -1, column: 0 },
    ]) {
      const { kind } = await failure('find_defining_symbol_at_location', { ...app, ...place });
      expect(kind).toBe('InvalidTextLocationError');
    }
  });
});

describe('find_implementations', () => {
  test('lists overriding methods in Python, whose server has no such request', async () => {
    const child = declared('Child/run', 'Method', 'pkg/models.py', [27, 28]);
    for (const more of [{}, { name_path_pattern: 'Base/run', name_path: undefined }]) {
      expect(await askJson('find_implementations', { ...models, name_path: 'Base/run', ...more })).toEqual([child]);
    }
  });

  test('reports which server does not support it, and what to call instead', async () => {
    await using bash = await startClient({ args: ['--project', copyFixture('bash').root] });
    const place = { name_path: 'format_amount', relative_path: 'helper.sh' };
    const { isError, text } = await bash.call('find_implementations', place);
    expect([isError, text]).toEqual([true, expect.stringMatching(/: SolidLSPException: bash-language-server /)]);
    expect(text).toContain('`find_referencing_symbols`');
  });

  test('rejects a missing symbol and an ambiguous one', async () => {
    expect((await failure('find_implementations', { ...models, name_path: 'zzz' })).kind).toBe('ValueError');
    expect((await failure('find_implementations', { ...models, name_path: 'run' })).text).toContain('Child/run');
  });
});

describe('find_implementations with a server that supports it', () => {
  test('lists implementations of a method, with info if requested', async () => {
    const shop = copyFixture('typescript');
    await using typescript = await startClient({ args: ['--project', shop.root] });
    const apply = { name_path: 'Discount/apply', relative_path: 'src/discount.ts' };
    expect(await typescript.ask('find_implementations', apply)).toBe(
      '[{"name_path": "HalfOff/apply", "kind": "Method", "relative_path": "src/discount.ts", "body_location": {"start_line": 6, "end_line": 8}}, ' +
        '{"name_path": "Flat/apply", "kind": "Method", "relative_path": "src/discount.ts", "body_location": {"start_line": 18, "end_line": 20}}]',
    );
    const withInfo = JSON.parse(await typescript.ask('find_implementations', { ...apply, include_info: true }));
    expect(withInfo).toMatchObject([
      { info: expect.stringContaining('HalfOff.apply(cents: number): number') },
      { info: expect.stringContaining('Flat.apply(cents: number): number') },
    ]);
    const classes = { name_path_pattern: 'Discount', relative_path: '', include_kinds: '[5]' };
    expect(JSON.parse(await typescript.ask('find_implementations', classes))).toHaveLength(2);
    const none = { ...classes, exclude_kinds: [5] };
    expect(await typescript.ask('find_implementations', none)).toBe('[]');
    const short = await typescript.ask('find_implementations', { ...apply, max_answer_chars: 100 });
    expect(short).toContain(' characters, over the limit');
  });
});

describe('get_diagnostics_for_file', () => {
  const undefinedName = {
    message: '"undefined_name" is not defined',
    range: { start: { line: 13, character: 0 }, end: { line: 13, character: 14 } },
    code: 'reportUndefinedVariable',
    source: 'Pyright',
  };

  test('groups by severity and symbol', async () => {
    expect(await askJson('get_diagnostics_for_file', app)).toEqual({
      'pkg/app.py': {
        Error: { '<file>': [undefinedName] },
        Warning: { '<file>': [expect.objectContaining({ code: 'reportUnusedExpression', source: 'Pyright' })] },
      },
    });
  });

  test('returns nothing for a clean file', async () => {
    expect(await client.call('get_diagnostics_for_file', models)).toMatchObject({ isError: false, blocks: ['{}'] });
  });

  test('filters by severity and lines', async () => {
    const codes = async (args: object) => {
      const text = await client.ask('get_diagnostics_for_file', { ...app, ...args });
      return [...text.matchAll(/"code": "(\w+)"/g)].map(([, code]) => code);
    };
    const both = ['reportUndefinedVariable', 'reportUnusedExpression'];
    expect(await codes({ min_severity: 1 })).toEqual(['reportUndefinedVariable']);
    expect(await codes({ min_severity: 2 })).toEqual(both);
    expect(await codes({ start_line: 13 })).toEqual(both);
    expect(await codes({ start_line: 13, end_line: 13 })).toEqual(both);
    expect(await codes({ start_line: 0, end_line: 12 })).toEqual([]);
    expect(await codes({ start_line: 14 })).toEqual([]);
  });

  test('rejects invalid severities and lines before it looks for the file', async () => {
    const wrong = [
      { min_severity: 7 },
      { min_severity: 0 },
      { start_line: 5, end_line: 2 },
      { start_line: -1 },
      { end_line: -2 },
    ];
    for (const args of wrong) {
      expect((await failure('get_diagnostics_for_file', { ...app, ...args })).kind).toBe('ValueError');
      const missing = { relative_path: 'nope.py', ...args };
      expect((await failure('get_diagnostics_for_file', missing)).kind).toBe('ValueError');
    }
  });

  test('rejects a missing file, a directory, a text file, an ignored file and a path outside the project', async () => {
    const kinds: string[] = [];
    for (const relative_path of ['nope.py', 'pkg', 'uni.txt', 'build/gen.py', '../x.py']) {
      kinds.push((await failure('get_diagnostics_for_file', { relative_path })).kind);
    }
    expect(kinds).toEqual(['FileNotFoundError', 'ValueError', 'ValueError', 'ValueError', 'ValueError']);
  });

  test('shortens to messages with their lines, then to counts', async () => {
    const shortened = async (max_answer_chars: number) =>
      (await client.ask('get_diagnostics_for_file', { ...app, max_answer_chars })).split('\n').at(-1);
    expect(JSON.parse((await shortened(330)) ?? '')).toEqual({
      'pkg/app.py': {
        Error: { '<file>': ['13: "undefined_name" is not defined'] },
        Warning: { '<file>': ['13: Expression value is unused'] },
      },
    });
    expect(await shortened(200)).toBe('{"pkg/app.py": {"Error": 1, "Warning": 1}}');
    expect(await shortened(20)).toContain(' characters, over the limit');
  });

  test('names the method that contains a problem, not a variable', async () => {
    const text =
      'class A:\n    limit: int = "a"\n\n    def f(self):\n        x: int = "b"\n        return x\n\n\nfree: int = "c"\n';
    workspace.write('pkg/owners.py', text);
    const found = Object(await askJson('get_diagnostics_for_file', { relative_path: 'pkg/owners.py' }));
    const owners = Object.entries(Object(found['pkg/owners.py'].Error)).map(([owner, list]) => [
      owner,
      ...[list].flat().map((one) => Object(one).range.start.line),
    ]);
    expect(owners).toEqual([
      ['A', 1],
      ['A/f', 4],
      ['<file>', 8],
    ]);
  });

  // In the reference, the owners of diagnostics depend on whether the whole tree is known.
  test('names the same symbols after the whole project was read', async () => {
    const before = await client.ask('get_diagnostics_for_file', app);
    await client.ask('find_symbol', { name_path_pattern: 'app', include_kinds: [1] });
    expect(await client.ask('get_diagnostics_for_file', app)).toBe(before);
  });
});

describe('get_diagnostics_for_symbol', () => {
  const text = [
    'from pkg.models import make',
    '',
    'def broken(x: int) -> int:',
    '    if x:',
    '        return broken("deep")',
    '    return nowhere',
    '',
    'def user():',
    '    result: str = broken(1)',
    '    return result',
    '',
    'def twice():',
    '    return broken(1) + broken("x")',
    '',
    'bottom: str = 3',
  ].join('\n');
  const broken = { name_path: 'broken', reference_file: 'pkg/broken.py' };

  /** Returns the lines of the diagnostics of a symbol, by file, severity and name path. */
  async function lines(args: Record<string, unknown>): Promise<Record<string, number[]>> {
    workspace.write('pkg/broken.py', text);
    const found = Object(await askJson('get_diagnostics_for_symbol', args));
    const rows: [string, number[]][] = [];
    for (const [file, bySeverity] of Object.entries(found)) {
      for (const [severity, byOwner] of Object.entries(Object(bySeverity))) {
        for (const [owner, list] of Object.entries(Object(byOwner))) {
          rows.push([`${file} ${severity} ${owner}`, [list].flat().map((one) => Object(one).range.start.line)]);
        }
      }
    }
    return Object.fromEntries(rows);
  }

  test('returns diagnostics on the lines of the symbol, under its name', async () => {
    expect(await lines(broken)).toEqual({ 'pkg/broken.py Error broken': [4, 5] });
    expect(await lines({ name_path: 'broken' })).toEqual({ 'pkg/broken.py Error broken': [4, 5] });
    const aliased = { name_path_pattern: 'broken', relative_path: 'pkg/broken.py' };
    expect(await lines(aliased)).toEqual({ 'pkg/broken.py Error broken': [4, 5] });
  });

  test('returns diagnostics of referencing symbols as well, each once', async () => {
    const found = await lines({ ...broken, check_symbol_references: true });
    expect(found).toEqual({
      'pkg/broken.py Error broken': [4, 5],
      // The variable contains the reference.
      'pkg/broken.py Error user/result': [8],
      'pkg/broken.py Error twice': [12],
    });
  });

  test('returns nothing for a clean symbol or an import', async () => {
    const clean = { name_path: 'make', reference_file: 'pkg/models.py' };
    expect(await lines(clean)).toEqual({});
    expect(await lines({ ...clean, check_symbol_references: true })).toEqual({});
  });

  test('rejects an invalid severity and a missing symbol', async () => {
    for (const min_severity of [0, 5]) {
      expect((await failure('get_diagnostics_for_symbol', { ...broken, min_severity })).kind).toBe('ValueError');
    }
    expect((await failure('get_diagnostics_for_symbol', { name_path: 'zzz' })).kind).toBe('ValueError');
    const nowhere = { name_path: 'broken', reference_file: 'nope.py' };
    expect((await failure('get_diagnostics_for_symbol', nowhere)).kind).toBe('FileNotFoundError');
  });

  test('is available only if a configuration includes it', async () => {
    const other = copyFixture('tools');
    await using plain = await startClient({ args: ['--project', join(other.root)] });
    expect((await plain.call('get_diagnostics_for_symbol', { name_path: 'make' })).isError).toBe(true);
    const names = (await plain.tools()).map(({ name }) => name);
    expect(names).toContain('get_diagnostics_for_file');
    expect(names).not.toContain('get_diagnostics_for_symbol');
    expect(names).not.toContain('find_defining_symbol_at_location');
  });
});
