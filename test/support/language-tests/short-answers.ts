import { expect } from 'bun:test';
import { expectAnswer } from '../../servers/answers.ts';
import type { TestClient } from '../client.ts';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { fixtureFiles } from '../workspace.ts';
import { installTested, type Tested } from './tested.ts';

/** What the questions are about in the fixture of a language. */
interface Shop {
  readonly directory: string;
  readonly helper: string;
  readonly user: string;
  readonly popular: string;
  readonly method: string;
  readonly discount: readonly [file: string, namePath: string];
}

type Question = readonly [tool: string, args: Readonly<Record<string, unknown>>];

function questionsAbout({ directory, helper, user, popular, method, discount }: Shop): readonly Question[] {
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

/** Tests answers in the short format, lists as arguments, and pages. The answers are committed, whole. */
export function testShortAnswers(tested: Tested, shop: Shop): void {
  const { spec, whyNot, env } = tested;
  installTested(tested);
  testUnless(whyNot)(
    `short answers about ${spec.name} are exact, and their pages lose and repeat nothing`,
    async () => {
      const { client } = await openShared(fixtureFiles(spec.id), { args: ['--context', 'claude-code'], env });
      const questions = questionsAbout(shop);
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
}
