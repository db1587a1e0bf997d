import { expect, test } from 'bun:test';
import type { Entry } from '../../../../bench/symbols/publishing/entry.ts';
import { sameQuestions } from '../../../../bench/symbols/publishing/same-questions.ts';

function entry(
  contender: string,
  packages: Entry['packages'],
  verdicts: Entry['verdicts'],
  task = 'references',
): Entry {
  return { language: 'go', task, contender, packages, measured: { date: '2026-11-23' }, verdicts };
}

const ours = [
  entry('ours', { chi: 10 }, { exact: 9, extra: 1 }),
  entry('ours', { lo: 5 }, { exact: 4, labelled: 1 }),
  entry('ours', { zap: 7 }, { exact: 7 }),
];

test('entries are compared if both contenders were asked as many questions about their packages', () => {
  const entries = [...ours, entry('theirs', { chi: 10, lo: 5 }, { exact: 8, silent: 7 })];
  expect(sameQuestions(entries, 'theirs', 'ours')).toEqual({
    theirs: { exact: 8, silent: 7 },
    ours: { exact: 13, extra: 1, labelled: 1 },
  });
});

test.each([
  ['about more questions', entry('theirs', { chi: 11, lo: 5 }, { exact: 16 })],
  ['about another package', entry('theirs', { chi: 10, gin: 5 }, { exact: 15 })],
  ['of another task', entry('theirs', { chi: 10 }, { exact: 10 }, 'overview')],
  ['of a task that the contender cannot do', entry('theirs', { chi: 10 }, { cannot: 10 })],
])('an entry %s is left out', (_, other) => {
  const entries = [...ours, other, entry('theirs', { zap: 7 }, { exact: 6, silent: 1 })];
  expect(sameQuestions(entries, 'theirs', 'ours')).toEqual({ theirs: { exact: 6, silent: 1 }, ours: { exact: 7 } });
});
