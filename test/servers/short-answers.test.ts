// Answers in the short format, lists as arguments, and pages: exact answers of the real servers.
import { beforeAll, describe, expect } from 'bun:test';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { go } from '../../src/languages/go/servers.ts';
import { java } from '../../src/languages/java/servers.ts';
import { python } from '../../src/languages/python/servers.ts';
import { rust } from '../../src/languages/rust/servers.ts';
import { typescript } from '../../src/languages/typescript/servers.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { findJdtls } from '../support/jdtls.ts';
import { whyNoRustAnalyzer } from '../support/rust.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { copyFixture } from '../support/workspace.ts';
import { expectAnswer } from './answers.ts';
import { install, installTimeoutMs } from './opened.ts';

const jdtls = findJdtls();

/** What is asked about each fixture: the same in every language. */
const languages = [
  {
    spec: python,
    ...{ directory: 'shop', helper: 'shop/helper.py', user: 'shop/checkout.py' },
    ...{ popular: 'format_amount', method: 'Basket/total', discount: ['shop/discount.py', 'Discount/apply'] },
  },
  {
    spec: typescript,
    ...{ directory: 'src', helper: 'src/helper.ts', user: 'src/checkout.ts' },
    ...{ popular: 'formatAmount', method: 'Basket/total', discount: ['src/discount.ts', 'Discount/apply'] },
  },
  {
    spec: go,
    whyNot: whyNoGo(),
    ...{ directory: 'shop', helper: 'shop/helper.go', user: 'shop/checkout.go' },
    ...{ popular: 'FormatAmount', method: 'Basket/Total', discount: ['shop/discount.go', 'Discount/Apply'] },
  },
  {
    spec: rust,
    whyNot: whyNoRustAnalyzer(),
    ...{ directory: 'src', helper: 'src/helper.rs', user: 'src/checkout.rs' },
    ...{ popular: 'format_amount', method: 'impl Basket/total', discount: ['src/discount.rs', 'Discount/apply'] },
  },
  {
    spec: cpp,
    ...{ directory: '.', helper: 'helper.hpp', user: 'checkout.cpp' },
    ...{ popular: 'formatAmount', method: 'Basket/total', discount: ['basket.hpp', 'shop/Discount/apply'] },
  },
  {
    spec: java,
    ...('bin' in jdtls ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` } } : { whyNot: jdtls.whyNot }),
    ...{ directory: 'src/shop', helper: 'src/shop/Amounts.java', user: 'src/shop/Checkout.java' },
    ...{ popular: 'Amounts/formatAmount[0]', method: 'Basket/total' },
    discount: ['src/shop/Discount.java', 'Discount/apply'],
  },
] as const;

type Language = (typeof languages)[number];
type Question = readonly [tool: string, args: Readonly<Record<string, unknown>>];

function questionsAbout({ directory, helper, user, popular, method, discount }: Language): readonly Question[] {
  const references = { name_path: popular, relative_path: helper };
  const [discountFile, discountMethod] = discount;
  return [
    ['find_referencing_symbols', references],
    ['find_referencing_symbols', { ...references, group_by: 'symbol' }],
    ['find_referencing_symbols', { ...references, group_by: 'none', context_lines: 1 }],
    ['find_implementations', { name_path: discountMethod, relative_path: discountFile }],
    ['find_symbol', { name_path_pattern: [method, 'nowhere', '/'], include_body: true }],
    ['get_symbols_overview', { relative_path: [directory, 'missing.txt'], depth: 1 }],
    ['find_declaration', { relative_path: user, name_path: method }],
    ['find_declaration', { relative_path: user, name_path: 'nowhere' }],
  ];
}

async function answerTo(client: TestClient, [tool, args]: Question): Promise<string> {
  const { blocks } = await client.call(tool, args);
  return `# ${tool} ${JSON.stringify(args)}\n${blocks.join('\n')}\n`;
}

/** Returns all entries of an answer and how many pages they came in. */
async function readPages(client: TestClient, [tool, args]: Question): Promise<{ lines: string[]; pageCount: number }> {
  const lines: string[] = [];
  let pageCount = 0;
  for (let cursor = ''; ; ) {
    const { blocks } = await client.call(tool, { ...args, max_answer_chars: 125, cursor });
    const [text = '', note = ''] = blocks;
    lines.push(...text.split('\n').filter((line) => /^\d/.test(line)));
    pageCount++;
    const next = /`cursor` "([^"]+)"/.exec(note)?.[1];
    if (next === undefined)
      return { lines: lines.filter((line) => !/^\d+ (references|matches) in /.test(line)), pageCount };
    cursor = next;
  }
}

for (const language of languages) {
  const { spec } = language;
  const whyNot = 'whyNot' in language ? language.whyNot : undefined;
  const env = 'env' in language ? language.env : undefined;

  describe(`short answers about ${spec.name}`, () => {
    beforeAll(async () => {
      if (whyNot === undefined) await install(spec, env);
    }, installTimeoutMs);

    testUnless(whyNot ?? whyNoServer(spec))(
      'are exact, and their pages lose and repeat nothing',
      async () => {
        await using workspace = copyFixture(spec.id);
        const args = ['--context', 'claude-code', '--project', workspace.root];
        await using client = await startClient({ args, ...(env === undefined ? {} : { env }) });
        const questions = questionsAbout(language);
        const answers: string[] = [];
        for (const question of questions) answers.push(await answerTo(client, question));
        expectAnswer(spec.id, 'short-answers', answers.join('\n'));
        const [references = ['', {}]] = questions;
        const whole = await client.ask(...references);
        const { lines, pageCount } = await readPages(client, references);
        expect(lines).toEqual(whole.split('\n').filter((line) => /^\d+[^ ]* (?!(references|matches) in )/.test(line)));
        expect(pageCount).toBeGreaterThan(1);
      },
      600_000,
    );
  });
}
