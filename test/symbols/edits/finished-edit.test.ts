// Edits over files answer alike, and the places that they leave open can be changed by their ids.
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectState } from '../../../src/config/data-directory.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, ownHome, sharedStore } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { commandEnv, TestService } from '../../support/service.ts';
import { openShared } from '../../support/shared-session.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 240_000;

const files = {
  '.serena/project.yml': 'languages: [python]\n',
  'shop.py':
    'class Basket:\n    def total(self) -> int:\n        return 1\n\n\ndef double(basket: Basket) -> int:\n    return 2 * basket.total()\n',
  'use.py': 'def use(basket):\n    return basket.total()\n\n\ndef both(a, b):\n    return a.total() + b.total()\n',
  'README.md':
    '# The total\n\nThe total of a basket: `Basket.total`.\n\n```python\nbasket.total()\n```\n\nNo more total.\n',
  'CHANGELOG.md': '- `Basket.total` is new.\n',
  'vendor/other.md': 'See `Basket.total`.\n',
};

const target = { name_path: 'Basket/total', relative_path: 'shop.py', new_name: 'sum' };
const renamed = files['shop.py'].replaceAll('total', 'sum');

const openRows = [
  '    [1] use.py:1: return basket.total()',
  '    [2] use.py:5:13: return a.total() + b.total()',
  '    [3] use.py:5:25: return a.total() + b.total()',
];

const nextCall = (name: string) =>
  `rename_symbol {"name_path":"Basket/${name}","relative_path":"shop.py","new_name":"sum","also":[1,2,3]}`;

/** Returns the answer of a call that must succeed. */
async function ask(client: TestClient, tool: string, args: Readonly<Record<string, unknown>>) {
  const { text, blocks, isError, structured } = await client.call(tool, args);
  expect({ text, isError }).toMatchObject({ isError: false });
  expect(blocks.slice(1)).toEqual([]);
  return { text, structured };
}

/** Returns texts and times of all files of a project and of its history of edits. */
function stateOf({ root }: Workspace, home: string): Readonly<Record<string, string>> {
  const { edits } = projectState(home, root);
  const read = [root, edits].flatMap((directory) => {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  });
  return Object.fromEntries(
    read.map((path) => [path, `${statSync(path, { bigint: true }).mtimeNs} ${readFileSync(path, 'utf8')}`]),
  );
}

describe('a rename', () => {
  test(
    'lists open places and mentions with ids, and renames the chosen ones in a second call, which is one edit',
    async () => {
      const { workspace, client } = await openShared(files);
      const { text, structured } = await ask(client, 'rename_symbol', target);
      const lines = text.split('\n');
      expect(lines[0]).toBe(
        'Renamed `Basket/total` to `sum`: 1 file changed, 2 places in `shop.py`; incomplete: 3 open',
      );
      expect(structured).toMatchObject({ complete: false });
      for (const row of openRows) expect(lines).toContain(row);
      expect(text).toContain(`: ${nextCall('sum')}\n`);
      expect(lines.slice(lines.indexOf('Mentioned (0-based lines):') + 1)).toEqual([
        '  [4] README.md:2: The total of a basket: `Basket.total`.',
        '  [5] README.md:5: basket.total()',
      ]);
      expect(workspace.read('shop.py')).toBe(renamed);
      const also = { ...target, name_path: 'Basket/sum', also: [1, 3, 4] };
      const second = await client.call('rename_symbol', also);
      expect(second.text).toStartWith('Renamed `total` to `sum` where chosen: 2 files changed, 3 places; complete');
      expect(second.structured).toMatchObject({ complete: true });
      expect(second.blocks).toHaveLength(1);
      const chosen = files['use.py'].replace('basket.total', 'basket.sum').replace('b.total', 'b.sum');
      expect(workspace.read('use.py')).toBe(chosen);
      expect(workspace.read('README.md')).toBe(files['README.md'].replace('Basket.total', 'Basket.sum'));
      // The other ids still hold, where the files moved on with the second call.
      expect((await client.call('rename_symbol', { ...also, also: [2] })).text).toContain('1 place in `use.py`');
      expect(workspace.read('use.py')).toBe(chosen.replace('a.total', 'a.sum'));
      await client.ask('edit_history', { action: 'undo', count: 2 });
      expect(workspace.read('use.py')).toBe(files['use.py']);
      expect(workspace.read('shop.py')).toBe(renamed);
      // After an undo the ids hold as well.
      expect((await client.call('rename_symbol', { ...also, also: [2] })).isError).toBe(false);
      expect(workspace.read('use.py')).toBe(files['use.py'].replace('a.total', 'a.sum'));
    },
    timeoutMs,
  );

  test(
    'with chosen places of a dry run makes all of it in one edit; the dry run writes nothing',
    async () => {
      const env = ownHome({ report_edit_diagnostics: 'auto' });
      const workspace = makeWorkspace(files);
      await using client = await startClient({ args: ['--project', workspace.root], env });
      await client.ask('replace_content', {
        relative_path: 'README.md',
        needle: '# The',
        repl: '# A',
        mode: 'literal',
      });
      const before = stateOf(workspace, env.SERENA_HOME);
      const { text, structured } = await ask(client, 'rename_symbol', { ...target, dry_run: true });
      expect(stateOf(workspace, env.SERENA_HOME)).toEqual(before);
      expect(text).toStartWith(
        'Nothing was changed. Would have renamed `Basket/total` to `sum`: 1 file changed, 2 places in `shop.py`; incomplete: 3 open\n',
      );
      expect(structured).toMatchObject({ complete: false });
      for (const row of openRows) expect(text.split('\n')).toContain(row);
      expect(text).toContain(`: ${nextCall('total')}\n`);
      expect(text).toContain('\n-    def total(self) -> int:\n+    def sum(self) -> int:\n');
      const made = await client.call('rename_symbol', { ...target, also: [1, 2, 3, 4] });
      expect(made.text).toStartWith('Renamed `Basket/total` to `sum`: 3 files changed, 6 places; complete\n');
      expect(workspace.read('use.py')).toBe(files['use.py'].replaceAll('total', 'sum'));
      expect(workspace.read('README.md')).toContain('`Basket.sum`');
      await client.ask('edit_history', { action: 'undo' });
      expect(workspace.read('shop.py')).toBe(files['shop.py']);
      expect(workspace.read('use.py')).toBe(files['use.py']);
    },
    timeoutMs,
  );

  test(
    'refuses ids after a file changed, and ids that no answer had',
    async () => {
      const { workspace, client } = await openShared(files);
      const unknown = await client.call('rename_symbol', { ...target, new_name: 'amount', also: [1] });
      expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('returned the id 1') });
      await ask(client, 'rename_symbol', { ...target, dry_run: true });
      const wrong = await client.call('rename_symbol', { ...target, also: [1, 99] });
      expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('returned the id 99') });
      workspace.write('use.py', `# Uses.\n${files['use.py']}`);
      const stale = await client.call('rename_symbol', { ...target, also: [1] });
      expect(stale).toMatchObject({ isError: true, text: expect.stringContaining('`use.py` 1') });
      expect(workspace.read('shop.py')).toBe(files['shop.py']);
    },
    timeoutMs,
  );

  test(
    'of several symbols is one edit',
    async () => {
      const { workspace, client } = await openShared(files);
      const { text } = await ask(client, 'rename_symbol', {
        renames: [target, { name_path: 'double', relative_path: 'shop.py', new_name: 'twice' }],
        check: 'touched',
      });
      expect(text).toStartWith(
        'Renamed `Basket/total` to `sum`, `double` to `twice`: 1 file changed, 3 places in `shop.py`; incomplete: 3 open\n',
      );
      expect(workspace.read('shop.py')).toBe(renamed.replace('double', 'twice'));
      const both = [target, { name_path: 'double', relative_path: 'shop.py', new_name: 'class' }];
      await client.ask('edit_history', { action: 'undo' });
      expect(workspace.read('shop.py')).toBe(files['shop.py']);
      expect(await client.call('rename_symbol', { renames: both })).toMatchObject({ isError: true });
      expect(workspace.read('shop.py')).toBe(files['shop.py']);
      const empty = await client.call('rename_symbol', { renames: [{ name_path: 'double' }] });
      expect(empty).toMatchObject({ isError: true, text: expect.stringContaining('no symbol to rename') });
    },
    timeoutMs,
  );

  test(
    'says in its first line that it was not checked',
    async () => {
      const { client } = await openShared(files, { config: { report_edit_diagnostics: 'auto' } });
      const rename = { name_path: 'double', relative_path: 'shop.py', new_name: 'twice', check: 'none' };
      const { text, structured } = await ask(client, 'rename_symbol', rename);
      expect(text.split('\n')[0]).toBe(
        'Renamed `double` to `twice`: 1 file changed, 1 place in `shop.py`; complete; not checked for new problems: as requested',
      );
      expect(structured).toMatchObject({ complete: true });
    },
    timeoutMs,
  );
});

test(
  'commands name lines from 1, and the next command',
  async () => {
    const project = makeWorkspace(files);
    // The commands share a language server.
    await using service = new TestService(makeHome(), sharedStore);
    const env = commandEnv(service);
    const run = (...args: readonly string[]) => runProgram(args, { cwd: project.root, env, timeoutMs });
    const planned = await run('rename', 'shop.py#Basket/total', 'sum', '--dry-run');
    expect(planned).toMatchObject({ code: 3, stderr: '' });
    expect(project.read('shop.py')).toBe(files['shop.py']);
    const { code, stdout } = await run('rename', 'shop.py#Basket/total', 'sum', '--timeout', '200');
    expect(code).toBe(3);
    expect(stdout).toContain('\n    [1] use.py:2: return basket.total()\n');
    expect(stdout).toContain('\n    [3] use.py:6:26: return a.total() + b.total()\n');
    expect(stdout).toContain(': serena rename shop.py#Basket/sum sum --also 1-3\n');
    const second = await run('rename', 'shop.py#Basket/sum', 'sum', '--also', '1,2-4');
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('where chosen: 2 files changed, 4 places'),
    });
    expect(project.read('use.py')).toBe(files['use.py'].replaceAll('total', 'sum'));
    const used = await run('delete', 'shop.py#Basket', '--json');
    expect(used.code).toBe(3);
    expect(JSON.parse(used.stdout).result).toMatchObject({
      complete: false,
      done: 'Cannot delete `Basket`',
      open: [{ file: 'shop.py', line: 5 }],
    });
    expect(await run('rename', 'shop.py#double=twice', 'use.py#both=pair')).toMatchObject({ code: 0 });
    const moved = await run('move-file', 'use.py', 'lib/use.py', '--check', 'touched');
    expect(moved).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Moved `use.py` to `lib\/use.py`; complete/),
    });
    const signature = ['signature', 'shop.py#Basket/sum', '--add', 'tax: int', '--value', '2'];
    const resigned = await run(...signature);
    expect(resigned.code).toBe(3);
    expect(resigned.stdout).toStartWith('Changed the signature of `Basket/sum`: 1 file changed, 2 places in `shop.py`');
    expect(resigned.stdout).toContain('    [1] lib/use.py:2: return basket.sum()\n');
    expect(resigned.stdout).toContain(": serena signature shop.py#Basket/sum --add 'tax: int' --value 2 --also 1-3\n");
    expect(await run(...signature, '--also', '1-3')).toMatchObject({ code: 0 });
    expect(project.read('lib/use.py')).toContain('return a.sum(2) + b.sum(2)');
    const deleted = await run('delete', 'lib/use.py#pair');
    expect(deleted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Deleted `pair`: 1 file changed/) });
  },
  timeoutMs,
);
