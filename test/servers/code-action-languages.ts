import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { go } from '../../src/languages/go/servers.ts';
import { python } from '../../src/languages/python/servers.ts';
import { rust } from '../../src/languages/rust/servers.ts';
import { typescript } from '../../src/languages/typescript/servers.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { findJdtls } from '../support/jdtls.ts';
import { whyNoRustAnalyzer } from '../support/rust.ts';
import { whyNoGo } from '../support/skip.ts';

const tsc = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules/.bin/tsc');
const jdtls = findJdtls();

/** An action to list and apply, which a step of the test does. */
export interface Step {
  readonly at: Readonly<Record<string, unknown>>;
  /** The listed actions: kind and title, with the diagnostic. */
  readonly offers: readonly string[];
  /** The action to apply, with the answer and the changed files. */
  readonly applies?: string;
  readonly answer?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A project, and the actions that its server offers, one after the other. */
export interface Language {
  readonly spec?: ServerSpec;
  readonly whyNot?: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** Fails unless the project compiles. */
  readonly compile: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export const languages: Readonly<Record<string, Language>> = {
  TypeScript: {
    spec: typescript,
    files: {
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","types":[]},"include":["src"]}',
      'package.json': '{"type":"module"}',
      'src/units.ts': "export const unit = 'EUR';\nexport const other = 1;\n",
      'src/prices.ts':
        "import { unit, other } from './units.js';\n\nexport interface Price {\n  amount: number;\n}\n\nexport function price(amount: number): Price {\n  const rounded = Math.round(amount);\n  return { amount: rounded };\n}\n\nexport const label = (p: Price) => p.amount + unit;\n",
      'src/main.ts':
        "import { label, price } from './prices.js';\n\nlabel(price(1));\nlabel({ amount: unit.length });\n",
    },
    steps: [
      {
        at: { relative_path: 'src/main.ts' },
        offers: [
          'quickfix: Add import from "./units.js" (Cannot find name \'unit\'.)',
          'source.fixAll.ts: Fix all fixable JS/TS issues',
        ],
        applies: 'Add import',
        answer: 'Applied "Add import from "./units.js""; changed: src/main.ts.',
      },
      {
        at: { relative_path: 'src/prices.ts', kind: 'source' },
        offers: [
          'source.organizeImports.ts: Organize Imports',
          'source.sortImports.ts: Sort Imports',
          'source.removeUnusedImports.ts: Remove Unused Imports',
        ],
        applies: 'Remove Unused',
        answer: 'Applied "Remove Unused Imports"; changed: src/prices.ts.',
      },
      {
        at: { relative_path: 'src/prices.ts', name_path: 'price' },
        offers: [
          'refactor.rewrite.export.default: Convert named export to default export',
          'refactor.move.newFile: Move to a new file',
          'refactor.rewrite.parameters.toDestructured: Convert parameters to destructured object',
        ],
        applies: 'Move to a new file',
        answer: 'Applied "Move to a new file"; changed: src/main.ts, src/price.ts, src/prices.ts.',
        files: {
          'src/main.ts':
            "import { label } from './prices.js';\nimport { price } from './price.js';\nimport { unit } from './units.js';\n\nlabel(price(1));\nlabel({ amount: unit.length });\n",
          'src/prices.ts':
            "import { unit } from './units.js';\n\nexport interface Price {\n  amount: number;\n}\n\nexport const label = (p: Price) => p.amount + unit;\n",
        },
      },
      {
        at: { relative_path: 'src/price.ts', selected_text: 'Math.round(amount)', kind: 'refactor.extract' },
        offers: [
          "refactor.extract.function: Extract to inner function in function 'price'",
          'refactor.extract.function: Extract to function in module scope',
          'refactor.extract.constant: Extract to constant in enclosing scope',
        ],
        applies: 'module scope',
        answer: 'Applied "Extract to function in module scope"; changed: src/price.ts.',
      },
      {
        at: { relative_path: 'src', name_path: 'price/rounded', kind: 'refactor.inline' },
        offers: ['refactor.inline.variable: Inline variable'],
        applies: 'Inline',
        answer: 'Applied "Inline variable"; changed: src/price.ts.',
        files: {
          'src/price.ts':
            "import { Price } from './prices.js';\n\n\nexport function price(amount: number): Price {\n  return { amount: newFunction(amount) };\n}\n\nfunction newFunction(amount: number) {\n  return Math.round(amount);\n}\n",
        },
      },
    ],
    compile: [tsc, '-p', '.'],
  },
  Python: {
    spec: python,
    files: {
      'price.py':
        'import sys\nimport os\n\n\ndef price(n: int) -> int:\n    return n + 1\n\n\nprint(os.sep, price(1))\n',
    },
    // pyright has no refactorings, and its fixes are about type stubs.
    steps: [
      { at: { relative_path: 'price.py' }, offers: [] },
      { at: { relative_path: 'price.py', kind: 'source.organizeImports' }, offers: [] },
      { at: { relative_path: 'price.py', name_path: 'price' }, offers: [] },
    ],
    compile: ['python3', 'price.py'],
  },
  Go: {
    spec: go,
    whyNot: whyNoGo(),
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
  },
  Rust: {
    spec: rust,
    whyNot: whyNoRustAnalyzer(),
    files: {
      'Cargo.toml': '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/main.rs':
        'mod shop;\n\nfn main() {\n    let six = shop::twice(3);\n    println!("{} {}", shop::price(2), six);\n    let m: HashMap<u32, u32> = Default::default();\n    println!("{}", m.len());\n}\n',
      'src/shop.rs':
        'pub fn twice(n: u32) -> u32 {\n    n * 2\n}\n\npub fn price(n: u32) -> u32 {\n    let x = twice(n) + 1;\n    x + twice(x)\n}\n\npub mod parts {\n    pub fn count() -> u32 {\n        super::price(1)\n    }\n}\n',
    },
    steps: [
      {
        at: { relative_path: 'src/main.rs', name_path: 'main', selected_text: 'HashMap' },
        offers: [
          'quickfix: Import `std::collections::HashMap`',
          'refactor.extract: Extract type as type alias',
          'quickfix: Qualify as `std::collections::HashMap`',
        ],
        applies: 'Import',
        answer: 'Applied "Import `std::collections::HashMap`"; changed: src/main.rs.',
      },
      {
        at: { relative_path: 'src/shop.rs', name_path: 'twice', kind: 'refactor.inline' },
        offers: ['refactor.inline: Inline into all callers'],
        applies: 'Inline',
        answer: 'Applied "Inline into all callers"; changed: src/main.rs, src/shop.rs.',
      },
      {
        at: { relative_path: 'src/shop.rs', name_path: 'parts', kind: 'refactor.extract' },
        offers: [
          'refactor.extract: Extract module to file',
          'refactor.extract: Extract into variable',
          'refactor.extract: Extract Module',
        ],
        applies: 'module to file',
        answer: 'Applied "Extract module to file"; changed: src/shop.rs, src/shop/parts.rs.',
        files: {
          'src/shop.rs':
            '\n\npub fn price(n: u32) -> u32 {\n    let x = n * 2 + 1;\n    x + x * 2\n}\n\npub mod parts;\n',
          'src/shop/parts.rs': 'pub fn count() -> u32 {\n    super::price(1)\n}\n',
        },
      },
    ],
    compile: ['cargo', 'check', '--offline', '--quiet'],
  },
  'C++': {
    spec: cpp,
    files: {
      'compile_flags.txt': '-Iinclude\n',
      'include/shop.hpp': '#pragma once\nclass Price {\npublic:\n  int of(int n) { return n + 1; }\n};\n',
      'main.cpp':
        '#include "shop.hpp"\n#include <string>\nint main() {\n  Price p;\n  int x = p.of(1) + p.of(2)\n  return x;\n}\n',
    },
    steps: [
      {
        at: { relative_path: 'main.cpp' },
        offers: [
          "quickfix: insert ';' (Expected ';' at end of declaration (fix available))",
          'quickfix: remove #include directive (Included header string is not used directly (fix available))',
        ],
        applies: 'insert',
        answer: 'Applied "insert \';\'"; changed: main.cpp.',
      },
      {
        at: { relative_path: 'main.cpp', name_path: 'main', selected_text: 'p.of(1)' },
        offers: ['refactor: Extract subexpression to variable', 'refactor: Swap operands to +'],
        applies: 'Extract',
        answer: 'Applied "Extract subexpression to variable"; changed: main.cpp.',
        files: {
          'main.cpp':
            '#include "shop.hpp"\n#include <string>\nint main() {\n  Price p;\n  auto placeholder = p.of(1);\n  int x = placeholder + p.of(2);\n  return x;\n}\n',
        },
      },
    ],
    compile: ['g++', '-fsyntax-only', '-Iinclude', 'main.cpp'],
  },
  Java: {
    ...('bin' in jdtls ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` } } : { whyNot: jdtls.whyNot }),
    files: {
      'src/shop/Price.java':
        'package shop;\n\nimport java.util.List;\nimport java.util.Map;\n\npublic class Price {\n    public static int of() { return 1; }\n    List<String> names;\n    int sum(int n) {\n        int twice = n * 2;\n        return twice + of();\n    }\n}\n',
      'src/app/App.java': 'package app;\n\nimport shop.Price;\n\npublic class App {\n    int price = Price.of();\n}\n',
      '.project':
        '<projectDescription><name>p</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>\n',
      '.classpath':
        '<classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>\n',
    },
    steps: [
      {
        at: { relative_path: 'src/shop/Price.java', kind: 'source.organizeImports' },
        offers: ['source.organizeImports: Organize imports'],
        applies: 'Organize',
        answer: 'Applied "Organize imports"; changed: src/shop/Price.java.',
      },
      {
        at: { relative_path: 'src/shop/Price.java', name_path: 'Price/of' },
        offers: ['refactor.inline: Inline Method'],
        applies: 'Inline',
        answer: 'Applied "Inline Method"; changed: src/app/App.java, src/shop/Price.java.',
      },
      {
        at: {
          relative_path: 'src/shop/Price.java',
          name_path: 'Price/sum',
          selected_text: 'n * 2',
          kind: 'refactor.extract',
        },
        offers: [
          'refactor.extract.variable: Extract to local variable (replace all occurrences)',
          'refactor.extract.field: Extract to field',
          'refactor.extract.variable: Extract to local variable',
          'refactor.extract.function: Extract to method',
        ],
        applies: 'to method',
        answer: 'Applied "Extract to method"; changed: src/shop/Price.java.',
        files: {
          'src/shop/Price.java':
            'package shop;\n\nimport java.util.List;\n\npublic class Price {\n    List<String> names;\n    int sum(int n) {\n        int twice = extracted(n);\n        return twice + 1;\n    }\n\tprivate int extracted(int n) {\n\t\treturn n * 2;\n\t}\n}\n',
        },
      },
    ],
    compile: ['javac', '-d', 'out', 'src/app/App.java', '-sourcepath', 'src'],
  },
};
