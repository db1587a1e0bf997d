import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { renderRemarks } from '../../src/tools/answers/remarks.ts';
import { runTool } from '../../src/tools/run.ts';
import { defineTool, type Output, tooLong } from '../../src/tools/tool.ts';
import { rejection } from '../support/rejection.ts';

const unused = () => Promise.reject(new Error('Not for this test'));
const session = {
  ...{ activate: unused, describe: unused, manual: unused, switchModes: unused, prompt: unused },
  ...{ removeProject: unused, knownProjects: unused, query: unused, restartServers: unused },
  callForScript: unused,
  toolStates: () => [],
  listTools: () => undefined,
};
const call = { signal: new AbortController().signal, progress: () => undefined };

function answer(output: Output, maxChars: number) {
  const tool = defineTool({
    name: 'try_it',
    description: 'For tests.',
    toolset: 'workflow',
    effect: 'reads',
    needs: 'nothing',
    input: () => z.object({ max_answer_chars: z.int().default(-1) }),
    run: async () => output,
  });
  const limits = { maxAnswerChars: 1000, symbolInfoBudgetMs: 0 };
  return runTool(tool, { max_answer_chars: maxChars }, { call, session, limits });
}

describe('runTool()', () => {
  test('sends a string unchanged and any other value as JSON with spaces', async () => {
    expect((await answer({ value: 'a "b"' }, -1)).text).toBe('a "b"');
    expect((await answer({ value: { a: [1, 'ü'], b: null, c: undefined } }, -1)).text).toBe(
      '{"a": [1, "ü"], "b": null}',
    );
  });

  test('counts characters as code points', async () => {
    expect((await answer({ value: '😀'.repeat(10) }, 10)).text).toBe('😀'.repeat(10));
  });

  test('sends the first shorter form that fits behind the notice', async () => {
    const output = { value: 'x'.repeat(500), shorter: [() => 'y'.repeat(300), () => 'short', () => 'z'] };
    const { text } = await answer(output, 200);
    expect(text).toContain(' 500 characters');
    expect(text.split('\n').at(-1)).toBe('short');
    expect(text.length).toBeLessThanOrEqual(200);
  });

  test('sends only the notice if nothing fits, and never a value that is far too long', async () => {
    expect((await answer({ value: 'x'.repeat(500), shorter: [() => 'y'.repeat(300)] }, 20)).text).not.toContain('\n');
    expect((await answer({ value: tooLong, shorter: [] }, 20)).text).toContain('far more than 20');
  });

  test('output is within the limit or only the notice, whatever the sizes', async () => {
    for (let limit = 1; limit < 400; limit += 13) {
      const { text } = await answer({ value: 'x'.repeat(400), shorter: [() => 'y'.repeat(100), () => 'z'] }, limit);
      if (text.length > limit) expect(text).toMatch(/^The answer has 400 characters[^\n]*$/);
    }
  });

  test('rejects a limit that is neither positive nor -1 before the tool runs', async () => {
    for (const limit of [0, -2]) expect(await rejection(answer({ value: 'x' }, limit))).toContain('must be positive');
  });

  test('states in a second text what is missing, why, and what to do', async () => {
    const gaps = [{ missing: '`a.py` was not searched', reason: 'it broke', next: 'Try again' }];
    const given = await answer({ value: 'x', gaps, notes: ['`b.py` still has the name'] }, -1);
    expect(given.text).toBe('x');
    expect(renderRemarks(given)).toBe(
      'Incomplete:\n- `a.py` was not searched: it broke. Try again.\nNote:\n- `b.py` still has the name',
    );
    expect(renderRemarks(await answer({ value: 'x' }, -1))).toBeUndefined();
  });
});
