import { expect, test } from 'bun:test';
import { sameEdits } from '../../../../bench/symbols/edits/same-edits.ts';
import type { Entry } from '../../../../bench/symbols/publishing/entry.ts';

type Changes = Pick<Entry, 'contender' | 'packages' | 'verdicts'> & Partial<Entry>;

function entry(changes: Changes): Entry {
  return { language: 'go', task: 'rename', measured: { date: '2026-11-23' }, ...changes };
}

function failure(question: string, verdict: string) {
  return { package: 'chi', question, verdict };
}

const ours = entry({
  contender: 'ours',
  packages: { chi: 6 },
  verdicts: { pass: 4, refused: 1, corrupt: 1 },
  failures: [failure('a.go:1 A', 'refused'), failure('a.go:9 F', 'corrupt')],
});

test('changes of a part of the symbols are compared with those of the same symbols', () => {
  const questions = ['a.go:1 A', 'a.go:2 B', 'a.go:3 C'];
  const verdicts = { pass: 1, corrupt: 2 };
  const theirs = entry({ contender: 'theirs', packages: { chi: 3 }, verdicts, questions });
  expect(sameEdits([ours, theirs], 'theirs', 'ours')).toEqual({
    count: 3,
    theirs: { right: 1, harmful: 2 },
    ours: { right: 2, harmful: 0 },
  });
});

test('changes of all symbols are compared without their names', () => {
  const theirs = entry({ contender: 'theirs', packages: { chi: 6 }, verdicts: { pass: 5, refused: 1 } });
  expect(sameEdits([ours, theirs], 'theirs', 'ours')).toEqual({
    count: 6,
    theirs: { right: 5, harmful: 0 },
    ours: { right: 4, harmful: 1 },
  });
});

test.each([
  ['of a part of the symbols without their names', { packages: { chi: 3 }, verdicts: { pass: 3 } }],
  ['of more symbols', { packages: { chi: 7 }, verdicts: { pass: 7 }, questions: ['a.go:1 A'] }],
  ['of another package', { packages: { lo: 6 }, verdicts: { pass: 6 } }],
  ['that the contender cannot make', { packages: { chi: 6 }, verdicts: { cannot: 6 } }],
])('changes %s are left out', (_, changes) => {
  const theirs = entry({ contender: 'theirs', ...changes });
  expect(sameEdits([ours, theirs], 'theirs', 'ours').count).toBe(0);
});
