// Callers, callees, supertypes and subtypes from real servers, or derived where a server has no hierarchy.
import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { isExpected } from '../../src/base/errors.ts';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { go } from '../../src/languages/go/servers.ts';
import { java } from '../../src/languages/java/servers.ts';
import { python, pythonJedi } from '../../src/languages/python/servers.ts';
import { rust } from '../../src/languages/rust/servers.ts';
import { typescript } from '../../src/languages/typescript/servers.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { namePathOf } from '../../src/symbols/model/name-path.ts';
import type { HierarchyEntry } from '../../src/symbols/queries/hierarchy.ts';
import { findJdtls } from '../support/jdtls.ts';
import { whyNoRustAnalyzer } from '../support/rust.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { copyFixture } from '../support/workspace.ts';
import { type Env, install, installTimeoutMs, Opened } from './opened.ts';

const jdtls = findJdtls();

type Kind = 'callers' | 'callees' | 'supertypes' | 'subtypes';

interface Question {
  readonly of: readonly [namePath: string, file: string];
  readonly kind: Kind;
  /** Entries three levels deep, indented by level; lines are 0-based. */
  readonly expected: readonly string[];
  readonly outside?: readonly string[];
  readonly isDerived?: boolean;
}

interface Server {
  readonly spec: ServerSpec;
  readonly fixture: string;
  readonly questions: readonly Question[];
  readonly whyNot?: string | undefined;
  readonly env?: Env;
}

const pythonTypes: readonly Question[] = [
  {
    of: ['Discount', 'shop/discount.py'],
    kind: 'subtypes',
    expected: ['shop/discount.py HalfOff 9', 'shop/discount.py Flat 14'],
    isDerived: true,
  },
  {
    of: ['Flat', 'shop/discount.py'],
    kind: 'supertypes',
    expected: ['shop/discount.py Discount 3'],
    isDerived: true,
  },
];

const servers: readonly Server[] = [
  {
    spec: python,
    fixture: 'python',
    questions: [
      {
        of: ['Basket/total', 'shop/helper.py'],
        kind: 'callers',
        expected: ['shop/checkout.py checkout 5', '  shop/checkout.py sale 10', 'shop/receipt.py Receipt/render 8'],
      },
      {
        of: ['checkout', 'shop/checkout.py'],
        kind: 'callees',
        expected: [
          'shop/discount.py Discount/apply 5',
          'shop/helper.py format_amount 5',
          '  shop/helper.py format_amount/pad 8',
          'shop/helper.py Basket/total 25',
        ],
      },
      ...pythonTypes,
    ],
  },
  {
    spec: pythonJedi,
    fixture: 'python',
    questions: [
      {
        of: ['checkout', 'shop/checkout.py'],
        kind: 'callers',
        expected: ['shop/checkout.py sale 10'],
        isDerived: true,
      },
      {
        of: ['checkout', 'shop/checkout.py'],
        kind: 'callees',
        expected: [
          'shop/discount.py Discount/apply 5',
          'shop/helper.py format_amount 5',
          '  shop/helper.py format_amount/pad 8',
          'shop/helper.py Basket/total 25',
        ],
        isDerived: true,
      },
      ...pythonTypes,
    ],
  },
  {
    spec: typescript,
    fixture: 'typescript',
    questions: [
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
    ],
  },
  {
    spec: go,
    fixture: 'go',
    whyNot: whyNoGo(),
    questions: [
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
        expected: [
          'shop/discount.go Discount/Apply 5',
          'shop/helper.go FormatAmount 9',
          'shop/helper.go Basket/Total 27',
        ],
      },
      {
        of: ['Discount', 'shop/discount.go'],
        kind: 'subtypes',
        expected: ['shop/discount.go HalfOff 9', 'shop/discount.go Flat 17'],
      },
      { of: ['Flat', 'shop/discount.go'], kind: 'supertypes', expected: ['shop/discount.go Discount 3'] },
    ],
  },
  {
    spec: rust,
    fixture: 'rust',
    whyNot: whyNoRustAnalyzer(),
    questions: [
      {
        of: ['checkout', 'src/checkout.rs'],
        kind: 'callers',
        expected: ['src/checkout.rs sample 12'],
      },
      {
        of: ['Discount', 'src/discount.rs'],
        kind: 'subtypes',
        expected: ['src/discount.rs impl Discount for HalfOff 9', 'src/discount.rs impl Discount for Flat 17'],
        isDerived: true,
      },
      {
        of: ['Flat', 'src/discount.rs'],
        kind: 'supertypes',
        expected: ['src/discount.rs Discount 2'],
        outside: ['Display'],
        isDerived: true,
      },
    ],
  },
  {
    spec: cpp,
    fixture: 'cpp',
    questions: [
      {
        of: ['formatAmount', 'helper.hpp'],
        kind: 'callers',
        expected: ['broken.cpp price 2', 'checkout.cpp checkout 4'],
      },
      {
        of: ['checkout', 'checkout.cpp'],
        kind: 'callees',
        expected: ['basket.hpp shop/Basket/total 11', 'basket.hpp shop/Discount/apply 19', 'helper.cpp formatAmount 2'],
      },
      { of: ['shop/Discount', 'basket.hpp'], kind: 'subtypes', expected: ['basket.hpp shop/HalfOff 22'] },
      { of: ['shop/HalfOff', 'basket.hpp'], kind: 'supertypes', expected: ['basket.hpp shop/Discount 17'] },
    ],
  },
  {
    spec: java,
    fixture: 'java',
    ...('bin' in jdtls ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` } } : { whyNot: jdtls.whyNot }),
    questions: [
      {
        of: ['Amounts/formatAmount[0]', 'src/shop/Amounts.java'],
        kind: 'callers',
        expected: [
          'src/shop/Broken.java Broken 5',
          'src/shop/Checkout.java Checkout/checkout 6',
          '  src/shop/Checkout.java Checkout/sale 11',
          'src/shop/Receipt.java Receipt/render 6',
        ],
      },
      {
        of: ['Checkout/checkout', 'src/shop/Checkout.java'],
        kind: 'callees',
        expected: [
          'src/shop/Amounts.java Amounts/formatAmount[0] 11',
          '  src/shop/Amounts.java Amounts/formatAmount[1] 16',
          'src/shop/Basket.java Basket/total 15',
          'src/shop/Discount.java Discount/apply 5',
        ],
      },
      {
        of: ['Discount', 'src/shop/Discount.java'],
        kind: 'subtypes',
        expected: ['src/shop/Discount.java Discount/HalfOff 8', 'src/shop/Discount.java Discount/Flat 16'],
      },
      {
        of: ['/Discount/Flat', 'src/shop/Discount.java'],
        kind: 'supertypes',
        expected: ['src/shop/Discount.java Discount 3'],
        outside: ['Object'],
      },
    ],
  },
];

describe.each(servers.map((server) => [server.spec.name, server] as const))('%s', (_, server) => {
  const { spec, fixture, questions, whyNot, env } = server;
  const testHere = testUnless(whyNot ?? whyNoServer(spec));
  let shared: Opened | undefined;
  beforeAll(async () => {
    if (whyNot !== undefined) return;
    await install(spec, env);
    shared = await Opened.open(copyFixture(fixture), spec, env);
  }, installTimeoutMs);
  afterAll(async () => await shared?.[Symbol.asyncDispose]());
  const opened = () => {
    if (shared === undefined) throw new Error('The project was not opened');
    return shared;
  };

  for (const { of, kind, expected, outside = [], isDerived = false } of questions) {
    const [namePath, file] = of;
    testHere(
      `${kind} of ${namePath}`,
      async () => {
        const found = await opened().ask(async (symbols) =>
          symbols.hierarchy(await symbols.unique(namePath, file), { kind, depth: 3 }),
        );
        expect(rendered(found.entries)).toEqual([...expected]);
        expect(found.outside).toEqual([...outside]);
        expect(found.derivation !== undefined).toBe(isDerived);
      },
      installTimeoutMs,
    );
  }

  const [callable] = questions.filter(({ kind }) => kind === 'callers');
  if (callable === undefined) return;
  testHere('a function has no subtypes, and the error says so', async () => {
    const [namePath, file] = callable.of;
    const refusal = await opened()
      .ask(async (symbols) => symbols.hierarchy(await symbols.unique(namePath, file), { kind: 'subtypes', depth: 1 }))
      .catch((error: unknown) => error);
    expect(isExpected(refusal, 'tool.invalid-input')).toBe(true);
  });
});

function rendered(entries: readonly HierarchyEntry[], indentation = ''): string[] {
  return entries.flatMap(({ symbol, lines, below = [] }) => [
    `${indentation}${symbol.file} ${namePathOf(symbol)} ${lines.join(',')}${below === 'repeated' ? ' repeated' : ''}`,
    ...(below === 'repeated' ? [] : rendered(below, `${indentation}  `)),
  ]);
}
