import { beforeAll, describe, expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { go } from '../../src/languages/go/servers.ts';
import { rust } from '../../src/languages/rust/servers.ts';
import { typescript } from '../../src/languages/typescript/servers.ts';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { expectCompiles } from '../support/compiles.ts';
import { ownHome } from '../support/homes.ts';
import { findJdtls } from '../support/jdtls.ts';
import { whyNoRustAnalyzer } from '../support/rust.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { install, installTimeoutMs } from './opened.ts';

const tsc = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules/.bin/tsc');
const timeoutMs = 300_000;
const place = (name_path: string, relative_path: string, new_relative_path: string) => ({
  name_path,
  relative_path,
  new_relative_path,
});

describe('move_symbol in TypeScript', () => {
  beforeAll(() => install(typescript), installTimeoutMs);
  const files = {
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","types":[]},"include":["src"]}',
    'package.json': '{"type":"module"}',
    'src/units.ts': "export const unit = 'EUR';\n",
    'src/prices.ts':
      "import { unit } from './units.js';\n\n/** A price. */\nexport interface Price {\n  amount: number;\n}\n\nconst rate = 2;\n\n/** Returns a price. */\nexport function price(amount: number): Price {\n  return { amount: amount * rate };\n}\n\nexport const label = (p: Price) => p.amount + unit;\n\nexport const one = 1,\n  two = 2;\n",
    'src/shop/labels.ts': "export const currency = 'EUR';\n",
    'src/main.ts':
      "import { label, price } from './prices.js';\nimport * as prices from './prices.js';\n\nlabel(price(1));\nprices.label(prices.price(prices.one + prices.two));\n",
  };
  const compile = [tsc, '-p', '.'] as const;

  test(
    'moves to an existing and to a new file, corrects imports, and can be tried and undone',
    async () => {
      await using project = makeWorkspace(files);
      await using client = await start(project);
      const labels = place('label', 'src/prices.ts', 'src/shop/labels.ts');
      const tried = await client.ask('move_symbol', { ...labels, dry_run: true });
      expect(tried).toContain('The edit would change 3 files');
      expect(tried).toContain('No new problems in');
      expect(project.read('src/prices.ts')).toBe(files['src/prices.ts']);
      expect(await client.ask('move_symbol', labels)).toBe(
        'Moved `label` from `src/prices.ts` to `src/shop/labels.ts`; changed: src/main.ts, src/prices.ts, src/shop/labels.ts.',
      );
      expect(project.read('src/shop/labels.ts')).toBe(
        "import { Price } from '../prices.js';\nimport { unit } from '../units.js';\n\nexport const currency = 'EUR';\nexport const label = (p: Price) => p.amount + unit;\n",
      );
      expect(project.read('src/main.ts')).toContain("import { label } from './shop/labels.js';\n");
      expectCompiles(project, compile);
      await client.ask('move_symbol', place('price', 'src', 'src/shop/make.ts'));
      expect(project.read('src/shop/make.ts')).toContain('): Price {\n  return { amount: amount * rate };\n}\n');
      expect(project.read('src/prices.ts')).toContain('export const rate = 2;');
      expectCompiles(project, compile);
      await client.ask('edit_history', { action: 'undo', count: 2 });
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );

  test(
    'exports the name from the old file on request, and changes no user',
    async () => {
      await using project = makeWorkspace({
        ...files,
        'src/kinds.ts': 'export type Kind = 1;\ntype Own = Kind;\nexport const own: Own = 1;\n',
      });
      await using client = await start(project);
      const labels = { ...place('label', 'src/prices.ts', 'src/shop/labels.ts'), re_export: true };
      expect(await client.ask('move_symbol', labels)).toBe(
        'Moved `label` from `src/prices.ts` to `src/shop/labels.ts`; changed: src/prices.ts, src/shop/labels.ts.',
      );
      expect(project.read('src/prices.ts')).toEndWith("export { label } from './shop/labels.js';\n");
      await client.ask('move_symbol', { ...place('Price', 'src/prices.ts', 'src/shop/kinds.ts'), re_export: true });
      expect(project.read('src/prices.ts')).toEndWith("export type { Price } from './shop/kinds.js';\n");
      expect(project.read('src/main.ts')).toBe(files['src/main.ts']);
      expectCompiles(project, compile);
      const own = { ...place('Own', 'src/kinds.ts', 'src/units.ts'), re_export: true };
      expectClearError(await client.call('move_symbol', own), 'does not begin with `export`');
    },
    timeoutMs,
  );

  test(
    'refuses what cannot be moved, and changes nothing',
    async () => {
      const passing = {
        'src/passing.ts': "export * from './prices.js';\n",
        'src/user.ts': "import { label } from './passing.js';\n\nlabel({ amount: 1 });\n",
      };
      const others = { ...passing, 'src/loose.txt': '', 'other/apart.ts': 'export {};\n' };
      await using project = makeWorkspace({ ...files, ...others });
      await using client = await start(project);
      const refuse = async (call: object, ...parts: string[]) => {
        expectClearError(await client.call('move_symbol', { ...call }), ...parts);
      };
      await refuse(place('Price/amount', 'src/prices.ts', 'src/units.ts'), 'only top-level declarations');
      await refuse(place('two', 'src/prices.ts', 'src/units.ts'), 'its declaration also declares `one`');
      await refuse(place('label', 'src/prices.ts', 'src/prices.ts'), 'is in `src/prices.ts` already');
      await refuse(place('label', 'src/prices.ts', '../label.ts'), 'outside the project');
      await refuse(place('label', 'src/prices.ts', 'src/units.ts'), '`src/user.ts` 0: ', 'pass `re_export`');
      await refuse(
        place('label', 'src/prices.ts', 'node_modules/x/label.ts'),
        'is not a file of typescript-language-server',
      );
      await refuse(place('label', 'src/prices.ts', 'src/loose.txt'), 'is not a file of typescript-language-server');
      await refuse(place('label', 'src/prices.ts', 'other/apart.ts'), 'move statements to the selected file');
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );
});

describe('move_symbol in Go', () => {
  const whyNot = whyNoGo();
  beforeAll(async () => {
    if (whyNot === undefined) await install(go);
  }, installTimeoutMs);
  const files = {
    'go.mod': 'module example.test/p\n\ngo 1.21\n',
    'shop/item.go':
      'package shop\n\nimport (\n\t"fmt"\n\tstr "strings"\n)\n\n// Item is sold.\ntype Item struct{ N int }\n\ntype (\n\tA int\n\tB int\n)\n\n// Price prints a price.\nfunc Price(i Item) int {\n\tfmt.Println(str.ToUpper("price"))\n\treturn i.N\n}\n\nfunc Name() string { return str.ToLower("X") }\n',
    'shop/helper.go': 'package shop\n\nimport "fmt"\n\nfunc Help() { fmt.Println(A(1), B(2)) }\n',
    'shop/helper_windows.go': 'package shop\n',
    'shop/tagged.go': '//go:build extra\n\npackage shop\n',
    'main.go':
      'package main\n\nimport "example.test/p/shop"\n\nfunc main() {\n\tshop.Help()\n\tprintln(shop.Price(shop.Item{}), shop.Name())\n}\n',
  };

  testUnless(whyNot)(
    'moves within a package, to existing and new files',
    async () => {
      await using project = makeWorkspace(files);
      await using client = await start(project);
      expect(await client.ask('move_symbol', place('Price', 'shop/item.go', 'shop/helper.go'))).toBe(
        'Moved `Price` from `shop/item.go` to `shop/helper.go`; changed: shop/helper.go, shop/item.go.',
      );
      expect(project.read('shop/helper.go')).toBe(
        'package shop\n\nimport (\n\tstr "strings"\n)\n\nimport "fmt"\n\nfunc Help() { fmt.Println(A(1), B(2)) }\n\n// Price prints a price.\nfunc Price(i Item) int {\n\tfmt.Println(str.ToUpper("price"))\n\treturn i.N\n}\n',
      );
      expectCompiles(project, ['go', 'build', '-o', '/dev/null', './...']);
      await client.ask('move_symbol', place('Item', 'shop/item.go', 'shop/kinds.go'));
      expect(project.read('shop/kinds.go')).toBe('package shop\n\n// Item is sold.\ntype Item struct{ N int }\n');
      expectCompiles(project, ['go', 'build', '-o', '/dev/null', './...']);
      expectCompiles(project, ['go', 'vet', './...']);
      await client.ask('edit_history', { action: 'undo', count: 2 });
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );

  testUnless(whyNot)(
    'refuses other packages and builds, and parts of groups',
    async () => {
      await using project = makeWorkspace({
        ...files,
        'shop/clash.go': 'package shop\n\nimport str "strconv"\n\nvar _ = str.Itoa\n',
      });
      await using client = await start(project);
      const refuse = async (call: object, ...parts: string[]) => {
        expectClearError(await client.call('move_symbol', { ...call }), ...parts);
      };
      await refuse(place('Price', 'shop/item.go', 'main.go'), 'another Go package');
      await refuse(place('Price', 'shop/item.go', 'shop/helper_windows.go'), 'other builds');
      await refuse(place('Price', 'shop/item.go', 'shop/tagged.go'), 'other builds');
      await refuse(place('Price', 'shop/item.go', 'shop/clash.go'), 'it imports str "strconv"');
      await refuse(place('A', 'shop/item.go', 'shop/helper.go'), 'moves only whole top-level declarations');
      const again = { ...place('Price', 'shop/item.go', 'shop/helper.go'), re_export: true };
      await refuse(again, 'its package offers the name anyway');
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );
});

describe('move_symbol of servers that do not offer it refuses with what to do, in', () => {
  const jdtls = findJdtls();
  const others = [
    { name: 'Rust', spec: rust, whyNot: whyNoRustAnalyzer(), file: 'src/main.rs', text: 'fn main() {}\nfn top() {}\n' },
    { name: 'C++', spec: cpp, file: 'a.cpp', text: 'void top() {}\n' },
    {
      name: 'Java',
      ...('bin' in jdtls ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` } } : { whyNot: jdtls.whyNot }),
      file: 'src/top.java',
      text: 'class top {}\n',
    },
  ];
  for (const { name, file, text, ...more } of others) {
    const { spec, whyNot, env } = { spec: undefined, whyNot: undefined, env: undefined, ...more };
    beforeAll(async () => {
      if (whyNot === undefined && spec !== undefined) await install(spec);
    }, installTimeoutMs);
    testUnless(whyNot ?? (spec && whyNoServer(spec)))(
      name,
      async () => {
        const cargo = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n';
        await using project = makeWorkspace({ [file]: text, ...(name === 'Rust' ? { 'Cargo.toml': cargo } : {}) });
        await using client = await start(project, env);
        const to = file.replace(/\w+(\.\w+)$/, 'other$1');
        const refused = await client.call('move_symbol', place('top', file, to));
        expectClearError(refused, 'does not move symbols to other files', '`code_actions`', '`safe_delete_symbol`');
        expect(project.read(file)).toBe(text);
      },
      timeoutMs,
    );
  }
});

async function start(project: Workspace, env: Readonly<Record<string, string>> = {}): Promise<TestClient> {
  const home = ownHome({ included_optional_tools: ['move_symbol'] });
  return await startClient({ args: ['--project', project.root], env: { ...home, ...env } });
}
