import { describe, expect, test } from 'bun:test';
import type { Diagnostic } from '../../../src/lsp/documents/diagnostic.ts';
import { type FileProblems, newProblems } from '../../../src/symbols/queries/new-problems.ts';

/** Returns a text with one problem per line that contains `!`, from there to the end of the line. */
function problemsOf(...lines: string[]): FileProblems {
  const problems = lines.flatMap((text, line): Diagnostic[] => {
    const at = text.indexOf('!');
    if (at < 0) return [];
    const range = { start: { line, character: at }, end: { line, character: text.length } };
    return [{ range, message: text.slice(at), severity: 1, code: undefined, source: 'test' }];
  });
  return { file: 'a.py', text: lines.join('\n'), problems };
}

function newLines(before: FileProblems, after: FileProblems): number[] {
  return newProblems(before, after).map(({ range }) => range.start.line);
}

describe('newProblems()', () => {
  const old = problemsOf('a', 'b', 'c !old', 'd', 'e !old', 'f');

  const rows: readonly { what: string; after: string[]; fresh: number[] }[] = [
    { what: 'nothing if nothing changed', after: ['a', 'b', 'c !old', 'd', 'e !old', 'f'], fresh: [] },
    { what: 'no problems that only moved', after: ['a', 'x', 'y', 'b', 'c !old', 'd', 'e !old', 'f'], fresh: [] },
    { what: 'problems in added lines', after: ['a', 'b', 'c !old', '!new', 'd', 'e !old', 'f'], fresh: [3] },
    {
      what: 'problems with the same message as another',
      after: ['a', 'b', 'c !old', 'd !old', 'e !old', 'f'],
      fresh: [3],
    },
    {
      what: 'no problems in edited lines that existed before',
      after: ['a', 'b', 'cc !old', 'd', 'e !old', 'f'],
      fresh: [],
    },
    { what: 'new problems in edited lines', after: ['a', 'b', 'c !new', 'd', 'e !old', 'f'], fresh: [2] },
    {
      what: 'problems that an edit elsewhere caused',
      after: ['a !new', 'b', 'c !old', 'x', 'e !old', 'f'],
      fresh: [0],
    },
    { what: 'no problems in an emptied file', after: [''], fresh: [] },
  ];
  for (const { what, after, fresh } of rows) {
    test(`returns ${what}`, () => expect(newLines(old, problemsOf(...after))).toEqual(fresh));
  }

  test('returns all problems of a file that had none', () => {
    expect(newLines(problemsOf(''), problemsOf('!a', '!b'))).toEqual([0, 1]);
  });

  // A definition was deleted, and a distant, unchanged line that uses it now has a problem.
  test('returns a problem in an unchanged line', () => {
    const before = { ...problemsOf('def f', 'f()'), problems: [] };
    const { problems } = problemsOf('', '!f()');
    expect(newLines(before, { file: 'a.py', text: '\nf()', problems })).toEqual([1]);
  });

  test('distinguishes problems by severity, code and source', () => {
    for (const change of [{ severity: 2 }, { code: 'x' }, { source: 'y' }]) {
      const changed = { ...old, problems: old.problems.map((problem) => ({ ...problem, ...change })) };
      expect(newLines(old, changed)).toEqual([2, 4]);
    }
  });
});
