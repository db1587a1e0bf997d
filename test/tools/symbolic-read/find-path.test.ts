// How one symbol reaches another one, with real servers, through the compiled program.
import { beforeAll, describe, expect, test } from 'bun:test';
import { go } from '../../../src/languages/go/servers.ts';
import { python } from '../../../src/languages/python/servers.ts';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { runProgram } from '../../support/program.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { sharedHome } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

const settings = { '.serena/project.yml': 'included_optional_tools: [find_path]\n' };
const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;

const inPython = {
  'shop/__init__.py': '',
  'shop/core.py': lines(
    'from shop.util import apply_all, deep',
    'class Base:',
    '    def __init__(self): self.setup()',
    '    def setup(self): pass',
    '    def total(self): raise NotImplementedError',
    'class Basket(Base):',
    '    def setup(self): deep()',
    '    def total(self): return deep()',
    'def price(thing: Base): return thing.total()',
    'def run(): return price(Basket())',
    'def by_value(): return apply_all([deep])',
    'TABLE = {',
    '    "a": deep,',
    '}',
    'def by_table(name): return TABLE[name]()',
    'def dynamic(thing): return thing.deeply()',
    'def given(function): return function()',
    'def nothing(): return len("x")',
  ),
  'shop/util.py': lines(
    'def deep(): return 1',
    'def deeply(): return 2',
    'def apply_all(functions): return [f() for f in functions]',
  ),
  'tests/test_core.py': lines(
    'from shop.core import run',
    'from shop.util import deep',
    'def test_run(): return helper()',
    'def helper(): return deep() + run()',
  ),
};

const inTypeScript = {
  'tsconfig.json': '{}',
  'src/core.ts': lines(
    "import { deep } from './util';",
    'interface Priced { total(): number }',
    'class Basket implements Priced {',
    '  constructor() { this.setup(); }',
    '  setup() { return deep(); }',
    '  total() { return deep(); }',
    '}',
    'export function price(thing: Priced) { return thing.total(); }',
    'export function run() { return price(new Basket()); }',
    'export const byValue = () => [1].map(deep);',
    'const table = {',
    '  a: deep,',
    '};',
    "export function byTable() { return table['a'](); }",
    'export function dynamic(thing: any) { return thing.deep(); }',
    'export function nothing() { return [1].join(); }',
  ),
  'src/util.ts': 'export function deep() { return 1; }\n',
};

const inGo = {
  'go.mod': 'module example.test/p\n\ngo 1.21\n',
  'core.go': lines(
    'package p',
    'type Priced interface{ Total() int }',
    'type Basket struct{}',
    'func (b *Basket) Total() int { return deep() }',
    'func price(thing Priced) int { return thing.Total() }',
    'func run() int { return price(&Basket{}) }',
    'func apply(f func() int) int { return f() }',
    'func byValue() int { return apply(deep) }',
    'var table = map[string]func() int{',
    '\t"a": deep,',
    '}',
    'func byTable() int { return table["a"]() }',
    'func nothing() int { return len("x") }',
  ),
  'util.go': 'package p\n\nfunc deep() int { return 1 }\n',
};

/** Asks for paths, and returns one line for each step, without its text, and with an empty line before other paths. */
async function pathsOf(client: TestClient, from: string, to: string) {
  const { text, blocks, isError } = await client.call('find_path', { name_path: from, target_name_path: to });
  expect({ isError, text }).toEqual({ isError: false, text });
  const paths: readonly (readonly Record<string, unknown>[])[] = JSON.parse(text);
  const rows = paths.map((path) =>
    path.map((step) => `${step.relative_path}:${step.line} ${step.from} ${step.how} ${step.to}`),
  );
  return { paths: rows, rest: blocks.slice(1).join('\n') };
}

describe('find_path', () => {
  beforeAll(() => install(python), installTimeoutMs);
  beforeAll(() => install(typescript), installTimeoutMs);

  test(
    'in Python',
    async () => {
      await using project = makeWorkspace({ ...inPython, ...settings });
      await using client = await open(project.root);
      const throughOverride = [
        'shop/core.py:8 price calls Base/total',
        'shop/core.py:7 Base/total is overridden by Basket/total',
        'shop/core.py:7 Basket/total calls deep',
      ];
      expect((await pathsOf(client, 'price', 'deep')).paths).toEqual([throughOverride]);
      const run = await pathsOf(client, 'run', 'deep');
      expect(run).toEqual({
        paths: [
          ['shop/core.py:9 run calls price', ...throughOverride],
          [
            'shop/core.py:9 run calls Basket',
            'shop/core.py:1 Basket creates with Base',
            'shop/core.py:2 Base creates with Base/__init__',
            'shop/core.py:2 Base/__init__ calls Base/setup',
            'shop/core.py:6 Base/setup is overridden by Basket/setup',
            'shop/core.py:6 Basket/setup calls deep',
          ],
        ],
        rest: '',
      });
      expect((await pathsOf(client, 'by_value', 'deep')).paths).toEqual([['shop/core.py:10 by_value mentions deep']]);
      expect((await pathsOf(client, 'by_table', 'deep')).paths).toEqual([
        ['shop/core.py:14 by_table mentions TABLE', 'shop/core.py:12 TABLE mentions deep'],
      ]);
      expect((await pathsOf(client, 'test_run', 'deep')).paths[0]).toEqual([
        'tests/test_core.py:2 test_run calls helper',
        'tests/test_core.py:3 helper calls deep',
      ]);
    },
    timeoutMs,
  );

  test(
    'says that there is none only if every call was followed',
    async () => {
      await using project = makeWorkspace({ ...inPython, ...settings });
      await using client = await open(project.root);
      expect(await pathsOf(client, 'nothing', 'deep')).toEqual({
        paths: [],
        rest: expect.stringContaining('No path from `nothing` to `deep`: every call in the 1 symbol'),
      });
      const dynamic = await pathsOf(client, 'dynamic', 'deeply');
      expect(dynamic.rest).toMatch(
        /Incomplete:[\s\S]*1 call could not be followed[\s\S]*shop\/core\.py:15: def dynamic/,
      );
      const given = await pathsOf(client, 'given', 'deep');
      expect(given.rest).toMatch(
        /Incomplete:[\s\S]*the parameter may have any function[\s\S]*shop\/core\.py:16: def given/,
      );
      for (const { paths, rest } of [dynamic, given]) {
        expect(paths).toEqual([]);
        expect(rest).not.toContain('every call');
      }
    },
    timeoutMs,
  );

  test(
    'in TypeScript',
    async () => {
      await using project = makeWorkspace({ ...inTypeScript, ...settings });
      await using client = await open(project.root);
      expect((await pathsOf(client, 'run', 'deep')).paths).toEqual([
        [
          'src/core.ts:8 run calls Basket/constructor',
          'src/core.ts:3 Basket/constructor calls Basket/setup',
          'src/core.ts:4 Basket/setup calls deep',
        ],
        [
          'src/core.ts:8 run calls price',
          'src/core.ts:7 price calls Priced/total',
          'src/core.ts:5 Priced/total is overridden by Basket/total',
          'src/core.ts:5 Basket/total calls deep',
        ],
      ]);
      expect((await pathsOf(client, 'byValue', 'deep')).paths).toEqual([['src/core.ts:9 byValue mentions deep']]);
      expect((await pathsOf(client, 'byTable', 'deep')).paths).toEqual([
        ['src/core.ts:13 byTable mentions table', 'src/core.ts:11 table mentions deep'],
      ]);
      expect((await pathsOf(client, 'dynamic', 'deep')).rest).toContain('src/core.ts:14: export function dynamic');
      expect((await pathsOf(client, 'nothing', 'deep')).rest).toContain('every call');
    },
    timeoutMs,
  );

  testUnless(whyNoGo())(
    'in Go',
    async () => {
      await install(go);
      await using project = makeWorkspace({ ...inGo, ...settings });
      await using client = await open(project.root);
      expect((await pathsOf(client, 'run', 'deep')).paths).toEqual([
        [
          'core.go:5 run calls price',
          'core.go:4 price calls Priced/Total',
          'core.go:3 Priced/Total is overridden by Basket/Total',
          'core.go:3 Basket/Total calls deep',
        ],
      ]);
      expect((await pathsOf(client, 'byValue', 'deep')).paths).toEqual([['core.go:7 byValue mentions deep']]);
      expect((await pathsOf(client, 'byTable', 'deep')).paths).toEqual([
        ['core.go:11 byTable mentions table', 'core.go:9 table mentions deep'],
      ]);
      expect((await pathsOf(client, 'nothing', 'deep')).rest).toContain('every call');
    },
    timeoutMs,
  );
});

test(
  '`serena path` prints steps with lines from 1, and its exit code says whether there is a path',
  async () => {
    await install(python);
    await using project = makeWorkspace({ ...inPython, '.serena/project.yml': 'symbol_source: server\n' });
    const options = { cwd: project.root, env: { SERENA_HOME: sharedHome() }, timeoutMs };
    const run = (from: string, to: string) => runProgram(['path', from, to], options);
    expect(await run('shop/core.py#by_table', 'shop/util.py#deep')).toEqual({
      code: 0,
      stdout: lines(
        'shop/core.py:15: by_table mentions TABLE: def by_table(name): return TABLE[name]()',
        'shop/core.py:13: TABLE mentions deep: "a": deep,',
      ),
      stderr: '',
    });
    expect(await run('nothing', 'deep')).toMatchObject({ code: 1, stdout: '' });
    expect(await run('dynamic', 'deeply')).toMatchObject({
      ...{ code: 3, stdout: '' },
      stderr: expect.stringContaining('shop/core.py:16: def dynamic(thing)'),
    });
  },
  timeoutMs,
);

function open(root: string): Promise<TestClient> {
  const args = ['--project', root, '--context', 'desktop-app'];
  return startClient({ args, env: { SERENA_HOME: sharedHome() } });
}
