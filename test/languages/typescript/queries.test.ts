// Questions about TypeScript code: what is expected of each server, in this language.

import { beforeAll, describe, expect, test } from 'bun:test';
import { typescript as tsserver } from '../../../src/languages/typescript/servers.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { testCrossCheck } from '../../support/language-tests/cross-check.ts';
import { linesOfDiagnostics, testDiagnostics } from '../../support/language-tests/diagnostics.ts';
import { testFormatCode } from '../../support/language-tests/format-code.ts';
import { testHierarchies } from '../../support/language-tests/hierarchies.ts';
import { testShortAnswers } from '../../support/language-tests/short-answers.ts';
import { testedBy } from '../../support/language-tests/tested.ts';
import { testTypesOfNames } from '../../support/language-tests/types-of-names.ts';
import { testUnused } from '../../support/language-tests/unused.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const typescript = testedBy(tsserver);

testHierarchies(typescript, 'typescript', [
  {
    of: ['formatAmount', 'src/helper.ts'],
    kind: 'callers',
    expected: [
      'src/broken.ts price 2',
      'src/checkout.ts checkout 5',
      '  src/checkout.ts sale 9',
      'src/receipt.ts Receipt/render 10',
    ],
  },
  {
    of: ['checkout', 'src/checkout.ts'],
    kind: 'callees',
    expected: [
      'src/discount.ts Discount/apply 2',
      'src/helper.ts formatAmount 4',
      '  src/helper.ts formatAmount/pad 5',
      'src/helper.ts Basket/total 21',
    ],
  },
  {
    of: ['Discount', 'src/discount.ts'],
    kind: 'subtypes',
    expected: ['src/discount.ts HalfOff 5', 'src/discount.ts Flat 11'],
    isDerived: true,
  },
  {
    of: ['Flat', 'src/discount.ts'],
    kind: 'supertypes',
    expected: ['src/discount.ts Discount 0'],
    isDerived: true,
  },
]);

testShortAnswers(typescript, {
  directory: 'src',
  helper: 'src/helper.ts',
  user: 'src/checkout.ts',
  popular: 'formatAmount',
  method: 'Basket/total',
  discount: ['src/discount.ts', 'Discount/apply'],
});

/** JavaScript takes too many and too few arguments, so only calls that certainly fail cannot mean a member. */
const field = (type: string, any: string) => `export class Field {
  clean(value${type}, model${type}) {
    return [value, model];
  }
  open({ path }${any}, ...others${any}) {
    return [path, others];
  }
  wide({ path }${any}) {
    return path;
  }
}
export const other = { wide: (path${any}) => path };
`;
const use = (any: string) => `export function use(x${any}) {
  x.clean();
  x?.clean(1, 2, 3);
  new x.clean(1, 2);
  x.open();
  x.open({ path: 1 }, 2);
  x.open(...x.all);
  x.wide();
  return x.open;
}
`;

testCrossCheck(typescript, {
  files: {
    'tsconfig.json': '{ "compilerOptions": { "allowJs": true, "types": [] } }\n',
    'ts/field.ts': field(': number', ': any'),
    'ts/use.ts': use(': any'),
    'js/field.js': field('', '').replaceAll(/clean|open|wide/g, '$&Js'),
    'js/use.js': use('').replaceAll(/clean|open|wide/g, '$&Js'),
  },
  questions: [
    { symbol: 'Field/clean', file: 'ts/field.ts', lines: {}, open: ['ts/use.ts:1', 'ts/use.ts:2'] },
    { symbol: 'Field/open', file: 'ts/field.ts', lines: {}, open: ['ts/use.ts:5', 'ts/use.ts:6', 'ts/use.ts:8'] },
    // An object that is no `Field` may stand for one.
    { symbol: 'Field/wide', file: 'ts/field.ts', lines: {}, open: ['ts/use.ts:7'] },
    { symbol: 'Field/cleanJs', file: 'js/field.js', lines: {}, open: ['js/use.js:1', 'js/use.js:2'] },
    { symbol: 'Field/openJs', file: 'js/field.js', lines: {}, open: ['js/use.js:5', 'js/use.js:6', 'js/use.js:8'] },
  ],
});

testDiagnostics(typescript, {
  files: { 'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [] } }\n' },
  helper: 'helper.ts',
  changedHelper: "export function make(): string {\n  return 'a';\n}\n",
  user: 'user.ts',
  wrong: "\nexport function wrong(): number {\n  return 'a';\n}\n",
  wrongTold: '1 wrong 5: 2322',
  userTold: '1 <file> 2: 2322',
  unparsable: '\nexport function broken( {\n  return 1;\n',
  hinted: ['hinted.ts', 'export function f(): number {\n  const unused = 1;\n  return 2;\n}\n', ['4 f 1: 6133']],
  helperText: 'export function make(): number {\n  return 1;\n}\n',
  userText: "import { make } from './helper.js';\n\nexport const value: number = make();\n",
});

describe('typescript-language-server reports', () => {
  beforeAll(() => install(tsserver), installTimeoutMs);

  // For such a file it publishes the syntax errors first, and the rest a second or more later.
  test('all diagnostics of a large file that is checked slowly', async () => {
    const generic = (_: unknown, index: number) =>
      `export function f${index}<T extends { a: number }>(x: T): T & { b: string } { const y: Record<string, T> = { k: x }; return { ...y['k']!, b: 'x' }; }`;
    const text = [...Array.from({ length: 2000 }, generic), "export const z: number = 'a';", 'function ( {', ''];
    const config = '{ "compilerOptions": { "strict": true, "types": [] } }\n';
    await using opened = await Opened.open(makeWorkspace({ 'tsconfig.json': config, 'big.ts': text.join('\n') }));
    const found = await opened.ask((symbols) => symbols.diagnosticsOfFile('big.ts'));
    expect(linesOfDiagnostics(found)).toContain('1 <file> 2000: 2322');
    expect(found.filter(({ diagnostic }) => diagnostic.isSyntaxError).length).toBeGreaterThan(0);
  }, 120_000);
});

testTypesOfNames(typescript, {
  files: {
    'tsconfig.json': '{"compilerOptions": {"strict": true}}\n',
    'basket.ts': 'export class Basket {\n  size = 0;\n}\n\nexport interface Crate {\n  lid: boolean;\n}\n',
    'use.ts':
      "import { Basket, type Crate } from './basket';\n\nexport function made(either: Basket | Crate) {\n  const own = new Basket();\n  return [own, either];\n}\n",
  },
  file: 'use.ts',
  types: {
    'const (own)': ['basket.ts Basket'],
    'made\\((either)': ['basket.ts Basket', 'basket.ts Crate'],
  },
});

testUnused(typescript, {
  files: {
    'tsconfig.json': '{"compilerOptions": {"strict": true}}\n',
    'package.json': '{"name": "shop", "private": true}\n',
    'shop.ts': `export class Basket {
  size = 0;
  total() {
    return 1;
  }
  weigh() {
    return 2;
  }
  toString() {
    return '';
  }
}

export function tested() {
  return 1;
}

export interface Lonely {
  member(): void;
}

const unused = 1;

class Handler {
  onOpen() {}
  spare() {}
}
document.addEventListener('open', new Handler());
const listen = (options: { onOpen?(): void; close?(): void }) => options.onOpen?.();
listen(new Handler());

export const use = () => new Basket().total();
[1].map((one) => one + 1);
const listening = listen(new Handler());
const known = new Map<string, number>();
const twice = (value: number) => Math.max(value, listen(new Handler()) ?? 2);
declare global {
  interface Window {
    shop: string;
  }
}
/** @param value as {@link use} says */
function documented(value: string) {
  return value;
}
`,
    'vite.config.ts': 'export const shown = 1;\nexport default {};\n',
    'plain.js': 'class Plain {\n  member() {}\n}\nnew Plain();\n',
    'shop.test.ts': "import { tested, use } from './shop';\n\ntested();\nuse();\n",
    'main.ts': "import { use } from './shop';\n\nuse();\n",
  },
  found: [
    'unused: Basket/weigh',
    'unused: Lonely',
    'unused: unused',
    'unused: Handler/spare',
    'unused: known',
    'unused: twice',
    'unused: documented',
    'tests: tested',
    'undecided: Plain/member: members of this name are called by whatever gets the object, if it looks for that name',
    'undecided: Basket/toString: members of this name are called by JavaScript itself',
    'undecided: Handler/onOpen: values of its type are used as one with a member `onOpen`, in `shop.ts`: `listen(new Handler());` and 2 more places',
    'undecided: listening: its initial value may do something besides',
    'undecided: shown: tools and frameworks read the names in such a file',
    'undecided: default: tools and frameworks read the names in such a file',
  ],
});

testFormatCode(typescript, {
  files: {
    'tsconfig.json': '{}\n',
    'shop.ts': 'export function one( ) {return 1}\nexport function two( ) {return   2}\n',
  },
  file: 'shop.ts',
  lines: [0, 0],
  partly: 'export function one() { return 1 }\nexport function two( ) {return   2}\n',
  whole: 'export function one() { return 1 }\nexport function two() { return 2 }\n',
});
