import { describe, expect, test } from 'bun:test';
import { matchLines, renderLine, renderMatch } from '../../src/text/display.ts';
import { lineStarts } from '../../src/text/lines.ts';

test('renderLine() aligns the number to four characters', () => {
  expect(renderLine('match', 0, 'x = 1')).toBe('  >   0:x = 1');
  expect(renderLine('context', 33, 'def f():')).toBe('...  33:def f():');
  expect(renderLine('match', 1234, 'y')).toBe('  >1234:y');
  expect(renderLine('match', 12345, '')).toBe('  >12345:');
});

describe('renderMatch()', () => {
  const text = 'zero\none\ntwo\nthree\n';
  const starts = lineStarts(text);
  const render = (start: number, end: number, before = 0, after = 0) =>
    renderMatch(text, starts, matchLines(starts, start, end), { before, after }).split('\n');

  test('shows the lines a match touches', () => {
    expect(render(2, 7)).toEqual(['  >   0:zero', '  >   1:one']);
  });

  test('omits a line at whose start the match ends', () => {
    expect(render(0, 5)).toEqual(['  >   0:zero']);
    expect(render(0, 9)).toEqual(['  >   0:zero', '  >   1:one']);
  });

  test('shows an empty match at the start of a line', () => {
    expect(render(5, 5)).toEqual(['  >   1:one']);
    expect(render(19, 19)).toEqual(['  >   4:']);
  });

  test('clips context to the file', () => {
    expect(render(5, 6, 9, 1)).toEqual(['...   0:zero', '  >   1:one', '...   2:two']);
    expect(render(14, 15, 1, 9)).toEqual(['...   2:two', '  >   3:three', '...   4:']);
  });

  test('treats negative context as none', () => {
    expect(render(5, 6, -1, -9)).toEqual(['  >   1:one']);
  });
});
