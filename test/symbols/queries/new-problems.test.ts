import { describe, expect, test } from 'bun:test';
import type { Diagnostic } from '../../../src/lsp/features/diagnostic.ts';
import { type FileProblems, newProblems } from '../../../src/symbols/queries/new-problems.ts';

/** A text whose faults are the lines with `!`, each told from there to the end of the line. */
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
    { what: 'nothing where nothing changed', after: ['a', 'b', 'c !old', 'd', 'e !old', 'f'], fresh: [] },
    { what: 'not those that lines above moved', after: ['a', 'x', 'y', 'b', 'c !old', 'd', 'e !old', 'f'], fresh: [] },
    { what: 'those in lines that were added', after: ['a', 'b', 'c !old', '!new', 'd', 'e !old', 'f'], fresh: [3] },
    {
      what: 'those that say what another says already',
      after: ['a', 'b', 'c !old', 'd !old', 'e !old', 'f'],
      fresh: [3],
    },
    { what: 'not those in edited lines that were there', after: ['a', 'b', 'cc !old', 'd', 'e !old', 'f'], fresh: [] },
    { what: 'those in edited lines that were not', after: ['a', 'b', 'c !new', 'd', 'e !old', 'f'], fresh: [2] },
    { what: 'those an edit elsewhere brought about', after: ['a !new', 'b', 'c !old', 'x', 'e !old', 'f'], fresh: [0] },
    { what: 'none in an emptied file', after: [''], fresh: [] },
  ];
  for (const { what, after, fresh } of rows) {
    test(`tells ${what}`, () => expect(newLines(old, problemsOf(...after))).toEqual(fresh));
  }

  test('tells all in a file without any before', () => {
    expect(newLines(problemsOf(''), problemsOf('!a', '!b'))).toEqual([0, 1]);
  });

  // A definition is gone, and the line that uses it, far away and as it was, has a fault now.
  test('tells of a fault in a line that did not change', () => {
    const before = { ...problemsOf('def f', 'f()'), problems: [] };
    const { problems } = problemsOf('', '!f()');
    expect(newLines(before, { file: 'a.py', text: '\nf()', problems })).toEqual([1]);
  });

  test('takes another severity, code or source for another problem', () => {
    for (const change of [{ severity: 2 }, { code: 'x' }, { source: 'y' }]) {
      const changed = { ...old, problems: old.problems.map((problem) => ({ ...problem, ...change })) };
      expect(newLines(old, changed)).toEqual([2, 4]);
    }
  });
});
