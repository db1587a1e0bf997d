// Examples in tests, whose names name symbols: `go test` refuses those that name nothing.
import { expect } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

// Builds gopls at first use.
const timeoutMs = 15 * 60_000;

const files = {
  'go.mod': 'module example.test/store\n\ngo 1.21\n',
  'store.go':
    'package store\n\n// Store keeps one value.\ntype Store struct{ value int }\n\nfunc (s *Store) Get() int { return s.value }\n\nfunc Get() int { return 1 }\n\nfunc Open() *Store { return &Store{Get()} }\n',
  // Names `Store` nowhere else.
  'example_test.go':
    'package store_test\n\nimport (\n\t"fmt"\n\n\t"example.test/store"\n)\n\nfunc ExampleStore_Get() {\n\tfmt.Println(store.Open().Get())\n\t// Output: 1\n}\n\nfunc ExampleStore_Get_twice() {\n\tfmt.Println(store.Open().Get())\n\t// Output: 1\n}\n\nfunc ExampleStore() {\n\tfmt.Println("ExampleStore")\n\t// Output: ExampleStore\n}\n\nfunc ExampleGet() {\n\tfmt.Println(store.Get())\n\t// Output: 1\n}\n',
  'more/more_test.go': 'package more\n\ntype Store int\n\nfunc ExampleStore() {}\n',
};

testUnless(whyNoGo())(
  'a rename in Go renames the examples of the symbol, and those of its methods with a type',
  async () => {
    const { workspace, client } = await openShared(files);
    const rename = (name_path: string, new_name: string) =>
      client.call('rename_symbol', { name_path, relative_path: 'store.go', new_name });
    const names = () => workspace.read('example_test.go').match(/Example\w+/g);

    const { blocks } = await rename('Store', 'Shop');
    expect(names()).toEqual([
      'ExampleShop_Get',
      'ExampleShop_Get_twice',
      'ExampleShop',
      'ExampleStore',
      'ExampleStore',
      'ExampleGet',
    ]);
    expect(blocks[0]).toContain('example_test.go: 3');
    await rename('Shop/Get', 'Read');
    expect(names()).toEqual([
      'ExampleShop_Read',
      'ExampleShop_Read_twice',
      'ExampleShop',
      'ExampleStore',
      'ExampleStore',
      'ExampleGet',
    ]);
    expect(workspace.read('more/more_test.go')).toBe(files['more/more_test.go']);
    expect(execFileSync('go', ['test', './...'], { cwd: workspace.root, encoding: 'utf8' })).toContain(
      'ok  \texample.test/store',
    );
  },
  timeoutMs,
);
