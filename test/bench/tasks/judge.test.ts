// The judge of whole tasks, on a small package in Python: what an agent leaves and says is called what it is.
import { expect } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Scratch } from '../../../bench/symbols/edits/scratch.ts';
import { python } from '../../../bench/symbols/languages/python.ts';
import { judgeTree } from '../../../bench/tasks/judge.ts';
import type { RenameTask, TaskResult, Work } from '../../../bench/tasks/model.ts';
import { factsOf, placeKey, type Truth, truthOf } from '../../../bench/tasks/truth.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { knownPackage } from '../symbols/judges/known-package.ts';

const task: RenameTask = {
  name: 'a method, its override and a use that nothing resolves',
  language: 'python',
  package: 'shapes',
  symbol: 'shapes.py#Shape/area',
  newName: 'surface',
  unresolved: ['report.py:8'],
};

const files = {
  'shapes.py': `class Shape:
    def area(self):
        return 0.0

    def report(self):
        return f"{self.area()}"


class Square(Shape):
    # The area of a square.
    def area(self):
        return 4.0
`,
  'report.py': `class Field:
    def area(self):
        return "a meadow"


def both(shape, field):
    first: Field = field
    print(shape.area())
    print(first.area())
`,
};

interface Case {
  readonly title: string;
  /** Lines, from 1, in which the agent writes the new name. */
  readonly changed: Readonly<Record<string, readonly number[]>>;
  readonly claim: Work['claim'];
  /** Text that it appends to the first file. */
  readonly appended?: string;
  readonly expected: Pick<TaskResult, 'verdict' | 'isFalseDone'>;
}

const all = { 'shapes.py': [2, 6, 11], 'report.py': [8] };
const missed = { verdict: 'missed', isFalseDone: true } as const;

const cases: readonly Case[] = [
  { title: 'everything', changed: all, claim: 'done', expected: { verdict: 'complete', isFalseDone: false } },
  {
    title: 'a comment besides',
    changed: { ...all, 'shapes.py': [2, 6, 10, 11] },
    claim: 'done',
    expected: { verdict: 'complete', isFalseDone: false },
  },
  { title: 'no override', changed: { ...all, 'shapes.py': [2, 6] }, claim: 'done', expected: missed },
  { title: 'no unresolved use', changed: { 'shapes.py': [2, 6, 11] }, claim: 'done', expected: missed },
  {
    title: 'no unresolved use, and it says so',
    changed: { 'shapes.py': [2, 6, 11] },
    claim: 'open',
    expected: { verdict: 'open', isFalseDone: false },
  },
  {
    title: 'a homonym',
    changed: { ...all, 'report.py': [2, 8, 9] },
    claim: 'done',
    expected: { verdict: 'over-edited', isFalseDone: true },
  },
  {
    title: 'something else',
    changed: all,
    claim: 'open',
    appended: '\n\nX = 1\n',
    expected: { verdict: 'over-edited', isFalseDone: false },
  },
  { title: 'nothing', changed: {}, claim: 'done', expected: missed },
  {
    title: 'nothing, and it says so',
    changed: {},
    claim: 'refused',
    expected: { verdict: 'refused', isFalseDone: false },
  },
];

const whyNot = whyNoProgram('python3');

const pack = knownPackage(python, ['.']);
const { root: original } = makeWorkspace(files);
let asked: Promise<Truth> | undefined;

function truth(): Promise<Truth> {
  asked ??= truthOf(task, factsOf(python, pack, original), original);
  return asked;
}

testUnless(whyNot)('the truth has the family, its uses and what nobody resolves', async () => {
  const { must } = await truth();
  expect(must.map(placeKey).sort()).toEqual(['report.py:8:17', 'shapes.py:11:9', 'shapes.py:2:9', 'shapes.py:6:24']);
});

for (const { title, changed, claim, appended, expected } of cases) {
  testUnless(whyNot)(`an agent that changes ${title} and says \`${claim}\`: ${expected.verdict}`, async () => {
    const scratch = new Scratch(original, join(makeTempDir(), 'copy'));
    for (const [file, lines] of Object.entries(changed)) {
      const path = join(scratch.directory, file);
      const text = readFileSync(path, 'utf8').split('\n');
      for (const line of lines) text[line - 1] = (text[line - 1] ?? '').replace('area', 'surface');
      writeFileSync(path, text.join('\n') + (file === 'shapes.py' ? (appended ?? '') : ''));
    }
    const work = { claim, calls: 1, charsIn: 0, charsOut: 0, ms: 0 };
    const judged = await judgeTree({
      task,
      pack,
      oracle: python.edits,
      scratch,
      baseline: [],
      truth: await truth(),
      work,
    });
    expect({ verdict: judged.verdict, isFalseDone: judged.isFalseDone }).toEqual(expected);
  });
}
