import { beforeAll, describe, expect, test } from 'bun:test';
import { type Runtime, startClient } from '../support/client.ts';
import { runProgram } from '../support/program.ts';
import { copyFixture } from '../support/workspace.ts';

/** Includes the download of two language servers. */
const timeoutMs = 240_000;

type Question = readonly [tool: string, args: Readonly<Record<string, unknown>>];

const questions: Readonly<Record<'python' | 'typescript', readonly Question[]>> = {
  python: [
    ['get_symbols_overview', { relative_path: 'shop/helper.py', depth: 2 }],
    ['find_symbol', { name_path_pattern: 'Basket', depth: 1 }],
    ['find_symbol', { name_path_pattern: 'apply', include_body: true }],
    ['find_referencing_symbols', { name_path: 'format_amount', relative_path: 'shop/helper.py' }],
    ['search_for_pattern', { substring_pattern: '(?P<name>cents) //', context_lines_before: 1 }],
  ],
  typescript: [
    ['get_symbols_overview', { relative_path: 'src/helper.ts', depth: 2 }],
    ['find_symbol', { name_path_pattern: 'Basket', depth: 1 }],
    ['find_symbol', { name_path_pattern: 'apply', include_body: true }],
    ['find_referencing_symbols', { name_path: 'formatAmount', relative_path: 'src/helper.ts' }],
    ['search_for_pattern', { substring_pattern: '(?P<name>cents) /', context_lines_before: 1 }],
  ],
};

/** Returns the tool list and every answer about both fixtures, without parts that differ between runs. */
async function askAll(runtime: Runtime): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const language of ['python', 'typescript'] as const) {
    await using project = copyFixture(language);
    await using client = await startClient({ args: ['--project', project.root], runtime });
    answers.tools = await client.tools();
    for (const [tool, args] of questions[language]) {
      const { blocks, isError } = await client.call(tool, args);
      answers[`${language}: ${tool} ${JSON.stringify(args)}`] = { blocks, isError };
    }
    await client.close();
  }
  return answers;
}

describe('the same sources give the same answers', () => {
  let binary: Record<string, unknown>;

  beforeAll(async () => {
    binary = await askAll('binary');
  }, timeoutMs);

  test('as the compiled program, completely', () => {
    const { tools, ...answers } = binary;
    expect(tools).toBeArray();
    expect(Object.keys(answers)).toHaveLength(10);
    for (const answer of Object.values(answers))
      expect(answer).toMatchObject({ isError: false, blocks: [expect.stringMatching(/../)] });
  });

  test.each(['bun', 'deno'] as const)(
    'under %s',
    async (runtime) => {
      expect(await askAll(runtime)).toEqual(binary);
    },
    timeoutMs,
  );

  test.each(['bun', 'deno'] as const)('and end the same on a wrong command line under %s', async (runtime) => {
    const wrong = ['start-mcp-server', '--projct', 'x'];
    expect(await runProgram(wrong, { runtime })).toEqual(await runProgram(wrong));
  });
});
