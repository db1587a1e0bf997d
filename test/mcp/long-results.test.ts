import { describe, expect, test } from 'bun:test';
import { type Answer, startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Claude Code puts a longer result into a file and shows the model its first 2 kB. */
const shownChars = 50_000;
const count = 1500;

/** Asks for the code of many functions, which syntax trees answer, in a context. */
async function findAll(context: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const body = 'x = "a value that needs some room"';
  const functions = Array.from({ length: count }, (_, number) => `def handler_${number}():\n    ${body}\n`);
  const project = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', 'handlers.py': functions.join('\n') });
  // Configurations that were made from the template have this line.
  const home = makeHome({ default_max_tool_answer_chars: 150_000 });
  await using client = await startClient({
    args: ['--context', context, '--project', project.root, '--symbol-source', 'syntax'],
    symbolSource: 'configured',
    env: { SERENA_HOME: home },
  });
  const question = { name_path_pattern: 'handler_', substring_matching: true, include_body: true, max_matches: -1 };
  return await client.call('find_symbol', { ...question, ...args });
}

/** Returns the beginning of each block: a failure prints what it was given. */
const startsOf = ({ blocks }: Answer) => blocks.map((block) => block.slice(0, 500));

const sizeOf = ({ blocks }: Answer) => blocks.join('').length;

describe('a long result', () => {
  test.each(['claude-code', 'claude-code-deferred', 'code-mode'])(
    'is within what Claude Code shows, with its notes, in the context %s',
    async (context) => {
      const answer = await findAll(context);
      expect([answer.isError, answer.structured]).toEqual([false, undefined]);
      expect(sizeOf(answer)).toBeLessThan(shownChars);
      expect(startsOf(answer)).toEqual([
        expect.not.stringContaining('Source: '),
        expect.stringMatching(/^Source: .*\nNote:\n- .* of 1500 .*`cursor`/s),
      ]);
    },
  );

  test('that the call asks for begins with its notes there', async () => {
    const answer = await findAll('claude-code', { max_answer_chars: 60_000 });
    expect(sizeOf(answer)).toBeGreaterThan(shownChars);
    expect(startsOf(answer)).toEqual([
      expect.stringMatching(/^Source: .*\nNote:\n- Entries 1 to \d+ of 1500 are shown/s),
      expect.stringContaining('handler_0'),
    ]);
  });

  test('has its notes last, and the configured length, in the context of a client that shows all of it', async () => {
    const answer = await findAll('ide');
    expect(sizeOf(answer)).toBeGreaterThan(shownChars);
    expect([answer.isError, answer.structured]).toEqual([false, undefined]);
    expect(answer.blocks.map((block) => block.slice(-500))).toEqual([
      expect.stringContaining(`handler_${count - 1}`),
      expect.stringMatching(/^Source: /),
    ]);
  });
});
