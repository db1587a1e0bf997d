// What an edit over files breaks is found in all files that use what changed, before or after it is written.
import { describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, startClient, type TestClient } from '../../support/client.ts';
import { makeHome, ownHome, stubServers } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { openShared } from '../../support/shared-session.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 5 * 60_000;

const settings = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [], "module": "esnext" } }',
  '.serena/project.yml': 'languages: [typescript]\n',
};

const config = { report_edit_diagnostics: 'auto' };

/** Returns `count` files, of which `textOf` returns the text by number from 1. */
function numbered(count: number, textOf: (number: number) => string): Record<string, string> {
  const entries = Array.from({ length: count }, (_, index) => {
    return [`user${String(index + 1).padStart(3, '0')}.ts`, textOf(index + 1)] as const;
  });
  return Object.fromEntries(entries);
}

/** Calls a tool that edits, in the format of models, after the server has answered about a file. */
async function edit(client: TestClient, tool: string, args: Readonly<Record<string, unknown>>): Promise<Answer> {
  await client.ask('get_diagnostics_for_file', { relative_path: 'shop.ts' });
  return await client.call(tool, args);
}

type PythonFiles = Readonly<Record<`${string}.py`, string>>;

/** Starts a client of a server that reports the problems of changed texts once the file `held` exists. */
async function heldClient({ root }: Workspace, { held, tool_timeout }: { held: string; tool_timeout: number }) {
  const servers = stubServers({ python: ['answers-diagnostics', { held }] });
  const home = makeHome({ ...servers, ...config, tool_timeout });
  const client = await startClient({ args: ['--project', root], env: { SERENA_HOME: home } });
  await client.ask('get_symbols_overview', { relative_path: 'a.py' });
  return client;
}

/** Returns edits that replace a text in each file. */
function replacements(files: PythonFiles, needle: string, repl: string) {
  return Object.keys(files).map((relative_path) => ({
    tool: 'replace_content',
    arguments: { relative_path, needle, repl, mode: 'literal' },
  }));
}

describe('an edit over files', () => {
  test(
    'names what a rename breaks in the 24th of 25 files, also before it',
    async () => {
      const users = numbered(25, (number) =>
        number === 24
          ? "import { total } from './shop';\n\nconst sumUp = 1;\nexport const sum = [total([1]), sumUp];\n"
          : "import { total } from './shop';\n\nexport const sum = total([1]);\n",
      );
      const shop = 'export function total(prices: number[]): number {\n  return prices.length;\n}\n';
      const { workspace, client } = await openShared({ ...settings, 'shop.ts': shop, ...users }, { config });
      const rename = { name_path: 'total', relative_path: 'shop.ts', new_name: 'sumUp', force: true };
      const problem = /^ {2}user024\.ts:\d: error: .*sumUp/m;
      const planned = await edit(client, 'rename_symbol', { ...rename, dry_run: true });
      expect(planned.text).toStartWith(
        'Nothing was changed. Would have renamed `total` to `sumUp`: 26 files changed, ',
      );
      expect(planned.text).toMatch(problem);
      const clean = await edit(client, 'rename_symbol', { ...rename, new_name: 'other', dry_run: true });
      expect(clean.text).toContain(': 26 files changed, 51 places; complete\n');
      const made = await edit(client, 'rename_symbol', rename);
      expect(made.blocks[0]).toStartWith(
        'Renamed `total` to `sumUp`: 26 files changed, 51 places; incomplete: 2 new errors\nFiles:\n  shop.ts: 1\n  user001.ts: 2\n',
      );
      expect(made.blocks[0]).toContain('\n  ./ (6 more files): 12\n');
      expect(made.blocks.join('\n')).toMatch(problem);
      expect(workspace.read('user024.ts')).toContain('import { sumUp }');
    },
    timeoutMs,
  );

  test(
    'names what changes of two files break in the 12th file that uses one of them',
    async () => {
      const users = numbered(12, (number) =>
        number === 12
          ? "import { total } from './shop';\n\nexport const sum = total([1]);\n"
          : "import type { total } from './shop';\n\nexport type Sum = ReturnType<typeof total>;\n",
      );
      const shop = 'export function total(prices: number[]): number {\n  return prices.length;\n}\n';
      const files = { ...settings, 'shop.ts': shop, 'rate.ts': 'export const rate = 1;\n', ...users };
      const { client } = await openShared(files, { config });
      const replace = (relative_path: string, needle: string, repl: string) => ({
        tool: 'replace_content',
        arguments: { relative_path, needle, repl, mode: 'literal' },
      });
      const edits = [
        replace('shop.ts', 'prices: number[]', 'prices: number[], rate: number'),
        replace('rate.ts', 'rate = 1', 'rate = 2'),
      ];
      const problem = /^ {2}user012\.ts:2: error: Expected 2 arguments/m;
      const planned = await edit(client, 'apply_edits', { edits, dry_run: true });
      expect(planned.text).toStartWith('Nothing was changed. The edit would change 2 files:\n');
      expect(planned.text).toMatch(problem);
      const made = await edit(client, 'apply_edits', { edits });
      expect(made.blocks.join('\n')).toMatch(problem);
      expect(made.blocks.join('\n')).not.toContain('not checked');
    },
    timeoutMs,
  );

  test(
    'is refused if it deletes a member that only the last of many files needs',
    async () => {
      const count = 105;
      const users = numbered(count, (number) =>
        number === count
          ? "import type { Box } from './shop';\n\nexport const boxOf = (key: 'one' | 'two') => (box: Box) => box[key];\n"
          : "export const word = 'one';\n",
      );
      const shop = 'export interface Box {\n  one?: number;\n  two: number;\n}\n';
      const { workspace, client } = await openShared({ ...settings, 'shop.ts': shop, ...users }, { config });
      const target = { name_path_pattern: 'Box/one', relative_path: 'shop.ts' };
      const refused = await client.call('safe_delete_symbol', target);
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(`\`user${count}.ts\` 2: `) });
      expect(workspace.read('shop.ts')).toBe(shop);
    },
    timeoutMs,
  );

  test(
    'is checked while the call has time, by a server that needs most of it',
    async () => {
      const held = join(makeTempDir(), 'held');
      const files = { 'a.py': 'def f():\n    pass\n', 'b.py': 'def g():\n    pass\n' };
      const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', ...files });
      await using client = await heldClient(project, { held, tool_timeout: 25 });
      const edits = replacements(files, 'pass', 'trial');
      const planned = client.call('apply_edits', { edits, dry_run: true });
      while (!existsSync(`${held}.asked`)) await pause(50);
      await pause(8_000);
      writeFileSync(held, '');
      expect((await planned).text).toStartWith('Nothing was changed. The edit would change 2 files:\n');
    },
    timeoutMs,
  );

  test(
    'is checked if the server reports warnings, and not soon whether they are new',
    async () => {
      const held = join(makeTempDir(), 'never');
      const text = 'def trial():\n    doubt\n';
      const files = { 'a.py': text, 'b.py': text };
      const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', ...files });
      await using client = await heldClient(project, { held, tool_timeout: 25 });
      const edits = replacements(files, 'trial', 'made');
      const planned = await client.call('apply_edits', { edits, dry_run: true });
      expect(planned.text).toStartWith('Nothing was changed. The edit would change 2 files:\n');
      expect(planned.text).toContain('No new problems in 2 compared files.');
    },
    timeoutMs,
  );

  test(
    'names in its first line the files that were not checked in the time of the call',
    async () => {
      const held = join(makeTempDir(), 'never');
      const files = { 'a.py': 'def f():\n    pass\n', 'b.py': 'def g():\n    pass\n' };
      const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', ...files });
      await using client = await heldClient(project, { held, tool_timeout: 12 });
      const edits = replacements(files, 'pass', 'trial');
      const planned = await client.call('apply_edits', { edits, dry_run: true });
      expect(planned.blocks).toHaveLength(1);
      expect(planned.text).toStartWith(
        'Nothing was changed. The edit would change 2 files; not checked for new problems: `a.py`, `b.py`:\n',
      );
      const { blocks } = await client.call('apply_edits', { edits });
      expect(blocks).toHaveLength(1);
      expect(blocks[0]?.split('\n')[0]).toEndWith('; not checked for new problems: `a.py`, `b.py`');
      expect(project.read('b.py')).toContain('trial');
    },
    timeoutMs,
  );
});

test(
  'the exit code of a rename says if places remain open',
  async () => {
    const text =
      'class Basket:\n    def total(self) -> int:\n        return 1\n\n\ndef double(basket: Basket) -> int:\n    return 2 * basket.total()\n';
    const open = '\n\ndef use(basket):\n    return basket.total()\n';
    const project = makeWorkspace({ '.serena/project.yml': 'languages: [python]\n', 'shop.py': text });
    const rename = (name: string, newName: string) =>
      runProgram(['rename', `shop.py#Basket/${name}`, newName], { cwd: project.root, env: ownHome(), timeoutMs });
    expect(await rename('total', 'sum')).toMatchObject({ code: 0, stderr: '' });
    project.write('shop.py', text + open);
    const renamed = await rename('total', 'sum');
    expect(renamed).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(
        /^Renamed `Basket\/total` to `sum`: 1 file changed, 2 places in `shop.py`; incomplete: 1 open\nOpen:\n.*:\n {4}\[1\] shop.py:11: return basket.total\(\)\n.* serena rename shop.py#Basket\/sum sum --also 1\n$/,
      ),
    });
    expect(renamed.stderr).toBe('');
  },
  timeoutMs,
);
