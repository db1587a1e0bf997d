// Edits of TypeScript code: what is expected of each server, in this language.

import { expect, test } from 'bun:test';
import { typescript as tsserver, typescriptNative } from '../../../src/languages/typescript/servers.ts';
import { checkTypes } from '../../support/compiles.ts';
import { testCapturedNames } from '../../support/language-tests/captured-names.ts';
import { testCleanEdits } from '../../support/language-tests/clean-edits.ts';
import { testCodeActions } from '../../support/language-tests/code-actions.ts';
import { testFormatting } from '../../support/language-tests/formatting.ts';
import { testInsertions } from '../../support/language-tests/insertions.ts';
import { testMovedFiles } from '../../support/language-tests/moved-files.ts';
import { testOneLineMembers } from '../../support/language-tests/one-line-members.ts';
import { testOverridingDeletions } from '../../support/language-tests/overriding-deletions.ts';
import { testedBy } from '../../support/language-tests/tested.ts';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const typescript = testedBy(tsserver);

testCodeActions(typescript, {
  files: {
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","types":[]},"include":["src"]}',
    'package.json': '{"type":"module"}',
    'src/units.ts': "export const unit = 'EUR';\nexport const other = 1;\n",
    'src/prices.ts':
      "import { unit, other } from './units.js';\n\nexport interface Price {\n  amount: number;\n}\n\nexport function price(amount: number): Price {\n  const rounded = Math.round(amount);\n  return { amount: rounded };\n}\n\nexport const label = (p: Price) => p.amount + unit;\n",
    'src/main.ts': "import { label, price } from './prices.js';\n\nlabel(price(1));\nlabel({ amount: unit.length });\n",
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
  compile: checkTypes,
});

const uglyTs = 'export function  first( ){return 1}\n';
const codeOfTypeScript = {
  code: `class A {\n  x = 1;\n}\n${uglyTs}`,
  symbol: 'first',
  body: 'export function added( ){\nif( true ){return 2}\n      return 3 }',
  after: `class A {\n  x = 1;\n}\n${uglyTs}\nexport function added() {\n  if (true) { return 2 }\n  return 3\n}\n`,
  before: `class A {\n  x = 1;\n}\nexport function added() {\n  if (true) { return 2 }\n  return 3\n}\n\n${uglyTs}`,
  replaced: 'class A {\n  x = 1;\n}\nexport function added() {\n  if (true) { return 2 }\n  return 3\n}\n',
};
testFormatting(typescript, {
  server: 'typescript-language-server',
  file: 'a.ts',
  files: { 'tsconfig.json': '{}' },
  ...codeOfTypeScript,
});

testFormatting(testedBy(typescriptNative), {
  server: 'TypeScript',
  file: 'a.ts',
  files: {
    'tsconfig.json': '{}',
    '.serena/project.yml': 'format_inserted_code: true\nlanguage_servers: [typescript_native]\n',
  },
  ...codeOfTypeScript,
});

testMovedFiles(typescript, {
  files: {
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","types":[]},"include":["src"]}',
    'package.json': '{"type":"module"}',
    'src/helper.ts': "import { unit } from './units.js';\nexport const format = (n: number) => String(n) + unit;\n",
    'src/units.ts': "export const unit = 'EUR';\n",
    'src/main.ts':
      "import * as helper from './helper.js';\nexport const load = () => import('./helper.js');\nhelper.format(1);\n",
    'README.md': 'See src/helper.ts.\n',
  },
  moves: [
    {
      from: 'src/helper.ts',
      to: 'src/text/format.ts',
      answer:
        'Moved `src/helper.ts` to `src/text/format.ts`: 2 files changed, 3 places; complete\nFiles:\n  src/main.ts: 2\n  src/text/format.ts: 1\nMentioned (0-based lines):\n  README.md:0: See src/helper.ts.',
    },
    {
      from: 'src/text',
      to: 'src/deep/texts',
      answer:
        'Moved `src/text` to `src/deep/texts` (1 file): 2 files changed, 3 places; complete\nFiles:\n  src/deep/texts/format.ts: 1\n  src/main.ts: 2',
    },
  ],
  compile: checkTypes,
});

testOverridingDeletions(typescript, {
  file: 'src/log.ts',
  overriding: ['Log/clear', 'override'],
  pointless: 'Log/missing',
  own: 'Log/own',
  files: {
    ...projectOf('typescript'),
    'src/log.ts': `export class Log extends Map<string, string> {
  override clear(): void {}
  override missing(): void {}
  /** override */
  own(): void {}
}
`,
  },
});

testInsertions(typescript, {
  file: 'a.ts',
  name: 'total',
  text: "import { b } from './b';\n\n»/**\n * Sums.\n */\nexport function total() {\n  return b;\n}\n",
  body: 'const x = 1;',
});

test('a comment above two definitions on one line stays with the first one', async () => {
  const file = 'src/a.ts';
  const both = '// Both.\nfunction a() {} function b() {}\n';
  const { workspace: project, client } = await openShared({ ...projectOf('typescript'), [file]: both });
  await client.ask('insert_before_symbol', { name_path: 'b', relative_path: file, body: 'x();' });
  expect(project.read(file)).toBe('// Both.\nx();\n\nfunction a() {} function b() {}\n');
}, 120_000);

for (const spec of [tsserver, typescriptNative]) {
  testOneLineMembers(testedBy(spec), {
    file: 'src/a.ts',
    files: {
      ...projectOf(spec.id),
    },
    text: `export interface A { b(): void; c(): void }
export interface D { e: string, f?: number, }
export interface G { h: string }
export class I { j = 1; private k() { return 2; } l = 3 }
export interface M {
  n(): void; o(): void
  p: string; q(): void;
  /** Said. */ r(): void;
}
export type S = { t: string; u: string };
`,
    rows: [
      ['A/b', ['{ b(): void; c', '{ c']],
      ['A/c', ['; c(): void }', '; }']],
      ['D/e', ['{ e: string, f', '{ f']],
      ['D/f', [', f?: number, }', ', }']],
      ['G/h', ['{ h: string }', '{ }']],
      ['I/j', ['{ j = 1; private', '{ private']],
      ['I/k', ['; private k() { return 2; } l', '; l']],
      ['I/l', ['} l = 3 }', '} }']],
      ['M/n', ['  n(): void; o', '  o']],
      ['M/o', ['; o(): void\n', ';\n']],
      ['M/p', ['  p: string; q', '  q']],
      ['M/q', ['; q(): void;\n', ';\n']],
      ['M/r', 'only a part of the statement'],
    ],
  });
}

testCapturedNames(typescript, {
  files: {
    'tsconfig.json': '{"compilerOptions":{"strict":true,"target":"es2022"}}',
    'a.ts':
      'function twice(x: number): number {\n  return x * 2;\n}\n\nexport function inner(total: (n: number) => number): number {\n  return twice(1) + total(2);\n}\n\nexport class Base {\n  run(): number {\n    return 1;\n  }\n  go(): number {\n    return this.run();\n  }\n}\n\nexport class Child extends Base {\n  walk(): number {\n    return 2;\n  }\n}\n',
  },
  file: 'a.ts',
  refused: [
    ['twice', 'total', 'references to it would mean another `total`: `a.ts` 5'],
    ['Child/walk', 'run', 'these uses of another `run` would mean it: `a.ts` 9, 13'],
    ['Base/run', 'walk', 'these uses of another `walk` would mean it: `a.ts` 18'],
  ],
  done: ['inner', 'go'],
});

testCleanEdits(typescript, {
  files: {
    'tsconfig.json': '{"compilerOptions": {"strict": true}}\n',
    'price.ts': 'export function price(amount: number) {\n  return amount;\n}\n',
    'shop.ts': "import { price } from './price';\n\nexport const total = price(1);\n",
  },
  symbol: ['price', 'price.ts'],
  breaking: [
    'export function price(amount: number, rate: number) {\n  return amount * rate;\n}',
    'shop.ts:2: error: Expected 2 arguments',
  ],
  clean: 'export function price(amount: number, rate = 1) {\n  return amount * rate;\n}',
});
