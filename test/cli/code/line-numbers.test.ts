import { expect, test } from 'bun:test';
import { codeCommands } from '../../../src/cli/code/table.ts';
import { makeHome, sharedStore } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { commandEnv, TestService } from '../../support/service.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** Allows for the download of a language server. */
const timeoutMs = 240_000;

/** Returns a text whose code is on even lines only, counted from 1: an odd number in an answer counts from 0. */
const onEvenLines = (code: string) => `${code.replaceAll(/^/gm, '\n')}\n`;

const files = {
  'shop/basket.py': onEvenLines(
    [
      'class Base:',
      '    def total(self):',
      '        return 0',
      '    def weigh(self):',
      '        return 0',
      'class Basket(Base):',
      '    def total(self):',
      '        return helper(1)',
      'def helper(amount: int):',
      '    return amount',
      'def unknown(thing):',
      '    return thing.total()',
      'class Small(Base):',
      '    def weigh(self):',
      '        return 2',
      'small = Small()',
    ].join('\n'),
  ),
  'shop/use.py': onEvenLines(
    [
      'from shop.basket import Basket, helper',
      'def use():',
      '    basket = Basket()',
      '    helper("wrong")',
      '    return basket.total()',
      'def helper2():',
      '    pass',
    ].join('\n'),
  ),
  'shop/__init__.py': '',
};

/** Command lines, each with its exit code. */
const lines: readonly (readonly [code: number, ...args: string[]])[] = [
  [0, 'overview', 'shop/basket.py', '--depth', '1'],
  [0, 'overview', 'shop'],
  [0, 'explore', 'shop/basket.py#Basket'],
  [0, 'explore', 'shop/basket.py#helper'],
  [0, 'find', 'Basket', '--depth', '1'],
  [0, 'find', 'total', '--info'],
  [0, 'find', 'helper', '--body'],
  [3, 'refs', 'shop/basket.py#Basket/total'],
  [0, 'refs', 'shop/basket.py#helper', '--explain'],
  [0, 'implementations', 'shop/basket.py#Base/total'],
  [3, 'hierarchy', 'callers', 'shop/basket.py#helper', '--depth', '2'],
  [0, 'hierarchy', 'callees', 'shop/use.py#use'],
  [0, 'hierarchy', 'subtypes', 'shop/basket.py#Base'],
  [0, 'path', 'shop/use.py#use', 'shop/basket.py#helper'],
  [0, 'unused', 'shop/basket.py'],
  [0, 'ast', '$F($$$A)', 'shop/use.py'],
  [3, 'path', 'shop/basket.py#unknown', 'shop/basket.py#helper'],
  [3, 'changed', '--base', 'HEAD'],
  [0, 'verify', '--base', 'HEAD'],
  [0, 'declaration', 'shop/use.py:10:19'],
  [0, 'declaration', 'shop/use.py#use', 'basket\\.(total)'],
  [4, 'declaration', 'shop/use.py#use', '(basket)'],
  [0, 'diagnostics', 'shop/use.py'],
  [0, 'search', 'helper'],
  [4, 'refs', 'total'],
  [4, 'rename', 'shop/use.py#helper2', 'use'],
];

test(
  'every line number that a command prints counts from 1',
  async () => {
    const names = codeCommands
      .filter(({ prints }) => !['edit', 'files', 'history'].includes(prints))
      .map(({ name }) => name);
    expect(names.filter((name) => !lines.some(([, first]) => first === name))).toEqual([]);
    await using project = makeWorkspace({ ...files, '.serena/project.yml': 'symbol_source: server\n' });
    project.initGit();
    project.write('shop/basket.py', files['shop/basket.py'].replace('return amount', 'return amount + 1'));
    // The commands share a language server.
    await using service = new TestService(makeHome(), sharedStore);
    const env = commandEnv(service);
    const odd: string[] = [];
    const codes: unknown[] = [];
    let count = 0;
    for (const [, ...args] of lines) {
      const { code, stdout, stderr } = await runProgram(args, { cwd: project.root, env, timeoutMs });
      codes.push([code, ...args]);
      const text = `${stdout}${stderr}`;
      for (const [place, ...numbers] of text.matchAll(
        /\.py:(\d+)\b|\blines? (\d+)\b.*|^(?:Method|Function) \w+ (\d+)$/gm,
      )) {
        count++;
        if (Number(numbers.find(Boolean)) % 2 === 1) odd.push(`${args.join(' ')}: ${place}`);
      }
    }
    expect(odd).toEqual([]);
    expect(codes).toEqual([...lines]);
    expect(count).toBeGreaterThan(40);
  },
  2 * timeoutMs,
);

test(
  'commands name a symbol by the line of its name, not by that of a decorator',
  async () => {
    await using project = makeWorkspace({
      '.serena/project.yml': 'symbol_source: server\n',
      'shop.py': [
        'import functools',
        'class Base:',
        '    def total(self): ...',
        'class Basket(Base):',
        '    @functools.cache',
        '    @functools.wraps(print)',
        '    def total(self): ...',
        'Basket().total()',
        '',
      ].join('\n'),
    });
    const named: readonly (readonly string[])[] = [
      ['overview', 'shop.py', '--depth', '1'],
      ['find', 'Basket/total', '--body'],
      ['find', 'Basket', '--depth', '1'],
      ['implementations', 'shop.py#Base/total'],
      ['declaration', 'shop.py:8:10'],
    ];
    await using service = new TestService(makeHome(), sharedStore);
    const env = commandEnv(service);
    for (const args of named) {
      const { stdout } = await runProgram(args, { cwd: project.root, env, timeoutMs });
      expect(stdout.split('\n')).toContain('shop.py:7: Method Basket/total');
    }
  },
  timeoutMs,
);
