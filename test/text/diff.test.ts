import { expect, test } from 'bun:test';
import { applyEdits } from '../../src/text/apply-edits.ts';
import { smallerEdits } from '../../src/text/diff.ts';

const table: readonly (readonly [before: string, after: string, edits: number])[] = [
  ['', '', 0],
  ['a\nb\nc\n', 'a\nb\nc\n', 0],
  ['a\nb \nc\n', 'a\nb\nc\n', 1],
  ['a\n b\nc', 'a\nb\nc\n', 2],
  ['a \nb \nc\n', 'a\nb\nc\n', 2],
  ['a\nb\n', 'a\nx\ny\nb\n', 1],
  ['a\nx\ny\nb\n', 'a\nb\n', 1],
  ['f( a )\n\n\ng()\n', 'f(a)\n\ng()\n', 2],
  ['😀\nb', '😁\nb', 1],
];

test.each([...table])('the edits of %j to %j have the same result as the one edit', (before, after, count) => {
  const text = `before${before}after`;
  const edits = smallerEdits(text, { start: 6, end: 6 + before.length, text: after });
  expect(applyEdits(text, edits, 'a')).toBe(`before${after}after`);
  expect(edits.length).toBe(count);
});

test('edits of single lines contain only what changed', () => {
  const edits = smallerEdits('int  a;\nint b ;\nint c;\n', { start: 0, end: 23, text: 'int a;\nint b;\nint c;\n' });
  expect(edits).toEqual([
    { start: 4, end: 5, text: '' },
    { start: 13, end: 14, text: '' },
  ]);
});
