import { describe, expect, test } from 'bun:test';
import { countCharacters, withoutMiddle } from '../../src/text/characters.ts';

describe('countCharacters()', () => {
  const cases: [string, number][] = [
    ['', 0],
    ['aé€', 3],
    ['😀😀', 2],
    ['\ud800a', 2],
    ['\udc00\ud800', 2],
  ];
  for (const [text, count] of cases) {
    test(`${JSON.stringify(text)} has ${count}`, () => expect(countCharacters(text)).toBe(count));
  }
});

describe('withoutMiddle()', () => {
  const cases: [string, number, string][] = [
    ['', 8, ''],
    ['12345678', 8, '12345678'],
    ['123456789', 8, '12\n[… 1 character omitted …]\n456789'],
    [`${'a'.repeat(100)}end`, 8, 'aa\n[… 95 characters omitted …]\naaaend'],
    // A surrogate pair is never split, and counts as one character.
    ['😀'.repeat(10), 6, '😀\n[… 7 characters omitted …]\n😀😀'],
    [`a${'😀'.repeat(10)}`, 8, 'a😀\n[… 6 characters omitted …]\n😀😀😀'],
  ];
  for (const [text, kept, expected] of cases) {
    test(`${JSON.stringify(text.slice(0, 20))} at ${kept}`, () => expect(withoutMiddle(text, kept)).toBe(expected));
  }
});
