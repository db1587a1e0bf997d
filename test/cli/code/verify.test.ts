// `serena verify`: what the changes of the working tree break.
import { expect, test } from 'bun:test';
import { type Ended, runProgram } from '../../support/program.ts';
import { sarifErrors } from '../../support/sarif.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { sharedHome } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

/** Allows for the download of a language server. */
const timeoutMs = 240_000;

function verify(project: Workspace, ...args: readonly string[]): Promise<Ended> {
  return runProgram(['verify', ...args], { cwd: project.root, env: { SERENA_HOME: sharedHome() }, timeoutMs });
}

function repository(files: Readonly<Record<string, string>>): Workspace {
  const project = makeWorkspace({ '.serena/project.yml': 'symbol_source: server\n', ...files });
  project.initGit();
  return project;
}

const shop = `class Basket:
    def total(self, currency):
        return 1

    def count(self):
        return 2


def price(n):
    return n
`;
const users = {
  'use.py': `from shop import Basket, price


def show(basket, other):
    return basket.total("EUR") + other.count() + other.total()


def known(basket: Basket):
    return basket.total("EUR")


print(price(1))
`,
  'test_use.py': 'from shop import price\n\n\ndef test_price():\n    assert price(1) == 1\n',
};

test(
  'new problems, uses of names that are gone, and calls with old arguments (Python)',
  async () => {
    await using project = repository({ 'shop.py': shop, ...users });
    const clean = await verify(project);
    expect({ ...clean, stdout: clean.stdout.split('; ').slice(1).join('; ') }).toEqual({
      code: 0,
      stdout: '0 changed files, 0 more files with names that changed\nNothing is left to check.\n',
      stderr: '',
    });
    project.write('shop.py', shop.replace('self, currency', 'self').replace('def count', 'def size'));
    const { code, stdout, stderr } = await verify(project);
    const note =
      'Note:\n- Further tests may reach the change. References may be missing: the language server cannot resolve 2 occurrences of `total`\n';
    expect({ code, stderr }).toEqual({ code: 1, stderr: note });
    const [first, ...lines] = stdout.trimEnd().split('\n');
    expect(first).toMatch(/^problems: the working tree with [0-9a-f]{10} .*; 1 changed file, 1 more file with/);
    expect(lines).toEqual([
      'New problems:',
      '  use.py:9: error: Expected 0 positional arguments',
      'Open; check each of these lines:',
      '  may mean `Basket/count`, which is gone:',
      '    use.py:5: return basket.total("EUR") + other.count() + other.total()',
      '  may call `Basket/total`, whose parameters changed:',
      '    use.py:5: return basket.total("EUR") + other.count() + other.total()',
    ]);
    const github = await verify(project, '--format', 'github');
    expect(github.stdout.split('\n')[0]).toBe('::error file=use.py,line=9::Expected 0 positional arguments');
    const log = JSON.parse((await verify(project, '--format', 'sarif')).stdout);
    const [{ results, tool }] = log.runs;
    expect(results[0]).toMatchObject({ level: 'error', message: { text: 'Expected 0 positional arguments' } });
    expect(results.map((one: { ruleIndex: number }) => tool.driver.rules[one.ruleIndex].id)).toEqual([
      ...['new-problem', 'open-use', 'open-use'],
    ]);
    expect(await sarifErrors(log)).toEqual([]);
    expect(await sarifErrors({ ...log, runs: [{ results }] })).toHaveLength(1);

    project.write('use.py', users['use.py'].replaceAll('total("EUR")', 'total()').replace('.count()', '.size()'));
    const mended = await verify(project, '--format', 'json');
    expect(mended.code).toBe(3);
    expect(JSON.parse(mended.stdout)).toMatchObject({
      status: 'incomplete',
      result: { verdict: 'incomplete', problems: [], open: [{ file: 'use.py', line: 4 }] },
    });
  },
  timeoutMs,
);

test(
  'what was wrong before is no finding, and tests are named (Python)',
  async () => {
    await using project = repository({ 'shop.py': `${shop}\n\nwrong: int = "text"\n`, ...users });
    project.write('shop.py', `${shop.replace('return n\n', 'return n + 0\n')}\n\nwrong: int = "text"\n`);
    const { code, stdout } = await verify(project);
    expect({ code, lines: stdout.trimEnd().split('\n').slice(1) }).toEqual({
      code: 0,
      lines: ['Tests that reach the change:', '  test_use.py', 'Nothing is left to check.'],
    });
  },
  timeoutMs,
);

test(
  'calls that the old signature did not take, definitions, and problems that only have the new name, are no findings',
  async () => {
    const field = `class Field:
    def clean(self, value, instance):
        return value


class Form:
    def clean(self):
        return self


def run(field, form, wrong: None):
    field.clean(1, form)
    form.clean()
    wrong.clean(1, form)
`;
    await using project = repository({ 'field.py': field, 'other.py': 'def other(form):\n    return form.clean()\n' });
    const renamed = field
      .replace('clean(self, value', 'clean_value(self, value')
      .replace('wrong.clean', 'wrong.clean_value');
    project.write('field.py', renamed);
    const { code, stdout } = await verify(project);
    expect(code).toBe(3);
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual([
      'Open; check each of these lines:',
      '  may mean `Field/clean`, which is gone:',
      '    field.py:12: field.clean(1, form)',
    ]);
  },
  timeoutMs,
);

testUnless(whyNoGo())(
  'a deleted function that another package calls (Go)',
  async () => {
    const files = {
      'go.mod': 'module shop\n\ngo 1.22\n',
      'price/price.go': 'package price\n\nfunc Of(n int) int { return n }\n\nfunc Twice(n int) int { return 2 * n }\n',
      'main.go': 'package main\n\nimport "shop/price"\n\nfunc main() { println(price.Of(1), price.Twice(1)) }\n',
    };
    await using project = repository(files);
    project.write('price/price.go', 'package price\n\nfunc Of(n int) int { return n }\n');
    const { code, stdout } = await verify(project);
    expect(code).toBe(1);
    expect(stdout.split('\n')[2]).toMatch(/^ {2}main\.go:5: error: undefined: price\.Twice/);
    expect(stdout).not.toContain('Open');
  },
  timeoutMs,
);

test('a range that does not end with the working tree is refused', async () => {
  await using project = repository({ 'shop.py': shop });
  const { code, stderr } = await verify(project, '--base', 'HEAD..HEAD');
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: 'error: `HEAD..HEAD` is not compared with the working tree\n\nhint: pass one commit, or `session`\n',
  });
});

test(
  'overrides, calls that hide their arguments and documents that name a method which is gone (Python)',
  async () => {
    const base = 'class Base:\n    def proxy_call(self, name, **options):\n        return name\n';
    await using project = repository({
      'base.py': base,
      'derived.py':
        'from base import Base\n\n\nclass Derived(Base):\n    def proxy_call(self, name, **options):\n        return name + "!"\n',
      'other.py': 'def run(what, options):\n    return what.proxy_call("a", **options)\n',
      'docs/guide.md': 'Call `proxy_call` first.\n',
      'tests/test_derived.py':
        'from derived import Derived\n\n\ndef test_derived():\n    assert Derived().proxy_call("a") == "a!"\n',
    });
    project.write('base.py', base.replace('proxy_call', 'forward'));
    const { code, stdout } = await verify(project);
    expect(code).toBe(3);
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual([
      'Open; check each of these lines:',
      '  may mean `Base/proxy_call`, which is gone:',
      '    other.py:2: return what.proxy_call("a", **options)',
      '  overrides `Base/proxy_call`, which is gone:',
      '    derived.py:5: def proxy_call(self, name, **options):',
      'Mentioned outside code:',
      '  names `Base/proxy_call`, which is gone:',
      '    docs/guide.md:1: Call `proxy_call` first.',
    ]);
  },
  timeoutMs,
);
