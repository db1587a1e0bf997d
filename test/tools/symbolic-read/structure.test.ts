// Code is found and replaced by its structure, and by what its names refer to.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 240_000;

const files = {
  'shop.py':
    'class Basket:\n    def add(self, item: str, count: int = 1) -> None:\n        pass\n\n\nclass Log:\n    def add(self, item: str) -> None:\n        pass\n',
  'use.py':
    'from shop import Basket, Log\n\n\ndef use(basket: Basket, log: Log) -> None:\n    basket.add("a")\n    log.add("b")\n    basket.add(\n        "c",\n    )\n    # basket.add("d")\n    if basket is None:\n        return None\n',
  'web/cart.ts':
    'export function run(add: (item: string) => void): void {\n  if (!add) return;\n  add("a");\n  add(String(add("b")));\n}\n',
  'notes.md': 'basket.add("a")\n',
};

const config = { included_optional_tools: ['search_structure', 'rewrite_structure'] };

let workspace: Workspace;
let client: TestClient;
let home: Readonly<Record<string, string>>;

beforeAll(async () => {
  workspace = makeWorkspace(files);
  workspace.initGit();
  home = ownHome(config);
  client = await startClient({ args: ['--project', workspace.root], env: home });
}, timeoutMs);

afterAll(() => client.close());

const search = async (args: Readonly<Record<string, unknown>>) => await client.call('search_structure', args);
const rewrite = async (args: Readonly<Record<string, unknown>>) => await client.call('rewrite_structure', args);

const call = { pattern: '$O.add($$$A)', language: 'python' };
const rewritten = { ...call, rewrite: '$O.put($$$A)' };

describe('search_structure', () => {
  test(
    'finds code whatever its layout, with what the variables stand for, and no comments',
    async () => {
      expect(JSON.parse((await search(call)).text)).toEqual([
        {
          relative_path: 'use.py',
          start_line: 4,
          end_line: 4,
          text: 'basket.add("a")',
          variables: { O: 'basket', A: '"a"' },
        },
        {
          relative_path: 'use.py',
          start_line: 5,
          end_line: 5,
          text: 'log.add("b")',
          variables: { O: 'log', A: '"b"' },
        },
        {
          relative_path: 'use.py',
          start_line: 6,
          end_line: 8,
          text: 'basket.add(\n        "c",\n    )',
          variables: { O: 'basket', A: '"c",' },
        },
      ]);
      const { text } = await search({ ...call, format: 'short' });
      expect(text.split('\n')).toEqual([
        '3 matches in 1 file',
        '',
        'use.py',
        '4: basket.add("a")  [O=basket, A="a"]',
        '5: log.add("b")  [O=log, A="b"]',
        '6: basket.add( …  [O=basket, A="c",]',
      ]);
    },
    timeoutMs,
  );

  test(
    'searches the languages in which the pattern is valid, or one file, and pages like other searches',
    async () => {
      const both = await search({ pattern: 'add($A)', format: 'short' });
      expect(both.text).toContain('2: add("a")  [A="a"]');
      const found = JSON.parse((await search({ pattern: '$F($$$)', relative_path: 'web/cart.ts' })).text);
      expect(found.map(({ text }: { text: string }) => text)).toEqual([
        'add("a")',
        'add(String(add("b")))',
        'String(add("b"))',
        'add("b")',
      ]);
      const first = await search({ ...call, format: 'short', max_answer_chars: 90 });
      const cursor = /`cursor` "([^"]+)"/.exec(first.blocks[1] ?? '')?.[1];
      const second = await search({ ...call, format: 'short', cursor });
      expect(second.text).toContain('6: basket.add( …');
      expect(second.text).not.toContain('4: basket.add');
    },
    timeoutMs,
  );

  test(
    'with `where`, finds only code that refers to a symbol',
    async () => {
      const of = async (where: string) => {
        const { text } = await search({ pattern: '$F($$$A)', where: [where], format: 'short' });
        return text.split('\n').slice(3);
      };
      expect(await of('F=shop.py#Basket/add')).toEqual([
        '4: basket.add("a")  [F=basket.add, A="a"]',
        '6: basket.add( …  [F=basket.add, A="c",]',
      ]);
      expect(await of('$F=Log/add')).toEqual(['5: log.add("b")  [F=log.add, A="b"]']);
    },
    timeoutMs,
  );

  test(
    'with a rule, finds only code in a certain place, or with certain parts',
    async () => {
      const of = async (args: Readonly<Record<string, unknown>>) =>
        (await search({ ...args, format: 'short' })).text.split('\n').slice(3);
      const inside = '{inside: {kind: function_definition, stopBy: end, has: {field: name, regex: ^use$}}}';
      expect(await of({ pattern: 'log.$M($$$)', rule: inside })).toEqual(['5: log.add("b")  [M=add]']);
      expect(await of({ pattern: 'add($A)', rule: '{has: {pattern: String($$$), stopBy: end}}' })).toEqual([
        '3: add(String(add("b")))  [A=String(add("b"))]',
      ]);
      const file =
        'id: bare-return\nlanguage: TypeScript\nmessage: no\nrule:\n  kind: return_statement\n  inside: {kind: if_statement}\n';
      expect(await of({ rule: file })).toEqual(['1: return;']);
      const pair = 'rule: {pattern: $O.add($A)}\nconstraints: {A: {regex: b}}\n';
      expect(await of({ rule: pair })).toEqual(['5: log.add("b")  [O=log, A="b"]']);
    },
    timeoutMs,
  );

  test(
    'with `where`, finds only variables of a type',
    async () => {
      const of = async (where: string) =>
        (await search({ pattern: '$O.add($$$A)', where: [where], format: 'short' })).text.split('\n').slice(3);
      expect(await of('O:type=shop.py#Basket')).toEqual([
        '4: basket.add("a")  [O=basket, A="a"]',
        '6: basket.add( …  [O=basket, A="c",]',
      ]);
      expect(await of('O: type=Log')).toEqual(['5: log.add("b")  [O=log, A="b"]']);
    },
    timeoutMs,
  );

  test.each([
    [{ pattern: '$A' }, 'a variable alone stands for everything'],
    [{ pattern: 'def (' }, 'is not a pattern'],
    [{ pattern: 'add($A)', language: 'klingon' }, 'there is no grammar of the language `klingon`'],
    [{ pattern: 'add($A)', where: ['B=Log/add'] }, 'says nothing about a variable of the pattern'],
    [{ pattern: '$F()', where: ['F=Nobody'] }, 'no symbol matches `Nobody`'],
    [{}, 'there is neither a pattern nor a rule'],
    [{ rule: '{kind: no_such_kind}' }, 'its grammar has no nodes of the kind `no_such_kind`'],
    [{ rule: '{insider: {kind: call}}' }, 'the rule is not valid'],
    [{ rule: '{matches: other}' }, '`utils` has no rule `other`'],
    [{ rule: '{regex: "("}' }, 'the rule is not valid'],
  ])('refuses %p', async (args, message) => {
    const answer = await search(args);
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toContain(message);
  });
});

describe('rewrite_structure', () => {
  test(
    'replaces all matches in one edit, which can be previewed and undone',
    async () => {
      const planned = await rewrite({ ...rewritten, dry_run: true });
      expect(planned.text).toStartWith(
        'Nothing was changed. Would have replaced `$O.add($$$A)` by `$O.put($$$A)`: 1 file',
      );
      expect(planned.text).toContain('+    basket.put("a")');
      expect(workspace.read('use.py')).toBe(files['use.py']);
      const { text, structured } = await rewrite(rewritten);
      expect(text).toContain('1 file changed, 3 places in `use.py`');
      // The methods do not exist.
      expect(structured).toMatchObject({ data: { places: { 'use.py': 3 }, complete: false } });
      expect(workspace.read('use.py')).toContain('    basket.put("a")\n    log.put("b")\n    basket.put("c",)\n');
      expect(workspace.read('use.py')).toContain('# basket.add("d")');
      await client.ask('edit_history', { action: 'undo' });
      expect(workspace.read('use.py')).toBe(files['use.py']);
    },
    timeoutMs,
  );

  test(
    'with `if_clean`, changes nothing that causes a new problem',
    async () => {
      const unclean = await rewrite({ ...rewritten, if_clean: true });
      expect(unclean.text).toStartWith('Nothing was changed, because of `if_clean`: 3 new problems');
      expect(workspace.read('use.py')).toBe(files['use.py']);
      const added = { pattern: '$F($A)', where: ['F=Basket/add'], rewrite: '$F($A, 2)' };
      const clean = await rewrite({ ...added, if_clean: true });
      expect(clean.text).toStartWith('Replaced `$F($A)` by `$F($A, 2)`: 1 file changed, 2 places');
      expect(workspace.read('use.py')).toContain('    basket.add("a", 2)\n    log.add("b")\n    basket.add("c", 2)\n');
      await client.ask('edit_history', { action: 'undo' });
    },
    timeoutMs,
  );

  test(
    'keeps the indentation, and says which matches stayed',
    async () => {
      const pattern = 'if (!$C) return;';
      const done = await rewrite({ pattern, rewrite: 'if (!$C) {\n  log($C);\n  return;\n}', check: 'none' });
      expect(done.isError).toBe(false);
      expect(workspace.read('web/cart.ts')).toContain('  if (!add) {\n    log(add);\n    return;\n  }\n  add("a");\n');
      await client.ask('edit_history', { action: 'undo' });
      const nested = await rewrite({ pattern: 'add($A)', language: 'ts', rewrite: 'put($A)', check: 'none' });
      expect(nested.blocks[1]).toContain('1 match inside others stayed; repeat the call for them');
      expect(workspace.read('web/cart.ts')).toContain('  put(String(add("b")));\n');
      await client.ask('edit_history', { action: 'undo' });
      expect(workspace.git('status', '--porcelain')).toBe('');
    },
    timeoutMs,
  );

  test.each([
    [{ pattern: 'add($A)', rewrite: 'add($B)' }, 'the pattern does not keep `$B`'],
    [{ pattern: 'nobody_calls_this($A)', rewrite: 'x' }, 'no code matches'],
  ])('refuses %p', async (args, message) => {
    const answer = await rewrite(args);
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toContain(message);
  });
});

describe('serena ast', () => {
  const run = (...args: string[]) =>
    runProgram(['ast', ...args], { cwd: workspace.root, env: { ...home, SERENA_SERVICE: 'off' } });

  test(
    'prints lines that count from 1, and replaces with `--rewrite`',
    async () => {
      expect(await run('$O.add($$$A)', '--lang', 'py', '--where', 'O.add=x')).toMatchObject({ code: 4 });
      const found = await run('$F($$$A)', 'use.py', '--where', 'F=Basket/add');
      expect(found).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('use.py:5: basket.add("a")  [F=basket.add, A="a"]\n'),
      });
      expect(await run('nobody($A)')).toMatchObject({ code: 1, stderr: expect.stringContaining('No matches') });
      const replaced = await run('log.add($A)', '--rewrite', 'log.add($A * 2)', '--dry-run', '--check', 'none');
      expect(replaced.stdout).toContain('+    log.add("b" * 2)');
      expect(workspace.read('use.py')).toBe(files['use.py']);
    },
    timeoutMs,
  );
});
