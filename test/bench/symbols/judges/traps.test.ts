import { expect, test } from 'bun:test';
import { languages } from '../../../../bench/symbols/languages.ts';
import { type Answer, type ContenderRun, cannotAnswer, type TrapWorkspace } from '../../../../bench/symbols/model.ts';
import { renderTrapTable } from '../../../../bench/symbols/render-trap-table.ts';
import { trapPackage, trapQuestions } from '../../../../bench/symbols/traps-task.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { knownPackage } from './known-package.ts';

const workspace: TrapWorkspace = {
  files: {
    'a.py': 'def total():  # !t\n    return 1\n\n\ntotal()  # @t\n',
    'b.py': '\uFEFFfrom a import total  # ?t\r\n\r\ntotal()  # @t\r\n',
  },
  traps: [
    { name: 'plain', asks: 'references', mark: 't', namePath: 'total' },
    {
      name: 'changed',
      asks: 'references',
      mark: 't',
      namePath: 'total',
      rewritten: { 'a.py': '\n\ndef total():  # !t\n    return 1\n' },
    },
  ],
};

function runOf(directory: string, answer: (call: number) => Partial<Answer>): ContenderRun {
  let calls = 0;
  return {
    directory,
    references: async () => ({ ...cannotAnswer, outcome: 'answered', ...answer(calls++) }),
    overview: async () => cannotAnswer,
    stop: async () => undefined,
  };
}

const at = (file: string, line: number) => ({ file, line, column: 0 });
const [language] = languages;
if (language === undefined) throw new Error('there is no language');
const questions = trapQuestions(workspace, knownPackage(language, []));

test('marks decide what must and what may be in an answer', async () => {
  const [plain] = questions;
  if (plain === undefined) throw new Error('there is no question');
  const verdictOn = (...positions: Answer['positions']) =>
    plain.score({ ...cannotAnswer, outcome: 'answered', positions }).verdict;
  expect(verdictOn(at('a.py', 4), at('b.py', 2))).toBe('exact');
  expect(verdictOn(at('a.py', 4), at('b.py', 2), at('b.py', 0))).toBe('exact');
  expect(verdictOn(at('a.py', 4))).toBe('silent');
  expect(verdictOn(at('a.py', 4), at('b.py', 2), at('b.py', 1))).toBe('extra');
});

test('a file is rewritten between two calls, and the second one counts', async () => {
  await using made = makeWorkspace(workspace.files);
  const changed = questions[1];
  if (changed === undefined) throw new Error('there is no question');
  const seen: string[] = [];
  const run = runOf(made.root, (call) => {
    seen.push(made.read('a.py'));
    return { positions: call === 0 ? [] : [at('b.py', 2)] };
  });
  expect(changed.score(await changed.ask(run)).verdict).toBe('exact');
  expect(seen).toEqual([
    workspace.files['a.py'] ?? '',
    changed === undefined ? '' : '\n\ndef total():  # !t\n    return 1\n',
  ]);
  expect(made.read('a.py')).toBe(workspace.files['a.py'] ?? '');
});

test('a mark without a declaration is an error', () => {
  const traps = [{ name: 'wrong', asks: 'references' as const, mark: 'u', namePath: 'total' }];
  expect(() => trapQuestions({ ...workspace, traps }, knownPackage(language, []))).toThrow(
    '!u is not on exactly one line',
  );
});

for (const { traps, packages } of languages) {
  test(`the traps of ${packages[0]?.language} are well-formed`, () => {
    const [model] = packages;
    if (traps === undefined || model === undefined) return;
    const asked = trapQuestions(traps, model);
    expect(new Set(asked.map(({ name }) => name)).size).toBe(asked.length);
    for (const { name, expected } of asked) expect({ name, isEmpty: expected === 0 }).toEqual({ name, isEmpty: false });
    const { firstFile } = trapPackage(traps, model);
    if (firstFile !== undefined) expect(Object.keys(traps.files)).toContain(firstFile);
  });
}

test('the table counts answers that are wrong without saying so', () => {
  const entry = (contender: string, traps: Readonly<Record<string, string>>) => ({
    language: 'go',
    task: 'traps',
    contender,
    packages: { 'traps go': 2 },
    measured: { date: '2026-11-23' },
    verdicts: {},
    traps,
  });
  const table = renderTrapTable([
    entry('a', { overloads: 'exact', macros: 'labelled' }),
    entry('b', { overloads: 'silent', macros: 'extra' }),
  ]);
  expect(table).toContain('| go: macros | labelled | extra |');
  expect(table).toContain('| **silently wrong** | 0 | 2 |');
});
