// Declarations that real servers find for a name, through this program's layers: exact symbols, files and lines.
import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { bash } from '../../../src/languages/bash/servers.ts';
import { go } from '../../../src/languages/go/servers.ts';
import { python } from '../../../src/languages/python/servers.ts';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import type { ServerSpec } from '../../../src/servers/spec.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { placeOf } from '../../servers/render.ts';
import { at } from '../../support/at.ts';
import { rejection } from '../../support/rejection.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { copyFixture, makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

interface Row {
  readonly what: string;
  readonly file: string;
  readonly at: RegExp;
  /** `kind name path in file:first-last line`, or part of the error message. */
  readonly is?: string;
  readonly refusal?: RegExp;
}

interface Language {
  readonly spec: ServerSpec;
  readonly fixture: string;
  readonly whyNot?: string | undefined;
  readonly rows: readonly Row[];
}

const languages: readonly Language[] = [
  {
    spec: python,
    fixture: 'python',
    rows: [
      {
        what: 'an imported name',
        file: 'shop/checkout.py',
        at: /import Basket, (format_amount)/,
        is: 'Function format_amount in shop/helper.py:5-11',
      },
      {
        what: 'a call of it',
        file: 'shop/checkout.py',
        at: /return (format_amount)/,
        is: 'Function format_amount in shop/helper.py:5-11',
      },
      {
        what: 'a method through a parameter',
        file: 'shop/checkout.py',
        at: /basket\.(total)/,
        is: 'Method Basket/total in shop/helper.py:25-26',
      },
      {
        what: 'a method through attributes',
        file: 'shop/receipt.py',
        at: /self\.basket\.(total)/,
        is: 'Method Basket/total in shop/helper.py:25-26',
      },
      {
        what: 'an abstract method',
        file: 'shop/checkout.py',
        at: /discount\.(apply)/,
        is: 'Method Discount/apply in shop/discount.py:4-6',
      },
      {
        what: 'a nested function',
        file: 'shop/helper.py',
        at: /\{(pad)\(/,
        is: 'Function format_amount/pad in shop/helper.py:8-9',
      },
      {
        what: 'an attribute',
        file: 'shop/receipt.py',
        at: /(basket)\.total/,
        is: 'Variable Receipt/basket in shop/receipt.py:5-5',
      },
      {
        what: 'a module',
        file: 'shop/checkout.py',
        at: /from shop\.(helper)/,
        is: 'File helper in shop/helper.py:0-28',
      },
      { what: 'a builtin', file: 'shop/helper.py', at: /return (sum)\(/, refusal: /outside .*builtins\.pyi/ },
      {
        what: 'a keyword',
        file: 'shop/helper.py',
        at: /(return) sum/,
        refusal: /^the language server finds no declaration/,
      },
    ],
  },
  {
    spec: typescript,
    fixture: 'typescript',
    rows: [
      {
        what: 'an imported name',
        file: 'src/checkout.ts',
        at: /Basket, (formatAmount) \}/,
        is: 'Function formatAmount in src/helper.ts:4-10',
      },
      {
        what: 'a call of it',
        file: 'src/checkout.ts',
        at: /return (formatAmount)/,
        is: 'Function formatAmount in src/helper.ts:4-10',
      },
      {
        what: 'a method through a parameter',
        file: 'src/checkout.ts',
        at: /basket\.(total)/,
        is: 'Method Basket/total in src/helper.ts:21-23',
      },
      {
        what: 'a method of an interface',
        file: 'src/checkout.ts',
        at: /discount\.(apply)/,
        is: 'Method Discount/apply in src/discount.ts:2-2',
      },
      {
        what: 'the class that `new` makes one of',
        file: 'src/checkout.ts',
        at: /new (HalfOff)/,
        is: 'Class HalfOff in src/discount.ts:5-9',
      },
      {
        what: 'a property',
        file: 'src/receipt.ts',
        at: /this\.(basket)\.total/,
        is: 'Property Receipt/basket in src/receipt.ts:3-3',
      },
      {
        what: 'a module',
        file: 'src/checkout.ts',
        at: /from '(\.\/helper)/,
        is: 'File helper in src/helper.ts:0-26',
      },
      { what: 'a builtin', file: 'src/discount.ts', at: /Math\.(floor)/, refusal: /outside .*lib\.es5\.d\.ts/ },
      {
        what: 'a number',
        file: 'src/discount.ts',
        at: /cents \/ (2)/,
        refusal: /^the language server finds no declaration/,
      },
    ],
  },
  {
    spec: go,
    fixture: 'go',
    whyNot: whyNoGo(),
    rows: [
      {
        what: 'a function of another file',
        file: 'shop/checkout.go',
        at: /return (FormatAmount)/,
        is: 'Function FormatAmount in shop/helper.go:9-14',
      },
      {
        what: 'a function of another package',
        file: 'broken/broken.go',
        at: /shop\.(FormatAmount)/,
        is: 'Function FormatAmount in shop/helper.go:9-14',
      },
      {
        what: 'a method through a parameter',
        file: 'shop/checkout.go',
        at: /basket\.(Total)/,
        is: 'Method Basket/Total in shop/helper.go:27-33',
      },
      {
        what: 'a method of an interface',
        file: 'shop/checkout.go',
        at: /discount\.(Apply)/,
        is: 'Method Discount/Apply in shop/discount.go:5-5',
      },
      {
        what: 'a field',
        file: 'shop/receipt.go',
        at: /r\.(Basket)\.Total/,
        is: 'Field Receipt/Basket in shop/receipt.go:4-4',
      },
      { what: 'a library', file: 'shop/helper.go', at: /pad := [^}]*fmt\.(Sprintf)/, refusal: /outside .*print\.go/ },
    ],
  },
  {
    spec: bash,
    fixture: 'bash',
    rows: [
      {
        what: 'a function of a sourced file',
        file: 'checkout.sh',
        at: /(format_amount)/,
        is: 'Function format_amount in helper.sh:6-9',
      },
    ],
  },
];

for (const { spec, fixture, whyNot, rows } of languages) {
  describe(`${spec.name} finds the declaration of`, () => {
    const testHere = testUnless(whyNot);
    let opened: Opened | undefined;
    beforeAll(async () => {
      if (whyNot !== undefined) return;
      await install(spec);
      opened = await Opened.open(copyFixture(fixture));
    }, installTimeoutMs);
    afterAll(async () => await opened?.[Symbol.asyncDispose]());

    for (const { what, file, at: pattern, is, refusal } of rows) {
      testHere(
        what,
        async () => {
          if (!opened) throw new Error('The project was not opened');
          const position = at(opened.workspace.read(file), pattern);
          const asked = opened.ask((symbols) => symbols.declaration(file, position));
          if (refusal) expect(await rejection(asked)).toMatch(refusal);
          else expect(placeOf(await asked)).toBe(is ?? '');
        },
        timeoutMs,
      );
    }
  });
}

describe('a declaration is found', () => {
  beforeAll(() => install(typescript), installTimeoutMs);

  testUnless(undefined)(
    'at its present position, after both files changed on disk',
    async () => {
      await using opened = await Opened.open(copyFixture('typescript'));
      const { workspace } = opened;
      const find = () => {
        const position = at(workspace.read('src/checkout.ts'), /basket\.(total)/);
        return opened.ask(async (symbols) => placeOf(await symbols.declaration('src/checkout.ts', position)));
      };
      expect(await find()).toBe('Method Basket/total in src/helper.ts:21-23');
      workspace.write('src/helper.ts', `// Moved.\n\n${workspace.read('src/helper.ts')}`);
      expect(await find()).toBe('Method Basket/total in src/helper.ts:23-25');
      workspace.write('src/checkout.ts', `// Moved.\n${workspace.read('src/checkout.ts')}`);
      expect(await find()).toBe('Method Basket/total in src/helper.ts:23-25');
    },
    timeoutMs,
  );

  testUnless(undefined)(
    'in a dependency, under the address that `read_file` takes',
    async () => {
      await using opened = await Opened.open(
        makeWorkspace({
          'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "types": [] }, "include": ["src"] }\n',
          'node_modules/dep/package.json': '{ "name": "dep", "types": "index.d.ts" }\n',
          'node_modules/dep/index.d.ts': 'export declare function theirs(): void;\n',
          'src/a.ts': "import { theirs } from 'dep';\n\ntheirs();\n",
        }),
      );
      const found = await opened.ask((symbols) => symbols.declaration('src/a.ts', { line: 2, character: 0 }));
      expect(placeOf(found)).toBe('Function theirs in <node>/dep/index.d.ts:0-0');
    },
    timeoutMs,
  );
});
