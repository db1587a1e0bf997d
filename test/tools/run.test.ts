import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { renderLabels } from '../../src/tools/answers/answer-text.ts';
import { runTool } from '../../src/tools/run.ts';
import { defineTool, type Output, tooLong } from '../../src/tools/tool.ts';
import { rejection } from '../support/rejection.ts';

const unused = () => Promise.reject(new Error('Not for this test'));
const session = {
  ...{ activate: unused, describe: unused, manual: unused, switchModes: unused, prompt: unused },
  ...{ removeProject: unused, knownProjects: unused, query: unused, restartServers: unused },
  callForScript: unused,
  scriptTools: () => [],
  toolStates: () => [],
  listTools: () => undefined,
  openDashboard: undefined,
};
const call = { signal: new AbortController().signal, progress: () => undefined };

function answer(output: Output, maxChars: number, args: Readonly<Record<string, unknown>> = {}) {
  const tool = defineTool({
    name: 'try_it',
    description: 'For tests.',
    toolset: 'workflow',
    effect: 'reads',
    needs: 'nothing',
    input: () => ({ max_answer_chars: z.int().default(-1), cursor: z.string().default('') }),
    run: async () => output,
  });
  const limits = { maxAnswerChars: 1000, symbolInfoBudgetMs: 0 };
  return runTool(tool, { max_answer_chars: maxChars, ...args }, { call, session, limits, format: 'legacy' });
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
    expect(renderLabels(given)).toBe(
      'Incomplete:\n- `a.py` was not searched: it broke. Try again.\nNote:\n- `b.py` still has the name',
    );
    expect(renderLabels(await answer({ value: 'x' }, -1))).toBeUndefined();
  });

  const entries = Array.from({ length: 12 }, (_, index) => `entry ${index}`);
  const cursorIn = ({ notes }: { notes: readonly string[] }) => /`cursor` "([^"]+)"/.exec(notes.join())?.[1];

  test('reads a long answer in pages of the same form, with nothing lost or repeated', async () => {
    for (const format of ['short', 'legacy']) {
      const first = await answer({ value: { a: entries }, shorter: [() => 'twelve'] }, 130, { format });
      const seen: unknown[] = format === 'short' ? JSON.parse(first.text).a : [];
      if (format === 'legacy') expect(first.text.split('\n').at(-1)).toBe('twelve');
      for (let cursor = cursorIn(first); cursor !== undefined; ) {
        const page = await answer({ value: { a: entries } }, 130, { format, cursor });
        expect(page.text.length).toBeLessThanOrEqual(130);
        seen.push(...JSON.parse(page.text).a);
        cursor = cursorIn(page);
      }
      expect(seen).toEqual(entries);
    }
  });

  test('states what a page shows, and that the answer has changed since the page before', async () => {
    const value = entries;
    const first = await answer({ value }, 60, { format: 'short' });
    expect(first.notes).toHaveLength(1);
    expect(first.notes[0]).toStartWith('Entries 1 to 5 of 12 are shown; for the next ones');
    const cursor = cursorIn(first);
    const changed = await answer({ value: [...value, 'one more'] }, 60, { cursor });
    expect(changed.notes[0]).toStartWith('The answer is not the one that this cursor was issued for');
    expect(changed.notes[1]).toStartWith('Entries 6 to 10 of 13 are shown');
    const beyond = await answer({ value: [] }, 60, { cursor });
    expect(beyond.text).toBe('');
  });

  test('skips an entry that is longer than the limit only on request', async () => {
    const value = ['a', 'b'.repeat(200), 'c'];
    const first = await answer({ value }, 50, { format: 'short' });
    const second = await answer({ value }, 50, { cursor: cursorIn(first) });
    expect([second.text, second.notes[0]]).toEqual(['', expect.stringContaining('Entry 2 of 3 is longer')]);
    expect((await answer({ value }, 50, { cursor: cursorIn(second) })).text).toBe('["c"]');
  });

  test('rejects an unknown format', async () => {
    expect(await rejection(answer({ value: 'x' }, -1, { format: 'xml' }))).toContain('`short` or `legacy`');
  });
});
