// What is around a symbol, and what a change touches: exact answers of the real servers, through a real client.
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
import { copyFixture, type Workspace } from '../support/workspace.ts';
import { expectAnswer } from './answers.ts';
import { install, installTimeoutMs } from './opened.ts';

const jdtls = findJdtls();

/**
 * A function, a type, and edits of the fixture: the first changes the function, the second renames a symbol, the others
 * delete a method and a type, which are still in use except for the type of C++.
 */
const languages = [
  {
    spec: python,
    popular: ['format_amount', 'shop/helper.py'],
    type: ['Discount', 'shop/discount.py'],
    edits: [
      ['shop/helper.py', '"{rest:02d}"', '"{rest:03d}"'],
      ['shop/receipt.py', 'class Receipt', 'class Bill'],
      ['shop/helper.py', '\n    def total(self) -> int:\n        return sum(self.items)\n', ''],
      [
        'shop/discount.py',
        'class HalfOff(Discount):\n    def apply(self, cents: int) -> int:\n        return cents // 2\n\n\n',
        '',
      ],
    ],
  },
  {
    spec: typescript,
    popular: ['formatAmount', 'src/helper.ts'],
    type: ['Discount', 'src/discount.ts'],
    edits: [
      ['src/helper.ts', 'padStart(2', 'padStart(3'],
      ['src/receipt.ts', 'class Receipt', 'class Bill'],
      [
        'src/helper.ts',
        '\n  total(): number {\n    return this.items.reduce((sum, cents) => sum + cents, 0);\n  }\n',
        '',
      ],
      [
        'src/discount.ts',
        'export class HalfOff implements Discount {\n  apply(cents: number): number {\n    return Math.floor(cents / 2);\n  }\n}\n\n',
        '',
      ],
    ],
  },
  {
    spec: go,
    whyNot: whyNoGo(),
    popular: ['FormatAmount', 'shop/helper.go'],
    type: ['Discount', 'shop/discount.go'],
    edits: [
      ['shop/helper.go', '"%02d"', '"%03d"'],
      ['shop/checkout.go', 'func Sale', 'func Sell'],
      [
        'shop/helper.go',
        'func (b *Basket) Total() int {\n\tsum := 0\n\tfor _, cents := range b.items {\n\t\tsum += cents\n\t}\n\treturn sum\n}\n',
        '',
      ],
      [
        'shop/discount.go',
        '// HalfOff halves every amount.\ntype HalfOff struct{}\n\n// Apply returns half of the amount.\nfunc (HalfOff) Apply(cents int) int {\n\treturn cents / 2\n}\n\n',
        '',
      ],
    ],
  },
  {
    spec: rust,
    whyNot: whyNoRustAnalyzer(),
    popular: ['format_amount', 'src/helper.rs'],
    type: ['Discount', 'src/discount.rs'],
    edits: [
      ['src/helper.rs', '"free"', '"gratis"'],
      ['src/checkout.rs', 'fn sample', 'fn example'],
      ['src/basket.rs', '\n    pub fn total(&self) -> u32 {\n        self.items.iter().sum()\n    }\n', ''],
      [
        'src/discount.rs',
        'pub struct HalfOff;\n\nimpl Discount for HalfOff {\n    fn apply(&self, cents: u32) -> u32 {\n        cents / 2\n    }\n}\n\n',
        '',
      ],
    ],
  },
  {
    spec: cpp,
    popular: ['formatAmount', 'helper.hpp'],
    type: ['shop/Discount', 'basket.hpp'],
    edits: [
      ['helper.cpp', '"free"', '"gratis"'],
      ['checkout.cpp', '*checkout(', '*pay('],
      ['basket.hpp', '\n  int total() const { return sum; }\n', ''],
      ['basket.hpp', 'struct HalfOff : Discount {\n  int apply(int cents) override { return cents / 2; }\n};\n\n', ''],
    ],
  },
  {
    spec: java,
    ...('bin' in jdtls ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` } } : { whyNot: jdtls.whyNot }),
    popular: ['Amounts/formatAmount[0]', 'src/shop/Amounts.java'],
    type: ['Discount', 'src/shop/Discount.java'],
    edits: [
      ['src/shop/Amounts.java', 'formatAmount(cents, CURRENCY)', 'formatAmount(-cents, CURRENCY)'],
      ['src/shop/Checkout.java', 'String sale', 'String sell'],
      [
        'src/shop/Basket.java',
        '\n    /** Sums the items. */\n    public int total() {\n        int sum = 0;\n        for (int cents : items) {\n            sum += cents;\n        }\n        return sum;\n    }\n',
        '',
      ],
      [
        'src/shop/Discount.java',
        '    /** Halves every amount. */\n    class HalfOff implements Discount {\n        @Override\n        public int apply(int cents) {\n            return cents / 2;\n        }\n    }\n\n',
        '',
      ],
    ],
  },
] as const;

type Language = (typeof languages)[number];

async function answerTo(client: TestClient, tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const { blocks } = await client.call(tool, args);
  return `# ${tool} ${JSON.stringify(args)}\n${blocks.join('\n')}\n`;
}

async function explorations(client: TestClient, { popular, type }: Language): Promise<string> {
  const [name, file] = popular;
  const [typeName, typeFile] = type;
  const answers: string[] = [];
  for (const [name_path, relative_path] of [popular, type]) {
    answers.push(await answerTo(client, 'explore_symbol', { name_path, relative_path }));
    answers.push(await answerTo(client, 'explore_symbol', { name_path, relative_path, max_tokens: 200 }));
  }
  for (const args of [
    { name_path: name, relative_path: file, kind: 'callers', depth: 2 },
    { name_path: typeName, relative_path: typeFile, kind: 'subtypes' },
  ]) {
    answers.push(await answerTo(client, 'symbol_hierarchy', args));
  }
  return answers.join('\n');
}

/** Makes the edits of a language, each of which must apply, and returns what they change. */
async function changes(client: TestClient, workspace: Workspace, { edits }: Language): Promise<string> {
  for (const [file, from, to] of edits) {
    const text = workspace.read(file);
    expect(text).toContain(from);
    workspace.write(file, text.replace(from, to));
  }
  return await answerTo(client, 'changed_symbols', { base: 'HEAD' });
}

/** Returns an answer without what differs between runs: the project's path, versions of servers, and commits. */
function stable(answer: string, workspace: Workspace): string {
  return answer
    .replaceAll(workspace.root, '<project>')
    .replaceAll(/^- .*(?= does not support)/gm, '- <server>')
    .replace(/with [0-9a-f]{10}/, 'with <commit>');
}

for (const language of languages) {
  const { spec } = language;
  const whyNot = 'whyNot' in language ? language.whyNot : undefined;
  const env = 'env' in language ? language.env : undefined;

  describe(`explorations with ${spec.name}`, () => {
    beforeAll(async () => {
      if (whyNot === undefined) await install(spec, env);
    }, installTimeoutMs);

    testUnless(whyNot ?? whyNoServer(spec))(
      'are exact, and what does not fit is counted',
      async () => {
        await using workspace = copyFixture(spec.id);
        workspace.initGit();
        const args = ['--context', 'claude-code', '--project', workspace.root];
        await using client = await startClient({ args, ...(env === undefined ? {} : { env }) });
        expectAnswer(spec.id, 'explorations', stable(await explorations(client, language), workspace));
        const changed = await changes(client, workspace, language);
        expectAnswer(spec.id, 'changed-symbols', stable(changed, workspace));
      },
      600_000,
    );
  });
}
