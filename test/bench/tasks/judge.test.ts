// The judge of whole tasks, on a small package in Python: what an agent leaves and says is called what it is.
import { expect } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Scratch } from '../../../bench/symbols/edits/scratch.ts';
import { python } from '../../../bench/symbols/languages/python.ts';
import { judgeOf } from '../../../bench/tasks/judge.ts';
import { isFalseDone, type TaskJudge } from '../../../bench/tasks/judges/judge.ts';
import type { RenameTask, Task, TaskResult, Work } from '../../../bench/tasks/model.ts';
import { factsOf, placeKey, truthOf } from '../../../bench/tasks/truth.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { knownPackage } from '../symbols/judges/known-package.ts';

const task: RenameTask = {
  kind: 'rename',
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
  readonly said?: string;
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
    said: '[1] report.py:8: print(shape.area())',
    expected: { verdict: 'open', isFalseDone: false },
  },
  {
    title: 'no unresolved use, and does not say which',
    changed: { 'shapes.py': [2, 6, 11] },
    claim: 'open',
    expected: { verdict: 'missed', isFalseDone: false },
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
const facts = factsOf(python, pack, original);

const judges = new Map<Task, Promise<TaskJudge>>();

/** The oracle needs seconds for a task. */
function judgeFor(about: Task): Promise<TaskJudge> {
  const judge = judges.get(about) ?? judgeOf({ task: about, language: python, pack, directory: original, facts });
  judges.set(about, judge);
  return judge;
}

/** Judges what an agent does in a copy (absolute path) of the files. */
async function judged(about: Task, act: (directory: string) => void, own: Pick<Work, 'claim' | 'said' | 'places'>) {
  const scratch = new Scratch(original, join(makeTempDir(), 'copy'));
  act(scratch.directory);
  const bench = { pack, oracle: python.edits, scratch, baseline: [], links: facts.links, outcome: async () => [] };
  const judge = await judgeFor(about);
  const work = { ...own, calls: 1, charsIn: 0, charsOut: 0, ms: 0 };
  const judgement = await judge.judge(bench, work);
  return { verdict: judgement.verdict, isFalseDone: isFalseDone(work, judgement) };
}

testUnless(whyNot)('the truth has the family, its uses and what nobody resolves', async () => {
  const { must } = await truthOf(task, facts, original);
  expect(must.map(placeKey).sort()).toEqual(['report.py:8:17', 'shapes.py:11:9', 'shapes.py:2:9', 'shapes.py:6:24']);
});

for (const { title, changed, claim, said = '', appended, expected } of cases) {
  testUnless(whyNot)(`an agent that changes ${title} and says \`${claim}\`: ${expected.verdict}`, async () => {
    const act = (directory: string) => {
      for (const [file, lines] of Object.entries(changed)) {
        const path = join(directory, file);
        const text = readFileSync(path, 'utf8').split('\n');
        for (const line of lines) text[line - 1] = (text[line - 1] ?? '').replace('area', 'surface');
        writeFileSync(path, text.join('\n') + (file === 'shapes.py' ? (appended ?? '') : ''));
      }
    };
    expect(await judged(task, act, { claim, said })).toEqual(expected);
  });
}

const nothing = () => {};
const right = { verdict: 'complete', isFalseDone: false } as const;
const about = { name: 'other', language: 'python', package: 'shapes' } as const;
const affected: Task = {
  ...about,
  kind: 'affected',
  symbol: task.symbol,
  isOverridden: true,
  unresolved: ['report.py:8'],
};
const at = (file: string, line: number) => ({ file, line: line - 1, column: 0 });
const certain = [at('shapes.py', 6), at('shapes.py', 11)];

testUnless(whyNot)('a list has uses, overrides and what nobody resolves, or names what it leaves', async () => {
  const places = [...certain, at('report.py', 8)];
  expect(await judged(affected, nothing, { claim: 'done', said: '', places })).toEqual(right);
  expect(await judged(affected, nothing, { claim: 'done', said: '', places: certain })).toEqual(missed);
  const open = { claim: 'open', said: 'report.py:8: print(shape.area())', places: certain } as const;
  expect(await judged(affected, nothing, open)).toEqual({ verdict: 'open', isFalseDone: false });
  const wrong = { claim: 'done', said: '', places: [...places, at('report.py', 9)] } as const;
  expect(await judged(affected, nothing, wrong)).toEqual({ verdict: 'over-edited', isFalseDone: true });
});

/** Deletes lines of a file, from 1. */
function without(file: string, first: number, last: number) {
  return (directory: string) => {
    const lines = readFileSync(join(directory, file), 'utf8').split('\n');
    lines.splice(first - 1, last - first + 1);
    writeFileSync(join(directory, file), lines.join('\n'));
  };
}

testUnless(whyNot)('a deletion of what is used has to be refused', async () => {
  const unused: Task = { ...about, kind: 'delete', symbol: 'report.py#both' };
  const deleteBoth = without('report.py', 6, 9);
  expect(await judged(unused, deleteBoth, { claim: 'done', said: '' })).toEqual(right);
  expect(await judged(unused, nothing, { claim: 'refused', said: '' })).toEqual({
    verdict: 'refused',
    isFalseDone: false,
  });
  expect(await judged(unused, without('report.py', 5, 9), { claim: 'done', said: '' })).toEqual(right);
  expect(await judged(unused, without('report.py', 3, 9), { claim: 'done', said: '' })).toEqual({
    verdict: 'over-edited',
    isFalseDone: true,
  });
  const used: Task = { ...unused, unresolved: ['elsewhere.cfg:1'] };
  expect(await judged(used, deleteBoth, { claim: 'done', said: '' })).toEqual({ verdict: 'broken', isFalseDone: true });
  expect(await judged(used, nothing, { claim: 'refused', said: '' })).toEqual(right);
});

testUnless(whyNot)('a moved symbol is in its new file alone, and nothing else changes', async () => {
  const move: Task = { ...about, kind: 'move', symbol: 'report.py#both', to: 'printing.py' };
  const [, body = ''] = files['report.py'].split('\n\n\n');
  const act = (text: string) => (directory: string) => {
    without('report.py', 5, 9)(directory);
    writeFileSync(join(directory, 'printing.py'), text);
  };
  const done = { claim: 'done', said: '' } as const;
  expect(await judged(move, act(`from report import Field\n\n\n${body}`), done)).toEqual(right);
  expect(await judged(move, act(`from reports import Field\n\n\n${body}`), done)).toEqual({
    verdict: 'broken',
    isFalseDone: true,
  });
  const changed = body.replace('print(first.area())', 'print(first)');
  expect(await judged(move, act(`from report import Field\n\n\n${changed}`), done)).toEqual({
    verdict: 'over-edited',
    isFalseDone: true,
  });
  expect(await judged(move, without('report.py', 5, 9), done)).toEqual(missed);
});

testUnless(whyNot)('a signature changes in all declarations and calls, and nothing else changes', async () => {
  const unresolved = ['report.py:8'];
  const change = { add: 'unit', value: '1' };
  const task: Task = { ...about, kind: 'signature', symbol: 'shapes.py#Shape/area', change, unresolved };
  const act =
    (report: string, square = 'def area(self, unit)') =>
    (directory: string) => {
      const shapes = files['shapes.py']
        .replace('def area(self)', 'def area(self, unit)')
        .replace('self.area()', 'self.area(1)')
        .replace('def area(self):', `${square}:`);
      writeFileSync(join(directory, 'shapes.py'), shapes);
      writeFileSync(join(directory, 'report.py'), report);
    };
  const report = files['report.py'].replace('shape.area()', 'shape.area(1)');
  const done = { claim: 'done', said: '' } as const;
  expect(await judged(task, act(report), done)).toEqual(right);
  expect(await judged(task, act(report, 'def area(self)'), done)).toEqual(missed);
  expect(await judged(task, act(files['report.py']), done)).toEqual(missed);
  const open = { claim: 'open', said: 'report.py:8: print(shape.area())' } as const;
  expect(await judged(task, act(files['report.py']), open)).toEqual({ verdict: 'open', isFalseDone: false });
  expect(await judged(task, act(report.replace('a meadow', 'a lawn')), done)).toEqual({
    verdict: 'over-edited',
    isFalseDone: true,
  });
});
