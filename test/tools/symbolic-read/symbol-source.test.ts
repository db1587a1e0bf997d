// Who answers overviews and searches for symbols: a language server, or a syntax tree while there is none.
import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { python } from '../../../src/languages/python/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { type Answer, startClient, type TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, type Stub, stubServers } from '../../support/homes.ts';
import { findMarked } from '../../support/processes.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

/** The reason of a syntax tree's answer depends on how far the server has got within 150 ms. */
const fromSyntax = /^Source: syntax tree \(.+\)$/;

const shop = [
  ...['class Basket:', '    size = 0', '', '    def total(self, rate):', '        return self.size * rate', '', ''],
  ...['def load(path):', '    return Basket()', ''],
].join('\n');

function connect(project: Workspace, home: string, env: Readonly<Record<string, string>> = {}): Promise<TestClient> {
  const args = ['--project', project.root];
  return startClient({ args, symbolSource: 'configured', env: { SERENA_HOME: home, ...env } });
}

function stubHome(
  python: Stub | { command: readonly string[] },
  config: Readonly<Record<string, unknown>> = {},
): string {
  return makeHome({ ...stubServers({ python }), ...config });
}

const overview = (client: TestClient, file = 'shop.py') => client.call('get_symbols_overview', { relative_path: file });
const json = ({ text }: Answer): unknown => JSON.parse(text);

describe('without any language server', () => {
  interface Case {
    readonly language: string;
    readonly file: string;
    readonly text: string;
    readonly expected: unknown;
    readonly namePath: string;
    readonly body: string;
  }
  const cases: readonly Case[] = [
    {
      language: 'Python',
      file: 'shop.py',
      text: shop,
      expected: { Class: ['Basket'], Function: ['load'] },
      namePath: 'Basket/total',
      body: 'def total(self, rate):\n        return self.size * rate',
    },
    {
      language: 'TypeScript',
      file: 'shop.ts',
      text: 'export class Basket {\n  total(rate: number) {\n    return rate;\n  }\n}\n\nexport interface Shelf {\n  width: number;\n}\n',
      expected: { Class: ['Basket'], Interface: ['Shelf'] },
      namePath: 'Basket/total',
      body: 'total(rate: number) {\n    return rate;\n  }',
    },
    {
      language: 'Go',
      file: 'shop.go',
      text: 'package shop\n\ntype Basket struct {\n\tItems []int\n}\n\nfunc (b *Basket) Total(rate int) int {\n\treturn rate\n}\n\nfunc Load() {}\n',
      expected: { Struct: ['Basket'], Method: ['Basket/Total'], Function: ['Load'] },
      namePath: 'Basket/Total',
      body: 'func (b *Basket) Total(rate int) int {\n\treturn rate\n}',
    },
    {
      language: 'Rust',
      file: 'shop.rs',
      text: 'pub struct Basket;\n\nimpl Basket {\n    pub fn total(&self) -> u32 {\n        1\n    }\n}\n\npub fn load() {}\n',
      expected: { Struct: ['Basket'], Object: ['impl Basket'], Function: ['load'] },
      namePath: 'impl Basket/total',
      body: 'pub fn total(&self) -> u32 {\n        1\n    }',
    },
    {
      language: 'Java',
      file: 'Shop.java',
      text: 'package shop;\n\npublic class Shop {\n    int total(int rate) {\n        return rate;\n    }\n}\n',
      expected: { Package: ['shop'], Class: [{ Shop: { Method: ['total'] } }] },
      namePath: 'Shop/total',
      body: 'int total(int rate) {\n        return rate;\n    }',
    },
  ];
  test.each(cases)(
    '$language has overviews and bodies, offline and with an empty home',
    async ({ file, text, expected, namePath, body }) => {
      await using project = makeWorkspace({ [file]: text });
      await using client = await connect(project, makeTempDir('home'), { SERENA_OFFLINE: '1' });
      const outline = await overview(client, file);
      expect(outline.blocks).toEqual([expect.any(String), expect.stringMatching(fromSyntax)]);
      expect(json(outline)).toEqual(expected);
      const found = await client.call('find_symbol', { name_path_pattern: namePath, include_body: true });
      expect(found.blocks).toEqual([expect.any(String), expect.stringMatching(fromSyntax)]);
      expect(json(found)).toEqual([
        expect.objectContaining({ name_path: namePath, relative_path: file, body, kind: 'Method' }),
      ]);
    },
    timeoutMs,
  );

  test('names the server and what it lacks, and still fails where only a server can answer', async () => {
    await using project = makeWorkspace({ 'shop.py': shop });
    await using client = await connect(project, makeTempDir('home'), { SERENA_OFFLINE: '1' });
    const expected = 'Source: syntax tree (pyright 1.1.414 is not installed, and downloads are disabled)';
    // The first answers come before the installation has failed.
    for (const _ of Array(3)) expect((await overview(client)).blocks[1]).toBe(expected);
    const target = { name_path: 'load', relative_path: 'shop.py' };
    const renamed = await client.call('rename_symbol', { ...target, new_name: 'read' });
    expect(renamed).toMatchObject({ isError: true, text: expect.stringContaining('SERENA_OFFLINE') });
  });

  test('names the command that installs a missing server', async () => {
    await using project = makeWorkspace({ 'Cargo.toml': '[package]\nname = "a"\n', 'src/main.rs': 'fn main() {}\n' });
    const programs = makeTempDir('bin');
    for (const name of ['cargo', 'rustc']) writeFileSync(join(programs, name), '', { mode: 0o755 });
    await using client = await connect(project, makeTempDir('home'), { PATH: programs });
    const target = { name_path: 'main', relative_path: 'src/main.rs' };
    const [, source] = (await client.call('find_referencing_symbols', target)).blocks;
    expect(source).toContain('install it with `rustup component add rust-analyzer rust-src`');
  });

  test('finds functions of Swift with and without the labels of their parameters', async () => {
    const text =
      'class Zed {\n    func hop() {}\n    func hop(over other: Zed, by n: Int) {}\n}\nfunc leap(_ z: Zed) {}\n';
    await using project = makeWorkspace({ 'zed.swift': text });
    const env = { SERENA_OFFLINE: '1', PATH: '' };
    await using client = await connect(project, makeTempDir('home'), env);
    const find = async (pattern: string) => {
      const found = await client.call('find_symbol', { name_path_pattern: pattern });
      expect(found.blocks[1]).toBe(
        'Source: syntax tree (sourcekit-lsp cannot be run: cannot find sourcekit-lsp on `PATH`: it has to be installed manually; install the Swift toolchain or Xcode, which include sourcekit-lsp)',
      );
      return [...(found.blocks[0] ?? '').matchAll(/"name_path": "([^"]*)"/g)].map(([, path]) => path);
    };
    expect(await find('hop')).toEqual(['Zed/hop()', 'Zed/hop(over:by:)']);
    expect(await find('Zed/hop')).toEqual(['Zed/hop()', 'Zed/hop(over:by:)']);
    expect(await find('Zed/hop(over:by:)')).toEqual(['Zed/hop(over:by:)']);
    expect(await find('leap')).toEqual(['leap(_:)']);
  });

  test('reports definitions that syntax errors may hide', async () => {
    await using project = makeWorkspace({ 'shop.py': `${shop}\ndef broken(:\n` });
    await using client = await connect(project, makeTempDir('home'), { SERENA_OFFLINE: '1' });
    const [, second = ''] = (await overview(client)).blocks;
    expect(second).toMatch(/^Source: syntax tree \(.+\)\nIncomplete:\n- Definitions in `shop.py` may be missing: /);
  });
});

describe('while a server starts', () => {
  test('syntax trees answer; the server does once it is ready', async () => {
    await using project = makeWorkspace({ 'shop.py': shop });
    const gate = join(makeTempDir('gate'), 'open');
    await using client = await connect(project, stubHome(['waits-for-file', { file: gate }]));
    const early = await overview(client);
    expect(early.blocks[1]).toMatch(/^Source: syntax tree \(pyright .*is starting\)$/);
    const search = { name_path_pattern: 'Basket', depth: 1 };
    // The stub reports no variables.
    expect((await client.call('find_symbol', search)).text).toContain('"size"');
    writeFileSync(gate, '');
    await eventually('the server to answer', async () => (await overview(client)).blocks.length === 1);
    expect(json(await overview(client))).toEqual(json(early));
    const late = await client.call('find_symbol', search);
    expect(late.blocks).toHaveLength(1);
    expect(late.text).not.toContain('"size"');
  });

  test(
    'a name path from a syntax tree works with the server',
    async () => {
      await install(python);
      await using project = copyFixture('python');
      await using client = await connect(project, sharedHome());
      const file = 'shop/helper.py';
      const early = await client.call('find_symbol', { name_path_pattern: 'Basket', relative_path: file, depth: 1 });
      expect(json(early)).toMatchObject([{ name_path: 'Basket' }]);
      const references = await client.ask('find_referencing_symbols', { name_path: 'Basket', relative_path: file });
      expect(references).toContain('Basket');
      const late = await client.call('find_symbol', { name_path_pattern: 'Basket', relative_path: file, depth: 1 });
      expect(late.blocks).toEqual([early.text]);
    },
    installTimeoutMs,
  );

  test('a syntax tree answers in place of a server that cannot be started', async () => {
    await using project = makeWorkspace({ 'shop.py': shop });
    await using client = await connect(project, stubHome({ command: ['/nonexistent/server'] }));
    await eventually('the start to fail', async () => {
      return (await overview(client)).blocks[1] === 'Source: syntax tree (pyright failed to start)';
    });
  });
});

describe('the setting `symbol_source`', () => {
  test('`server` waits for the server', async () => {
    await using project = makeWorkspace({ 'shop.py': shop, '.serena/project.yml': 'symbol_source: server\n' });
    const gate = join(makeTempDir('gate'), 'open');
    await using client = await connect(project, stubHome(['waits-for-file', { file: gate }]));
    const waiting = overview(client);
    let isAnswered = false;
    void waiting.finally(() => {
      isAnswered = true;
    });
    await Bun.sleep(1_000);
    expect(isAnswered).toBe(false);
    writeFileSync(gate, '');
    expect((await waiting).blocks).toEqual(['{"Class": ["Basket"], "Function": ["load"]}']);
  });

  test('`syntax` starts no server', async () => {
    await using project = makeWorkspace({ 'shop.py': shop });
    await using client = await connect(project, stubHome('well-behaved', { symbol_source: 'syntax' }));
    const before = findMarked(client.mark).length;
    const block = 'Source: syntax tree (`symbol_source` is `syntax`)';
    expect((await overview(client)).blocks).toEqual(['{"Class": ["Basket"], "Function": ["load"]}', block]);
    const found = await client.call('find_symbol', { name_path_pattern: 'total' });
    expect(found.blocks).toEqual([expect.stringContaining('"Basket/total"'), block]);
    expect(findMarked(client.mark)).toHaveLength(before);
  });
});
