import { describe, expect, test } from 'bun:test';
import {
  lineAt,
  lineEnd,
  lineStarts,
  lineText,
  normalizeNewlines,
  sliceLines,
  splitLines,
} from '../../src/text/lines.ts';

describe('splitLines()', () => {
  const cases: [string, string[]][] = [
    ['', ['']],
    ['a', ['a']],
    ['a\n', ['a', '']],
    ['a\r\nb\rc\nd', ['a', 'b', 'c', 'd']],
    ['\n\r', ['', '', '']],
    ['a\fb\u2028c\x85d\v', ['a\fb\u2028c\x85d\v']],
    ['😀\r\n😀', ['😀', '😀']],
  ];
  test.each(cases)('splits %j', (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
    const starts = lineStarts(text);
    expect(starts.map((_, line) => lineText(text, starts, line) ?? '')).toEqual(lines);
  });
});

test('normalizeNewlines() converts all line breaks to line feeds', () => {
  expect(normalizeNewlines('a\r\nb\rc\n\r\r\n')).toBe('a\nb\nc\n\n\n');
});

describe('lineAt()', () => {
  const text = 'ab\r\n\nc';
  const starts = lineStarts(text);
  test.each([
    [0, 0],
    [2, 0],
    [3, 0],
    [4, 1],
    [5, 2],
    [6, 2],
    [99, 2],
  ])('finds the line of offset %d', (offset, line) => {
    expect(lineAt(starts, offset)).toBe(line);
  });

  test('is consistent with lineEnd()', () => {
    expect(starts.map((_, line) => lineEnd(text, starts, line))).toEqual([2, 4, 6]);
  });
});

describe('sliceLines()', () => {
  const text = 'line1\r\nline2\r\nline3\r\n';
  const cases: [number, number | undefined, string][] = [
    [0, undefined, 'line1\nline2\nline3\n'],
    [1, 1, 'line2'],
    [-2, undefined, 'line3\n'],
    [0, -2, 'line1\nline2\nline3'],
    [99, undefined, ''],
    [0, -1, 'line1\nline2\nline3\n'],
    [0, 99, 'line1\nline2\nline3\n'],
    [-99, 0, 'line1'],
    [2, 1, ''],
    [-1, -1, ''],
  ];
  test.each(cases)('slices from %d to %p', (start, end, expected) => {
    expect(sliceLines(text, start, end)).toBe(expected);
  });
});
