// Edits of Go code: what is expected of each server, in this language.
import { go as gopls } from '../../../src/languages/go/servers.ts';
import { testCleanEdits } from '../../support/language-tests/clean-edits.ts';
import { testCodeActions } from '../../support/language-tests/code-actions.ts';
import { testFormatting } from '../../support/language-tests/formatting.ts';
import { testInsertions } from '../../support/language-tests/insertions.ts';
import { testMovedFiles } from '../../support/language-tests/moved-files.ts';
import { testOneLineMembers } from '../../support/language-tests/one-line-members.ts';
import { testedBy } from '../../support/language-tests/tested.ts';

const go = testedBy(gopls);

testCodeActions(go, {
  files: {
    'go.mod': 'module example.test/p\n\ngo 1.21\n',
    'shop/helper.go':
      'package shop\n\nimport "fmt"\nimport "os"\n\ntype Item struct{ N int }\n\nfunc Price(i Item) int {\n\tx := i.N + 1\n\tfmt.Println(x)\n\treturn x * 2\n}\n\nfunc Twice(n int) int { return n * 2 }\n\nfunc Sum() int {\n\treturn Twice(4) + strings.Count("a", "b")\n}\n',
    'main.go':
      'package main\n\nimport "example.test/p/shop"\n\nfunc main() { println(shop.Price(shop.Item{}), shop.Twice(1)) }\n',
  },
  steps: [
    {
      at: { relative_path: 'shop/helper.go' },
      offers: ['quickfix: Add import: "strings" (undefined: strings)', 'source.organizeImports: Organize Imports'],
      applies: 'Organize Imports',
      answer: 'Applied "Organize Imports"; changed: shop/helper.go.',
    },
    {
      at: { relative_path: 'shop/helper.go', name_path: 'Sum', selected_text: 'Twice(4)' },
      offers: ['refactor.extract.variable: Extract variable', 'refactor.inline.call: Inline call to Twice'],
      applies: 'Inline call',
      answer: 'Applied "Inline call to Twice"; changed: shop/helper.go.',
    },
    {
      at: { relative_path: 'shop/helper.go', name_path: 'Item', kind: 'refactor.extract' },
      offers: ['refactor.extract.toNewFile: Extract declarations to new file'],
      applies: 'new file',
      answer: 'Applied "Extract declarations to new file"; changed: shop/helper.go, shop/item.go.',
      files: {
        'shop/item.go': 'package shop\n\ntype Item struct{ N int }\n',
        'shop/helper.go':
          'package shop\n\nimport (\n\t"fmt"\n\t"strings"\n)\n\nfunc Price(i Item) int {\n\tx := i.N + 1\n\tfmt.Println(x)\n\treturn x * 2\n}\n\nfunc Twice(n int) int { return n * 2 }\n\nfunc Sum() int {\n\treturn 4 * 2 + strings.Count("a", "b")\n}\n',
      },
    },
  ],
  compile: ['go', 'build', '-o', '/dev/null', './...'],
});

testFormatting(go, {
  server: 'gopls',
  file: 'a.go',
  files: { 'go.mod': 'module example.test/a\n\ngo 1.21\n' },
  code: 'package a\n\nfunc  first( ) int {return 1}\n',
  symbol: 'first',
  body: 'func  added( ) int {\nif true {\nreturn 2 }\n  return 3\n}',
  after:
    'package a\n\nfunc  first( ) int {return 1}\n\nfunc added() int {\n\tif true {\n\t\treturn 2\n\t}\n\treturn 3\n}\n',
  before:
    'package a\n\nfunc added() int {\n\tif true {\n\t\treturn 2\n\t}\n\treturn 3\n}\n\nfunc  first( ) int {return 1}\n',
  replaced: 'package a\n\nfunc added() int {\n\tif true {\n\t\treturn 2\n\t}\n\treturn 3\n}\n',
});

testMovedFiles(go, {
  files: {
    'go.mod': 'module example.test/p\n\ngo 1.21\n',
    'shop/helper.go': 'package shop\n\nfunc Price() int { return 1 }\n',
    'main.go':
      'package main\n\nimport (\n\t"fmt"\n\n\t"example.test/p/shop"\n)\n\nfunc main() { fmt.Println(shop.Price()) }\n',
  },
  moves: [
    {
      from: 'shop/helper.go',
      to: 'shop/price.go',
      answer: 'Moved `shop/helper.go` to `shop/price.go`; complete',
    },
    { from: 'shop/price.go', to: 'price.go', answer: 'part of another Go package', isRefused: true },
    { from: 'shop/price.go', to: 'shop/price_test.go', answer: 'which builds contain the file', isRefused: true },
    {
      from: 'shop',
      to: 'internal/store',
      answer: 'Moved `shop` to `internal/store` (1 file): 1 file changed, 1 place in `main.go`; complete',
    },
  ],
  compile: ['go', 'build', '-o', '/dev/null', './...'],
});

testInsertions(go, {
  file: 'a.go',
  files: { 'go.mod': 'module a\n' },
  name: 'Total',
  text: 'package a\n\n»// Total sums.\nfunc Total() int {\n\treturn 1\n}\n',
  body: 'var x = 1',
});

testOneLineMembers(go, {
  file: 'a.go',
  files: { 'go.mod': 'module example.test/p\n\ngo 1.21\n' },
  text: `package p

type A interface { B(); C() int }
type D struct { e, f int }
type G struct { h int; i int }
`,
  rows: [
    ['A/B', ['{ B(); C', '{ C']],
    ['A/C', ['; C() int }', '; }']],
    ['D/e', 'only a part of the statement'],
    ['D/f', 'only a part of the statement'],
    ['G/i', ['; i int }', '; }']],
  ],
});

testCleanEdits(go, {
  files: {
    'go.mod': 'module example.test/clean\n\ngo 1.21\n',
    'price.go': 'package clean\n\nfunc price(amount int) int {\n\treturn amount\n}\n',
    'shop.go': 'package clean\n\nvar total = price(1)\n',
  },
  symbol: ['price', 'price.go'],
  breaking: ['func price(amount, rate int) int {\n\treturn amount * rate\n}', 'shop.go:2: error: not enough arguments'],
  clean: 'func price(amount int) int {\n\treturn amount + 1\n}',
});
