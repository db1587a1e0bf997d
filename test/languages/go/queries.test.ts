// Questions about Go code: what is expected of each server, in this language.

import { go as gopls } from '../../../src/languages/go/servers.ts';
import { testCrossCheck } from '../../support/language-tests/cross-check.ts';
import { testDiagnostics } from '../../support/language-tests/diagnostics.ts';
import { testFormatCode } from '../../support/language-tests/format-code.ts';
import { testHierarchies } from '../../support/language-tests/hierarchies.ts';
import { testShortAnswers } from '../../support/language-tests/short-answers.ts';
import { testedBy } from '../../support/language-tests/tested.ts';
import { testTypesOfNames } from '../../support/language-tests/types-of-names.ts';
import { testUnused } from '../../support/language-tests/unused.ts';

const go = testedBy(gopls);

testHierarchies(go, 'go', [
  {
    of: ['FormatAmount', 'shop/helper.go'],
    kind: 'callers',
    expected: [
      'broken/broken.go Price 6',
      'shop/checkout.go Checkout 5',
      '  shop/checkout.go Sale 10',
      'shop/receipt.go Receipt/Render 9',
    ],
  },
  {
    of: ['Checkout', 'shop/checkout.go'],
    kind: 'callees',
    expected: ['shop/discount.go Discount/Apply 5', 'shop/helper.go FormatAmount 9', 'shop/helper.go Basket/Total 27'],
  },
  {
    of: ['Discount', 'shop/discount.go'],
    kind: 'subtypes',
    expected: ['shop/discount.go HalfOff 9', 'shop/discount.go Flat 17'],
  },
  { of: ['Flat', 'shop/discount.go'], kind: 'supertypes', expected: ['shop/discount.go Discount 3'] },
]);

testShortAnswers(go, {
  directory: 'shop',
  helper: 'shop/helper.go',
  user: 'shop/checkout.go',
  popular: 'FormatAmount',
  method: 'Basket/Total',
  discount: ['shop/discount.go', 'Discount/Apply'],
});

testCrossCheck(go, {
  files: {
    'go.mod': 'module example.test/plat\n\ngo 1.21\n',
    'plat/plat.go': `package plat

// Helper is used everywhere.
func Helper() int { return 1 }

// OnlyWindows is used on Windows.
func OnlyWindows() int { return 2 }

// OnlyTagged is used with a build tag.
func OnlyTagged() int { return 3 }

// Alone is not used: "Alone".
func Alone() string { return "Alone" }

func use() int { return Helper() }
`,
    'plat/p_windows.go': 'package plat\n\nfunc win() int { return Helper() + OnlyWindows() }\n',
    'plat/tagged.go': '//go:build special\n\npackage plat\n\nfunc tagged() int { return Helper() + OnlyTagged() }\n',
  },
  questions: [
    {
      symbol: 'Helper',
      file: 'plat/plat.go',
      lines: { 'plat/p_windows.go': [2], 'plat/plat.go': [14] },
      open: ['plat/tagged.go:4'],
    },
    { symbol: 'OnlyWindows', file: 'plat/plat.go', lines: { 'plat/p_windows.go': [2] } },
    { symbol: 'OnlyTagged', file: 'plat/plat.go', lines: {}, open: ['plat/tagged.go:4'] },
    { symbol: 'Alone', file: 'plat/plat.go', lines: {} },
  ],
});

testDiagnostics(go, {
  files: { 'go.mod': 'module example.com/p\n\ngo 1.21\n' },
  helper: 'helper.go',
  changedHelper: 'package p\n\nfunc Make() string {\n\treturn "a"\n}\n',
  user: 'user.go',
  wrong: '\nfunc Wrong() int {\n\treturn "a"\n}\n',
  wrongTold: '1 Wrong 5: IncompatibleAssign',
  userTold: '1 <file> 2: IncompatibleAssign',
  unparsable: '\nfunc broken( {\n\treturn 1\n}\n',
  hinted: [
    'hinted/hinted.go',
    'package hinted\n\nimport "fmt"\n\nfunc F() {\n\tfmt.Printf("%d\\n", "x")\n}\n',
    ['2 F 5: default'],
  ],
  helperText: 'package p\n\nfunc Make() int {\n\treturn 1\n}\n',
  userText: 'package p\n\nvar Value int = Make()\n',
});

testTypesOfNames(go, {
  files: {
    'go.mod': 'module example.test/types\n\ngo 1.21\n',
    'basket.go':
      'package types\n\n// Basket has things.\ntype Basket struct{ Size int }\n\n// Crate has a lid.\ntype Crate interface{ Lid() bool }\n',
    'use.go':
      'package types\n\nfunc made(crate Crate) (*Basket, bool) {\n\town := &Basket{}\n\tall := []*Basket{own}\n\treturn all[0], crate.Lid()\n}\n',
  },
  file: 'use.go',
  types: {
    '(own) :=': ['basket.go Basket'],
    'made\\((crate)': ['basket.go Crate'],
    'return (all)': ['basket.go Basket'],
  },
});

testUnused(go, {
  files: {
    'go.mod': 'module example.test/unused\n\ngo 1.21\n',
    'main.go': `package main

import "fmt"

type basket struct{ size int }

func (b basket) total() int { return 1 }

func (b basket) weigh() int { return 2 }

func (b basket) String() string { return "" }

func tested() int { return 1 }

const unused = 1

type command struct{}

func (c command) Run() error { return nil }

func register() int { return 1 }

var started = register()

var errGone = fmt.Errorf("gone")

func main() { fmt.Println(basket{}.total(), command{}) }
`,
    'other_plan9.go': 'package main\n\nfunc elsewhere() {}\n',
    'main_test.go': 'package main\n\nimport "testing"\n\nfunc TestIt(t *testing.T) { tested() }\n',
    'lib/lib.go':
      'package lib\n\nfunc Exported() int { return hidden() }\n\nfunc hidden() int { return 1 }\n\nfunc lonely() int { return 1 }\n',
  },
  found: [
    'unused: lonely',
    'unused: basket/weigh',
    'unused: unused',
    'unused: errGone',
    'unused: elsewhere',
    'tests: tested',
    'undecided: Exported: other projects can use it',
    'undecided: basket/String: it overrides or implements `String` (`context/context.go:531`), `String` (`fmt/print.go:63`), `String` (`runtime/error.go:203`), and calls of that may run it',
    'undecided: command/Run: members of this name are called by parsers of command lines',
    'undecided: started: its initial value may do something besides',
  ],
});

testFormatCode(go, {
  files: {
    'go.mod': 'module example.test/format\n\ngo 1.21\n',
    'main.go': 'package main\n\nfunc one( ) int {return 1}\n\nfunc main( ) {\n  one( )\n}\n',
  },
  file: 'main.go',
  lines: [2, 2],
  partly: 'package main\n\nfunc one() int { return 1 }\n\nfunc main( ) {\n  one( )\n}\n',
  whole: 'package main\n\nfunc one() int { return 1 }\n\nfunc main() {\n\tone()\n}\n',
});
