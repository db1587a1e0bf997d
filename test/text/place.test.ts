import { describe, expect, test } from 'bun:test';
import { resolve } from 'node:path';
import {
  comparePlaces,
  contains,
  distinctPlaces,
  isOutside,
  isSamePlace,
  isSameRange,
  keyAt,
  type Place,
  placeAt,
  placeKey,
  touches,
} from '../../src/text/place.ts';

function at(file: string, line: number, character: number, length = 0): Place {
  return placeAt(file, { line, character }, length);
}

describe('placeAt()', () => {
  test('covers a part of one line, by default none of it', () => {
    const start = { line: 2, character: 4 };
    expect(placeAt('a.py', start, 3)).toEqual({ file: 'a.py', range: { start, end: { line: 2, character: 7 } } });
    expect(placeAt('a.py', start).range.end).toEqual(start);
  });
});

describe('placeKey()', () => {
  test('depends on the file and the start alone', () => {
    expect(placeKey(at('a.py', 1, 2, 3))).toBe(placeKey(at('a.py', 1, 2)));
    expect(placeKey(at('a.py', 1, 2))).toBe(keyAt('a.py', { line: 1, character: 2 }));
    const keys = [at('a.py', 1, 2), at('b.py', 1, 2), at('a.py', 12, 2), at('a.py', 1, 22), at('A.py', 1, 2)].map(
      placeKey,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('tells files with odd names apart', () => {
    const keys = [at('a.py:1', 2, 3), at('a.py', 12, 3), at('ä b/c.py', 1, 2), at('ä b\\c.py', 1, 2)].map(placeKey);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('isSamePlace()', () => {
  test('compares the file, in its case, and the start', () => {
    expect(isSamePlace(at('a.py', 1, 2, 3), at('a.py', 1, 2, 5))).toBe(true);
    expect(isSamePlace(at('a.py', 1, 2), at('A.py', 1, 2))).toBe(false);
    expect(isSamePlace(at('a.py', 1, 2), at('a.py', 1, 3))).toBe(false);
    expect(isSamePlace(at('a.py', 1, 2), at('a.py', 2, 2))).toBe(false);
  });
});

test('comparePlaces() sorts by file, line and column', () => {
  const sorted = [at('a.py', 0, 5), at('a.py', 2, 1), at('a.py', 10, 0), at('b.py', 0, 0)];
  expect([3, 1, 0, 2].flatMap((index) => sorted[index] ?? []).sort(comparePlaces)).toEqual(sorted);
  expect(comparePlaces(at('a.py', 1, 2, 3), at('a.py', 1, 2))).toBe(0);
});

test('distinctPlaces() keeps the last of equal places at the position of the first', () => {
  const places = [at('a.py', 1, 2), at('b.py', 1, 2), at('a.py', 1, 2, 7)];
  expect(distinctPlaces(places)).toEqual([at('a.py', 1, 2, 7), at('b.py', 1, 2)]);
});

describe('contains()', () => {
  const range = { start: { line: 1, character: 4 }, end: { line: 3, character: 2 } };

  test.each([
    [1, 4, true],
    [2, 0, true],
    [3, 2, true],
    [1, 3, false],
    [3, 3, false],
    [0, 9, false],
  ])('line %d, column %d: %p', (line, character, expected) => {
    expect(contains(range, { line, character })).toBe(expected);
  });
});

test('touches() is true for ranges that overlap or meet', () => {
  const range = at('a.py', 1, 4, 4).range;
  const others = [0, 1, 4, 8, 9].map((character) => at('a.py', 1, character, 3).range);
  expect(others.map((other) => touches(range, other))).toEqual([false, true, true, true, false]);
  expect(others.map((other) => touches(other, range))).toEqual([false, true, true, true, false]);
});

test('isSameRange() compares both ends', () => {
  expect(isSameRange(at('a.py', 1, 4, 4).range, at('b.py', 1, 4, 4).range)).toBe(true);
  expect(isSameRange(at('a.py', 1, 4, 4).range, at('a.py', 1, 4, 5).range)).toBe(false);
});

describe('isOutside()', () => {
  test('is true for absolute paths alone', () => {
    expect(isOutside(at('src/a.py', 0, 0))).toBe(false);
    expect(isOutside(at('..a/b.py', 0, 0))).toBe(false);
    expect(isOutside(at(resolve('/lib/a.py'), 0, 0))).toBe(true);
  });
});
