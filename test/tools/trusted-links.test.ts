// Symbolic links that tools follow: all of them in a trusted project; in any other, those that a path names and that stay inside.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const source = (name: string) => `def ${name}():\n    return "${name}"\n`;

/** A project beside `shared`, with links into itself and out of it. */
function makeProject(): { around: Workspace; root: string } {
  const around = makeWorkspace({
    'shared/lib.py': source('lib'),
    'shared/sub/deep.py': source('deep'),
    'project/own.py': source('own'),
    'project/pkg/inner.py': source('inner'),
  });
  const root = around.path('project');
  symlinkSync('../shared', join(root, 'out'));
  symlinkSync('../shared/lib.py', join(root, 'lib.py'));
  symlinkSync('pkg', join(root, 'alias'));
  symlinkSync('pkg/inner.py', join(root, 'inner.py'));
  return { around, root };
}

let around: Workspace;
let client: TestClient;

async function start(isTrusted: boolean): Promise<void> {
  const made = makeProject();
  around = made.around;
  const trust = isTrusted ? { trusted_project_path_patterns: [made.root] } : {};
  const home = makeHome({ ...stubServers({ python: 'well-behaved' }), ...trust });
  client = await startClient({ args: ['--project', made.root], env: { SERENA_HOME: home } });
}

const list = { relative_path: '.', recursive: true, skip_ignored_files: true };
const findAll = { relative_path: '.', file_mask: '*.py' };
const search = { substring_pattern: 'return "\\w+"' };
const withSymbols = { name_path_pattern: 'e', substring_matching: true };
/** A recursive listing without the directory of this program. */
async function listing(): Promise<{ dirs: string[]; files: string[] }> {
  const { dirs, files } = await json('list_dir', list);
  const isShown = (path: string) => !path.startsWith('.serena');
  return { dirs: dirs.filter(isShown), files: files.filter(isShown) };
}

const json = async (tool: string, args: object) => JSON.parse(await client.ask(tool, { ...args }));

describe('in an untrusted project', () => {
  beforeAll(() => start(false));
  afterAll(() => client.close());

  test('no walk shows a link or its target', async () => {
    expect(await listing()).toEqual({ dirs: ['pkg'], files: ['own.py', 'pkg/inner.py'] });
    expect(await json('find_file', findAll)).toEqual({ files: ['own.py', 'pkg/inner.py'] });
    expect(Object.keys(await json('search_for_pattern', search))).toEqual(['own.py', 'pkg/inner.py']);
    const found = await json('find_symbol', withSymbols);
    expect(found.map(({ relative_path }: { relative_path: string }) => relative_path)).toEqual(['pkg/inner.py']);
  });

  test('a named link that stays inside is read and written through', async () => {
    expect(await client.ask('read_file', { relative_path: 'inner.py' })).toBe(source('inner'));
    expect(await json('list_dir', { ...list, relative_path: 'alias' })).toEqual({
      dirs: [],
      files: ['alias/inner.py'],
    });
    expect(Object.keys(await json('search_for_pattern', { ...search, relative_path: 'alias' }))).toEqual([
      'alias/inner.py',
    ]);
    expect(await client.ask('get_symbols_overview', { relative_path: 'alias/inner.py' })).toBe(
      '{"Function": ["inner"]}',
    );
    const edit = { needle: 'return', repl: 'yield', mode: 'literal' };
    await client.ask('replace_content', { ...edit, relative_path: 'inner.py' });
    expect(around.read('project/pkg/inner.py')).toContain('yield "inner"');
    expect(lstatSync(around.path('project/inner.py')).isSymbolicLink()).toBe(true);
    await client.ask('replace_content', {
      needle: 'yield',
      repl: 'return',
      mode: 'literal',
      relative_path: 'inner.py',
    });
  });

  test.each(['out/lib.py', 'lib.py', 'out/new.py'])('a named link that leads out is rejected: %s', async (path) => {
    const refused = ['ValueError: ', 'is outside the project', 'a symlink leads to', 'hint: '];
    expectClearError(await client.call('read_file', { relative_path: path }), ...refused);
    expectClearError(await client.call('create_text_file', { relative_path: path, content: 'x' }), ...refused);
    expect(around.read('shared/lib.py')).toBe(source('lib'));
  });
});

describe('in a trusted project', () => {
  beforeAll(() => start(true));
  afterAll(() => client.close());

  test('walks show links and enter them, each file once', async () => {
    expect(await listing()).toEqual({
      dirs: ['alias', 'out', 'out/sub', 'pkg'],
      files: ['inner.py', 'lib.py', 'out/lib.py', 'out/sub/deep.py', 'own.py', 'pkg/inner.py'],
    });
    expect(await json('find_file', findAll)).toEqual({
      files: ['inner.py', 'lib.py', 'out/lib.py', 'out/sub/deep.py', 'own.py', 'pkg/inner.py'],
    });
    expect(Object.keys(await json('search_for_pattern', search))).toEqual([
      'out/lib.py',
      'out/sub/deep.py',
      'own.py',
      'pkg/inner.py',
    ]);
    const found = await json('find_symbol', withSymbols);
    expect(found.map(({ relative_path }: { relative_path: string }) => relative_path)).toEqual([
      'out/sub/deep.py',
      'pkg/inner.py',
    ]);
  });

  test('the target of a link out of it is read and written', async () => {
    expect(await client.ask('read_file', { relative_path: 'out/lib.py' })).toBe(source('lib'));
    expect(await client.ask('get_symbols_overview', { relative_path: 'lib.py' })).toBe('{"Function": ["lib"]}');
    await client.ask('replace_content', {
      needle: 'lib',
      repl: 'LIB',
      mode: 'literal',
      allow_multiple_occurrences: true,
      relative_path: 'lib.py',
    });
    expect(around.read('shared/lib.py')).toBe(source('LIB'));
    expect(lstatSync(around.path('project/lib.py')).isSymbolicLink()).toBe(true);
    await client.ask('create_text_file', { relative_path: 'out/made/new.py', content: 'x = 1\n' });
    expect(around.read('shared/made/new.py')).toBe('x = 1\n');
    await client.ask('replace_in_files', { needle: 'return', repl: 'yield', mode: 'literal' });
    expect(around.read('shared/sub/deep.py')).toContain('yield');
    expect(around.read('project/own.py')).toContain('yield');
  });

  test('a path that leaves it without a link is rejected', async () => {
    const answer = await client.call('read_file', { relative_path: '../shared/lib.py' });
    expectClearError(answer, 'ValueError: ', 'is outside the project');
  });
});

describe('results of a language server behind a link out of the project', () => {
  const references = { name_path: 'own', relative_path: 'own.py' };

  test.each([
    [false, []],
    [true, ['out/lib.py']],
  ])('is kept where the project is trusted: %p', async (isTrusted, expected) => {
    const made = makeProject();
    const range = { start: { line: 0, character: 4 }, end: { line: 0, character: 7 } };
    const answer = ['project/out/lib.py', 'shared/sub/deep.py'].map((path) => ({
      uri: pathToFileURL(made.around.path(path)).href,
      range,
    }));
    const stub = ['answers-oddly', { method: 'textDocument/references', answer: JSON.stringify(answer) }] as const;
    const trust = isTrusted ? { trusted_project_path_patterns: [made.root] } : {};
    const home = makeHome({ ...stubServers({ python: stub }), ...trust });
    await using asking = await startClient({ args: ['--project', made.root], env: { SERENA_HOME: home } });
    const found = await asking.call('find_referencing_symbols', references);
    expect(Object.keys(JSON.parse(found.text))).toEqual(expected);
    expect(found.blocks.length).toBe(1);
  });
});
