import { describe, expect, test } from 'bun:test';
import { lineStarts } from '../../src/text/lines.ts';
import { fromUtf16, offsetAt, positionAt, toUtf16 } from '../../src/text/position.ts';

describe('positionAt() and offsetAt()', () => {
  const text = 'a😀b\r\n\nç';
  const starts = lineStarts(text);

  test('are inverse to each other, in UTF-16 code units', () => {
    for (const [offset, line, character] of [
      [0, 0, 0],
      [3, 0, 3],
      [4, 0, 4],
      [6, 1, 0],
      [7, 2, 0],
      [8, 2, 1],
    ] as const) {
      expect(positionAt(text, starts, offset)).toEqual({ line, character });
      expect(offsetAt(text, starts, { line, character })).toBe(offset);
    }
  });

  test('clamp a character past the end of its line', () => {
    expect(offsetAt(text, starts, { line: 0, character: 99 })).toBe(4);
    expect(offsetAt(text, starts, { line: 2, character: 99 })).toBe(8);
  });

  test('return nothing for a line outside the text', () => {
    expect(offsetAt(text, starts, { line: 3, character: 0 })).toBeUndefined();
    expect(offsetAt(text, starts, { line: -1, character: 0 })).toBeUndefined();
  });

  test('clamp an offset outside the text', () => {
    expect(positionAt(text, starts, 99)).toEqual({ line: 2, character: 1 });
    expect(positionAt(text, starts, -1)).toEqual({ line: 0, character: 0 });
  });
});

describe('position encodings', () => {
  const line = 'aé漢😀z';
  const cases = [
    [0, 0, 0],
    [1, 1, 1],
    [2, 3, 2],
    [3, 6, 3],
    [5, 10, 4],
    [6, 11, 5],
  ] as const;
  test.each(cases)('UTF-16 %d is UTF-8 %d and UTF-32 %d', (utf16, utf8, utf32) => {
    expect(fromUtf16(line, utf16, 'utf-8')).toBe(utf8);
    expect(fromUtf16(line, utf16, 'utf-32')).toBe(utf32);
    expect(toUtf16(line, utf8, 'utf-8')).toBe(utf16);
    expect(toUtf16(line, utf32, 'utf-32')).toBe(utf16);
    expect(toUtf16(line, utf16, 'utf-16')).toBe(utf16);
  });

  test('a count inside a character means its start, one past the line its end', () => {
    expect(toUtf16(line, 8, 'utf-8')).toBe(3);
    expect(toUtf16(line, 99, 'utf-8')).toBe(6);
    expect(toUtf16(line, 99, 'utf-16')).toBe(6);
  });
});
