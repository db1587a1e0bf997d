import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { kindNames } from '../../../src/cli/code/commands.ts';
import { kindName } from '../../../src/symbols/model/kinds.ts';
import { expectClearExit } from '../../support/clear.ts';
import { makeHome, noServers, sharedStore, stubServers } from '../../support/homes.ts';
import { pinned } from '../../support/pins.ts';
import { type Ended, type ProgramOptions, runProgram } from '../../support/program.ts';
import { commandEnv, TestService } from '../../support/service.ts';
import { sharedHome } from '../../support/temp.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

/** Allows for the download of a language server. */
const timeoutMs = 240_000;

/** Runs a command with real language servers, in the project unless `options` name another directory. */
function run(project: Workspace, args: readonly string[], options: ProgramOptions = {}): Promise<Ended> {
  const env = { SERENA_HOME: sharedHome() };
  return runProgram(args, { cwd: project.root, env, timeoutMs, ...options });
}

/** Returns a copy of a fixture, as a project that waits for its language server. */
function projectOf(name: 'python' | 'typescript'): Workspace {
  const copy = copyFixture(name);
  copy.write('.serena/project.yml', 'symbol_source: server\n');
  return copy;
}

describe('with a real server', () => {
  test(
    'commands that read print text that people and editors read (Python)',
    async () => {
      await using shop = projectOf('python');
      const lines: readonly (readonly [code: number, directory: string, ...args: string[]])[] = [
        [0, '.', 'overview', 'shop/helper.py', '--depth', '1'],
        [0, '.', 'find', 'Basket', '--depth', '1'],
        [0, '.', 'find', 'shop/discount.py#Discount/apply', '--info'],
        [0, '.', 'find', 'apply', '--body'],
        [0, 'shop', 'refs', 'helper.py#Basket/total'],
        [0, 'shop', 'refs', 'helper.py#Basket/total', '--explain'],
        [0, '.', 'hierarchy', 'callers', 'shop/helper.py#format_amount', '--depth', '2'],
        [1, 'shop', 'hierarchy', 'callees', 'clean.py#double'],
        [0, '.', 'declaration', 'shop/receipt.py:1:26'],
        [0, '.', 'declaration', 'shop/checkout.py#sale', 'checkout\\(basket, (HalfOff)', '--body', '--no-header'],
        [0, '.', 'diagnostics', 'shop/broken.py'],
        [1, '.', 'diagnostics', 'shop/helper.py#Basket'],
        [1, '.', 'refs', 'shop/checkout.py#sale'],
      ];
      // The commands share a language server.
      await using service = new TestService(makeHome(), sharedStore);
      const env = commandEnv(service);
      const texts: string[] = [];
      for (const [code, directory, ...args] of lines) {
        const { stdout, ...ended } = await run(shop, args, { cwd: shop.path(directory), env });
        const none =
          args[0] === 'diagnostics' ? 'No problems\n' : args[0] === 'refs' ? 'No references\n' : 'Nothing found\n';
        expect({ args, ...ended }).toEqual({ args, code, stderr: code === 1 ? none : '' });
        texts.push(`${directory} $ serena ${args.join(' ')}\n${stdout}`);
      }
      const found = texts.join('\n');
      expect(found).toBe(pinned('code-commands.txt', found));
    },
    timeoutMs,
  );

  test(
    'the symbols that differ from a commit, with their users (Python)',
    async () => {
      await using shop = projectOf('python');
      shop.initGit();
      expect(await run(shop, ['changed'])).toMatchObject({ code: 1, stderr: 'No symbols changed\n' });
      shop.write(
        'shop/helper.py',
        shop.read('shop/helper.py').replace('02d', '03d').replace('def total', 'def sum_up'),
      );
      const { stdout, ...ended } = await run(shop, ['changed', '--base', 'HEAD'], { cwd: shop.path('shop') });
      expect(ended).toEqual({ code: 0, stderr: '' });
      const [compared, ...lines] = stdout.trimEnd().split('\n');
      expect(compared).toMatch(/^Compared the working tree with [0-9a-f]{10}$/);
      expect(lines).toEqual([
        'helper.py: deleted Basket/total, whose name is in use',
        '  checkout.py:6: match',
        '  receipt.py:9: match',
        'helper.py:6: changed format_amount',
        '  broken.py:3: user price',
        '  checkout.py:7: user checkout',
        '  receipt.py:9: user Receipt/render',
        '  checkout.py:11: indirect user sale',
        'helper.py: added Basket/sum_up',
      ]);
    },
    timeoutMs,
  );

  test(
    'edits go through the checks of the tools (TypeScript)',
    async () => {
      await using shop = projectOf('typescript');
      const before = readFileSync(shop.path('src/helper.ts'), 'utf8');
      const address = 'src/helper.ts#Basket/total';
      const { stdout: body } = await run(shop, ['find', address, '--body', '--no-header']);
      const same = await run(shop, ['replace', address], { input: body });
      expect(same).toMatchObject({ code: 0, stdout: 'OK\n' });
      const none = await run(shop, ['replace', address], { input: '\n' });
      expectClearExit(none, 2, 'the new definition is empty', 'hint: to delete the symbol, run `serena delete`');
      expect(readFileSync(shop.path('src/helper.ts'), 'utf8')).toBe(before);

      const taken = await run(shop, ['rename', address, 'add']);
      expectClearExit(taken, 4, 'add');
      expect(taken.stderr).toContain('hint: if both may have this name, add `--force`');
      expect(readFileSync(shop.path('src/helper.ts'), 'utf8')).toBe(before);
      const unknown = await run(shop, ['refs', 'src/helper.ts#nothing']);
      expectClearExit(unknown, 4, '`nothing`', 'hint: run `serena overview`');
      const renamed = await run(shop, ['rename', address, 'sum', '--json']);
      expect(renamed).toMatchObject({ code: 0, stderr: '' });
      const places = { 'src/checkout.ts': 1, 'src/helper.ts': 1, 'src/receipt.ts': 1 };
      const result = { done: 'Renamed `Basket/total` to `sum`', complete: true, dry_run: false, places, open: [] };
      expect(JSON.parse(renamed.stdout)).toMatchObject({ status: 'found', result });
      expect(readFileSync(shop.path('src/receipt.ts'), 'utf8')).toContain('.sum()');

      const implementations = await run(shop, ['implementations', 'Discount/apply']);
      expect(implementations).toMatchObject({ code: 0, stderr: '' });
      expect(implementations.stdout).toMatch(/^src\/discount\.ts:\d+: Method HalfOff\/apply$/m);
      const ambiguous = await run(shop, ['refs', 'apply', '--json']);
      expect(ambiguous).toMatchObject({ code: 4, stderr: '' });
      expect(JSON.parse(ambiguous.stdout)).toMatchObject({ status: 'failed', error: { code: 'symbol.ambiguous' } });
      const choices = await run(shop, ['refs', 'apply'], { cwd: shop.path('src') });
      expect(choices.stderr).toMatch(
        /^error: `apply` matches \d symbols:\n {2}discount\.ts#Discount\/apply \(Method\)\n/,
      );
      expect(choices.stderr).toEndWith('\n\nhint: name one of them, such as `discount.ts#Discount/apply`\n');
    },
    timeoutMs,
  );
});

describe('exit codes', () => {
  test('3: the answer is printed, and its gaps are named', async () => {
    await using project = makeWorkspace({
      'a.py': 'def here():\n    pass  # there\n',
      'b.py': 'def here():\n    return there\n',
    });
    const stub = ['errors-on-symbols', { file: 'b.py' }] as const;
    const env = { SERENA_HOME: makeHome({ ...stubServers({ python: stub }), symbol_source: 'server' }) };
    const call = ['find', 'here', '--project', project.root];
    const ended = await runProgram(call, { env });
    expect(ended).toMatchObject({ code: 3, stdout: 'a.py:1: Function here\n' });
    expect(ended.stderr).toStartWith('Incomplete:\n- `b.py` was not searched');
    const json = await runProgram([...call, '--json'], { env });
    expect(json).toMatchObject({ code: 3, stderr: '' });
    const answer = { status: 'incomplete', result: [{ name_path: 'here' }], gaps: [{ missing: expect.any(String) }] };
    expect(JSON.parse(json.stdout)).toMatchObject(answer);
    // Nothing but a failure was found.
    const none = await runProgram(['find', 'there', '--project', project.root], { env });
    expectClearExit(none, 4, 'The stub cannot read this file');
  });

  test.each<[code: number, args: string[], part: string]>([
    [1, ['search', 'no such text'], ''],
    [1, ['search', '--json', 'no such text'], ''],
    [4, ['search', '('], 'hint: '],
    [4, ['search', 'x', 'no/such/directory'], 'no/such/directory'],
    [4, ['overview', 'no such file.py'], 'no such file.py'],
    [4, ['overview', '../outside.py'], 'outside'],
    [4, ['diagnostics', 'missing.py'], 'missing.py'],
    [4, ['replace', 'a b.py#one', 'no-such-body.txt'], 'no-such-body.txt'],
    [4, ['find', 'one', '--project', 'nowhere'], 'nowhere'],
    [2, ['find'], '`symbol` is missing'],
    [2, ['find', '-name'], '`-name`'],
    [2, ['find', 'a b.py#'], 'names no symbol'],
    [2, ['find', 'one', '--depth', 'all'], 'whole number'],
    [2, ['find', 'one', '--kind', 'classes'], 'it must be of File, Module'],
    [2, ['find', 'one', '--body', '--info'], 'cannot be used with'],
    [2, ['hierarchy', 'users', 'one'], 'is no kind'],
    [2, ['declaration', 'a b.py:0:1'], 'begin at 1'],
    [2, ['declaration', 'one', '(one)'], 'names no file'],
    [2, ['diagnostics', 'a b.py', '--severity', 'fatal'], 'error, warning, information, hint'],
    [2, ['rename', 'a b.py#one'], '`new-name` is missing'],
    [2, ['rename', 'a b.py#one=two', 'a b.py#two=one', 'three'], '`three` is not a rename'],
    [2, ['rename', 'a b.py#one', 'two', '--also', '3-1'], 'it must be ids, such as 3,5-9'],
    [2, ['rename', 'a b.py#one', 'two', '--check', 'some'], 'none, touched, all'],
    [2, ['delete', 'one'], 'names no file'],
  ])('%d: %j', async (code, args, part) => {
    await using project = makeWorkspace({ '.serena/project.yml': '', 'a b.py': 'def one():\n    pass\n' });
    const env = { SERENA_HOME: makeHome(noServers()) };
    const ended = await runProgram(args, { cwd: project.root, env });
    if (code > 1) return expectClearExit(ended, code, part);
    const stderr = args.includes('--json') ? '' : 'No matches\n';
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr });
    expect(ended.stdout).toMatch(args.includes('--json') ? /"status": "nothing-found"/ : /^$/);
  });

  test('4: outside of any project', async () => {
    const ended = await runProgram(['search', 'x'], { cwd: '/' });
    expectClearExit(ended, 4, '`/` is not a project', '--project');
  });
});

describe('--kind', () => {
  test('has the names that answers show', () => {
    expect(kindNames).toEqual(kindNames.map((_name, index) => kindName(index + 1)));
    expect(kindName(kindNames.length + 1)).toBe('Unknown');
  });

  test('finds only symbols of these kinds', async () => {
    await using project = makeWorkspace({
      '.serena/project.yml': '',
      'a.js': 'class Basket {}\nfunction basketOf() {}\nconst basketSize = 1;\n',
    });
    const found = async (...kinds: string[]) => {
      const args = ['find', 'asket', '--substring', ...kinds.flatMap((kind) => ['--kind', kind])];
      const { code, stdout } = await runProgram(args, { cwd: project.root, env: { SERENA_HOME: makeHome() } });
      return [code, ...stdout.split('\n').slice(0, -1)];
    };
    const [basket, basketOf] = ['a.js:1: Class Basket', 'a.js:2: Function basketOf'];
    expect(await found('class')).toEqual([0, basket]);
    expect(await found('Class, FUNCTION')).toEqual([0, basket, basketOf]);
    expect(await found('function', 'class')).toEqual([0, basket, basketOf]);
    expect(await found('interface')).toEqual([1]);
  });
});

describe('addresses', () => {
  test('may contain spaces, begin with a dash, and name private members and paths with #', async () => {
    await using project = makeWorkspace({
      '.serena/project.yml': '',
      'my C#/a b.js': 'class Basket {\n  #total() {\n    return 1;\n  }\n}\n',
      'sub/c.js': 'function other() {}\n',
    });
    const env = { SERENA_HOME: makeHome() };
    const find = (...args: string[]) => runProgram(['find', ...args], { cwd: project.path('sub'), env });
    for (const address of ['Basket/#total', '#total', 'my C##Basket/#total', '../my C#/a b.js#Basket/#total']) {
      const ended = await find(address);
      expect({ address, ...ended }).toMatchObject({ code: 0, stdout: '../my C#/a b.js:2: Method Basket/#total\n' });
    }
    expect(await find('c.js#other')).toMatchObject({ code: 0, stdout: 'c.js:1: Function other\n' });
    expect(await find('--', '-other')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('search', () => {
  test('prints what `grep -n` prints', async () => {
    await using project = makeWorkspace({
      'a.txt': 'one\ntwo\nthree\nfour\nfive --one\nsix\n',
      'sub/b.txt': 'ONE one\n',
    });
    const home = { SERENA_HOME: makeHome() };
    const options = { cwd: project.path('sub'), env: home };
    project.write('.serena/project.yml', '');
    const all = await runProgram(['search', 'one'], options);
    expect(all).toEqual({ code: 0, stdout: '../a.txt:1:one\n../a.txt:5:five --one\nb.txt:1:ONE one\n', stderr: '' });
    const near = await runProgram(['search', '-C', '1', '--', 'one', '../a.txt'], options);
    expect(near.stdout).toBe(
      '../a.txt:1:one\n../a.txt-2-two\n--\n../a.txt-4-four\n../a.txt:5:five --one\n../a.txt-6-six\n',
    );
    expect((await runProgram(['search', '--', '--one', '.'], options)).code).toBe(1);
    expect((await runProgram(['search', '--glob', '**/b.txt', 'one'], options)).stdout).toBe('b.txt:1:ONE one\n');
  });
});

test(
  'a new definition is read from a file',
  async () => {
    await using project = makeWorkspace({ '.serena/project.yml': '', 'sub/a.py': 'def one():\n    return 1\n' });
    const env = { SERENA_HOME: sharedHome() };
    writeFileSync(project.path('sub/new body.txt'), 'def one():\n    return 2\n');
    const call = ['replace', 'a.py#one', 'new body.txt'];
    const ended = await runProgram(call, { cwd: project.path('sub'), env, timeoutMs });
    expect(ended).toMatchObject({ code: 0, stdout: 'OK\n' });
    expect(readFileSync(project.path('sub/a.py'), 'utf8')).toBe('def one():\n    return 2\n');
  },
  timeoutMs,
);
