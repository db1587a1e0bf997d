import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { expectClearError } from '../../support/clear.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

let client: TestClient;
let project: Workspace;

beforeAll(async () => {
  project = makeWorkspace({
    'shop/basket.py': 'class Basket:\n    def total(self):\n        return 1\n\n\ndef make():\n    return Basket()\n',
    'shop/data.json': '{"a": [1]}\n',
    'notes.txt': 'total one\ntotal two\n',
  });
  const args = ['--context', 'code-mode', '--project', project.root];
  client = await startClient({ args, env: { SERENA_HOME: makeHome({ symbol_source: 'syntax' }) } });
});
afterAll(() => client[Symbol.asyncDispose]());

const run = (code: string) => client.ask('run_code', { code });

describe('run_code', () => {
  test('is off in other contexts', async () => {
    const args = ['--project', project.root];
    await using other = await startClient({ args, env: { SERENA_HOME: makeHome() } });
    expect((await other.tools()).map(({ name }) => name)).not.toContain('run_code');
    expect((await other.call('run_code', { code: 'return 1' })).text).toContain('`run_code` is not active');
  });

  test('returns data of several tools in one call', async () => {
    const code = `
      const [symbol] = await serena.find_symbol({ name_path_pattern: 'Basket/total', include_body: true });
      const matches = await serena.search_for_pattern({ substring_pattern: 'total' });
      const { files } = await serena.list_dir({ relative_path: 'shop', recursive: true });
      return { body: symbol.body, matches: Object.keys(matches).sort(), files: files.length };`;
    expect(JSON.parse(await run(code))).toEqual({
      body: 'def total(self):\n        return 1',
      matches: ['notes.txt', 'shop/basket.py'],
      files: 2,
    });
  });

  test('gives text as text, also if it looks like data', async () => {
    expect(await run("return typeof await serena.read_file({ relative_path: 'shop/data.json' })")).toBe('string');
  });

  test('prints before it returns, and keeps variables', async () => {
    expect(await run("console.log('a', [1]); globalThis.kept = 5; return { b: 2 }")).toBe('a [1]\n{"b": 2}');
    expect(await run('return kept')).toBe('5');
  });

  test('documents its methods', async () => {
    const all = await run('return serena.help()');
    expect(all).toContain('\nfind_symbol({name_path_pattern, depth?, ');
    expect(all).not.toContain('replace_content');
    const one = await run("return serena.help('overview')");
    expect(one).toContain('get_symbols_overview(input: {');
    expect(one).toContain('  relative_path: string | string[];');
    expect(one).not.toContain('find_symbol(');
  });

  test('refuses edits, itself, and what the session may not run', async () => {
    const edit = "await serena.create_text_file({ relative_path: 'new.txt', content: '' })";
    expectClearError(await client.call('run_code', { code: edit }), 'run_code: RuntimeError: ', 'scripts only read');
    const again = await client.call('run_code', { code: "await serena.run_code({ code: '1' })" });
    expectClearError(again, 'run_code: RuntimeError: ', 'cannot run another one');
    const inactive = await client.call('run_code', { code: 'await serena.list_queryable_projects()' });
    expectClearError(inactive, 'run_code: RuntimeError: ', 'is not active');
    const unknown = await client.call('run_code', { code: "await serena.findSymbol({ name_path_pattern: 'a' })" });
    expectClearError(unknown, 'run_code: RuntimeError: ', 'find_symbol');
    expect(readFileSync(project.path('notes.txt'), 'utf8')).toBe('total one\ntotal two\n');
  });

  test('reads nothing outside the project', async () => {
    const outside = await client.call('run_code', {
      code: "return serena.read_file({ relative_path: '/etc/passwd' })",
    });
    expectClearError(outside, 'run_code: RuntimeError: ', 'outside');
  });

  test('ends an endless script and says that variables are lost', async () => {
    const endless = await client.call('run_code', { code: 'for (;;);' });
    expectClearError(endless, 'run_code: RuntimeError: ', 'variables of scripts are lost');
    expect(await run('return typeof kept')).toBe('undefined');
  });

  test('reports the gaps and notes of its calls, each once', async () => {
    await Bun.write(project.path('shop/latin.py'), Buffer.from('class Basket: # gr\u00fc\u00df\n', 'latin1'));
    const code = `
      const search = () => serena.search_for_pattern({ substring_pattern: 'class Basket' });
      await serena.find_symbol({ name_path_pattern: 'Basket/totals' });
      return Object.keys({ ...await search(), ...await search() });`;
    const { blocks } = await client.call('run_code', { code });
    expect(blocks[0]).toBe('["shop/basket.py"]');
    expect(blocks[1]).toContain('Incomplete:\n- `shop/latin.py` was not searched: ');
    expect(blocks[1]?.split('latin.py` was not searched: the text')).toHaveLength(2);
    expect(blocks[1]).toContain('Nothing matches `Basket/totals`');
  });
});
