import { beforeAll, describe, expect } from 'bun:test';
import { go } from '../../../src/languages/go/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { expectClearError } from '../../support/clear.ts';
import { expectCompiles } from '../../support/compiles.ts';
import { trustedWithActions } from '../../support/language-tests/code-actions.ts';
import { openShared, type SharedSession } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

const timeoutMs = 300_000;
const place = (name_path: string, relative_path: string, new_relative_path: string) => ({
  name_path,
  relative_path,
  new_relative_path,
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
      const { workspace: project, client } = await open(files);
      expect(await client.ask('move_symbol', place('Price', 'shop/item.go', 'shop/helper.go'))).toBe(
        'Moved `Price` from `shop/item.go` to `shop/helper.go`: 2 files changed, 4 places; complete\nFiles:\n  shop/helper.go: 2\n  shop/item.go: 2',
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
      const { workspace: project, client } = await open({
        ...files,
        'shop/clash.go': 'package shop\n\nimport str "strconv"\n\nvar _ = str.Itoa\n',
      });
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

function open(files: Readonly<Record<string, string>>): Promise<SharedSession> {
  return openShared(files, { config: trustedWithActions });
}
