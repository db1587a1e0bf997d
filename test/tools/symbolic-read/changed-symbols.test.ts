import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 180_000;

const before = {
  'shop/amounts.py':
    'def format_amount(cents):\n    return f"{cents // 100}.{cents % 100}"\n\n\ndef old_name(first, second, third):\n    total = first + second\n    return [total, third, first * second]\n\n\ndef gone(cents):\n    return cents\n',
  'shop/basket.py':
    'class Basket:\n    def add(self, cents):\n        return cents\n\n    def total(self):\n        return 1\n',
  'shop/checkout.py':
    'from shop.amounts import format_amount, gone\n\n\ndef checkout(cents):\n    return format_amount(gone(cents))\n\n\ndef sale():\n    return checkout(3)\n',
  // Another symbol of the same name as a deleted one.
  'shop/trip.py':
    'class Trip:\n    def gone(self):\n        return 1\n\n\ndef is_gone(trip: Trip):\n    return trip.gone()\n',
  'tests/test_checkout.py': 'from shop.checkout import sale\n\n\ndef test_sale():\n    assert sale() == "0.3"\n',
};

let workspace: Workspace;
let client: TestClient;

async function changes(args: Record<string, unknown>) {
  return JSON.parse(await client.ask('changed_symbols', args));
}

describe('changed_symbols', () => {
  beforeAll(async () => {
    workspace = makeWorkspace(before);
    workspace.initGit();
    workspace.git('checkout', '--quiet', '-b', 'work');
    workspace.write(
      'shop/amounts.py',
      'def format_amount(cents):\n    return f"{cents // 100},{cents % 100}"\n\n\ndef new_name(first, second, third):\n    total = first + second\n    return [total, third, first * second]\n',
    );
    workspace.git('commit', '--quiet', '--all', '--message=Edit');
    workspace.write('shop/cart.py', workspace.read('shop/basket.py'));
    workspace.remove('shop/basket.py');
    client = await startClient({ args: ['--project', workspace.root] });
  }, timeoutMs);
  afterAll(async () => await client?.[Symbol.asyncDispose]());

  test(
    'compares the working tree with the merge base of main, with users, tests, renamed and deleted symbols',
    async () => {
      const { compared, ...rest } = await changes({});
      expect(compared).toMatch(/^the working tree with [0-9a-f]{10} \(merge base of HEAD and main\)$/);
      expect(rest).toEqual({
        deleted_but_name_in_use: {
          'shop/amounts.py': { gone: { matches_of_name: { 'shop/checkout.py': [0, 4] } } },
        },
        renamed_or_moved: {
          'shop/amounts.py': { new_name: { from: 'shop/amounts.py#old_name', line: 4 } },
          'shop/cart.py': { Basket: { from: 'shop/basket.py#Basket', line: 0 } },
        },
        changed: {
          'shop/amounts.py': {
            format_amount: {
              line: 0,
              users: { 'shop/checkout.py': { checkout: [4] } },
              indirect_users: { 'shop/checkout.py': { sale: [8] } },
              tests: { 'tests/test_checkout.py': { test_sale: [4] } },
            },
          },
        },
      });
    },
    timeoutMs,
  );

  test(
    'says what unchanged code would reach if it was deleted or moved, and what no test reaches',
    async () => {
      expect(await changes({ base: 'if-deleted', relative_path: 'shop/checkout.py' })).toEqual({
        compared: 'the project with one where `shop/checkout.py` is deleted',
        if_deleted: {
          'shop/checkout.py': {
            sale: {
              line: 7,
              references: { 'tests/test_checkout.py': [0, 4] },
              tests: { 'tests/test_checkout.py': { test_sale: [4] } },
            },
          },
        },
      });
      const { if_deleted: deleted } = await changes({ base: 'if-deleted', relative_path: 'shop/amounts.py' });
      expect(deleted).toEqual({
        'shop/amounts.py': {
          format_amount: {
            line: 0,
            references: { 'shop/checkout.py': [0, 4] },
            indirect_users: { 'shop/checkout.py': { sale: [8] } },
            tests: { 'tests/test_checkout.py': { test_sale: [4] } },
          },
        },
      });
      const { if_moved: moved } = await changes({ base: 'if-moved', relative_path: 'shop/amounts.py' });
      expect(moved).toEqual({
        'shop/amounts.py': { format_amount: { line: 0, references: { 'shop/checkout.py': [0, 4] } } },
      });
      const { untested } = await changes({ base: 'untested', relative_path: 'shop' });
      expect(untested).toEqual({
        'shop/amounts.py': { new_name: 4 },
        'shop/cart.py': { Basket: 0, 'Basket/add': 1, 'Basket/total': 4 },
        'shop/trip.py': { Trip: 0, 'Trip/gone': 1, is_gone: 5 },
      });
    },
    timeoutMs,
  );

  test('compares a range, a commit and the index', async () => {
    expect((await changes({ base: 'main..work' })).renamed_or_moved).toEqual({
      'shop/amounts.py': { new_name: { from: 'shop/amounts.py#old_name', line: 4 } },
    });
    expect((await changes({ base: 'HEAD' })).renamed_or_moved).toEqual({
      'shop/cart.py': { Basket: { from: 'shop/basket.py#Basket', line: 0 } },
    });
    expect(Object.keys(await changes({ base: 'staged' }))).toEqual(['compared']);
    expect(Object.keys(await changes({ relative_path: 'tests' }))).toEqual(['compared']);
  });

  test('names a commit that does not exist, and takes no option for one', async () => {
    for (const base of ['nowhere', '--output=x']) {
      const { isError, text } = await client.call('changed_symbols', { base });
      expect(isError).toBe(true);
      expect(text).toContain(`no Git repository with a commit \`${base}\``);
    }
    expect(existsSync(workspace.path('x'))).toBe(false);
  });
});

test(
  "compares with the state before this session's edits, without Git",
  async () => {
    const project = makeWorkspace(before);
    await using other = await startClient({ args: ['--project', project.root] });
    const changed = async () => JSON.parse(await other.ask('changed_symbols', { base: 'session' }));
    const compared = "the working tree with the state before this session's edits";
    expect(await changed()).toEqual({ compared });
    const replace = (needle: string, repl: string) =>
      other.ask('replace_in_files', { relative_path: 'shop/amounts.py', needle, repl, mode: 'literal' });
    await replace('{cents // 100}.', '{cents // 100},');
    await replace('{cents // 100},', '{cents // 100}:');
    await other.ask('create_text_file', { relative_path: 'shop/bonus.py', content: 'def bonus():\n    return 1\n' });
    expect(await changed()).toMatchObject({
      compared,
      changed: { 'shop/amounts.py': { format_amount: { line: 0, users: { 'shop/checkout.py': { checkout: [4] } } } } },
      added: { 'shop/bonus.py': ['bonus'] },
    });
    await other.ask('edit_history', { action: 'undo', count: 3 });
    expect(await changed()).toEqual({ compared });
  },
  timeoutMs,
);

test(
  'runs no program that the configuration of the repository names',
  async () => {
    const project = makeWorkspace(before);
    project.initGit();
    const mark = join(makeTempDir('mark'), 'ran');
    project.write('.git/run.sh', `#!/bin/sh\ntouch ${mark}\ncat\n`);
    chmodSync(project.path('.git/run.sh'), 0o755);
    const program = project.path('.git/run.sh');
    for (const key of ['core.fsmonitor', 'diff.external', 'filter.x.clean', 'filter.x.process', 'diff.x.textconv']) {
      project.git('config', key, program);
    }
    for (const key of ['core.sshCommand', 'core.pager', 'diff.x.command', 'core.alternateRefsCommand', 'alias.diff']) {
      project.git('config', key, key === 'alias.diff' ? `!${program}` : program);
    }
    project.git('config', 'core.hooksPath', project.path('.git'));
    project.write('.git/info/attributes', '* filter=x diff=x\n');
    project.write('.gitattributes', '* filter=x diff=x\n');
    project.write('shop/basket.py', 'class Basket:\n    pass\n');
    await using other = await startClient({ args: ['--project', project.root] });
    expect(await other.ask('changed_symbols', { base: 'HEAD' })).toContain('"Basket"');
    expect(existsSync(mark)).toBe(false);
  },
  timeoutMs,
);
