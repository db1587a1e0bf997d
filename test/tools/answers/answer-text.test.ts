import { describe, expect, test } from 'bun:test';
import {
  countEntries,
  listing,
  Pages,
  readCursor,
  renderListing,
  sliceEntries,
} from '../../../src/tools/answers/answer-text.ts';
import { rejection } from '../../support/rejection.ts';

const values: readonly (readonly [what: string, value: unknown, count: number])[] = [
  ['a list', [1, [2, 3], { a: 4 }], 3],
  ['an empty list', [], 1],
  ['lists in objects', { a: { x: [1, 2], y: [3] }, b: { x: [4] } }, 4],
  ['empty parts', { a: [], b: {}, c: [1, 2], d: 'text' }, 5],
  ['nothing', {}, 1],
  ['a number', 5, 1],
];

/** Joins two parts of a value. */
function joined(a: unknown, b: unknown): unknown {
  if (a === undefined) return b;
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (typeof a !== 'object' || typeof b !== 'object') return b;
  const keys = [...new Set([...Object.keys(Object(a)), ...Object.keys(Object(b))])];
  return Object.fromEntries(
    keys.map((key) => [key, key in Object(b) ? joined(Object(a)[key], Object(b)[key]) : Object(a)[key]]),
  );
}

describe('the entries of an answer', () => {
  test.each(values)('of %s are counted, and all slices together are the whole', (_what, value, count) => {
    expect(countEntries(value)).toBe(count);
    for (let size = 1; size <= count; size++) {
      let all: unknown;
      for (let from = 0; from < count; from += size) all = joined(all, sliceEntries(value, from, from + size));
      expect(all).toEqual(value);
    }
  });
});

describe('Pages', () => {
  const byFile = { 'a.ts': ['1: one', '2: two'], 'b.ts': ['3: three', '4: four', '5: five'] };
  const whole = listing('5 references in 2 files', byFile);

  test('have every entry once, in the form of the whole, within the limit', () => {
    const pages = new Pages(whole);
    for (let limit = 45; limit < 100; limit++) {
      const seen: string[] = [];
      for (let entry = 0; entry < pages.count; ) {
        const page = pages.startingAt(entry, limit);
        if (page === undefined) throw new Error(`No entry fits into ${limit}`);
        expect(page.text.length).toBeLessThanOrEqual(limit);
        expect(page.text).toStartWith('5 references in 2 files\n\n');
        seen.push(...page.text.split('\n').filter((line) => /^\d: /.test(line)));
        entry = page.next;
      }
      expect(seen).toEqual(Object.values(byFile).flat());
    }
  });

  test('of a text are its lines', () => {
    const pages = new Pages('one\ntwo\nthree');
    expect(pages.startingAt(0, 8)).toEqual({ text: 'one\ntwo', next: 2 });
    expect(pages.startingAt(2, 8)).toEqual({ text: 'three', next: 3 });
  });

  test('do not exist for an entry that is longer than the limit', () => {
    expect(new Pages(['x'.repeat(50), 'y']).startingAt(0, 20)).toBeUndefined();
  });

  test('have cursors that only the same answer accepts', () => {
    const cursor = readCursor(new Pages(whole).cursorAt(3));
    expect(cursor.entry).toBe(3);
    expect(new Pages(whole).isSame(cursor)).toBe(true);
    expect(new Pages(listing('5 references in 2 files', { 'a.ts': ['1: one'] })).isSame(cursor)).toBe(false);
  });

  test('reject what is not a cursor', async () => {
    for (const text of ['3', '-1-00000000', '3-xyz', '3-0123456789'])
      expect(await rejection(Promise.resolve().then(() => readCursor(text)))).toContain('is not valid');
  });
});

describe('renderListing()', () => {
  test('leaves out empty headings and titles', () => {
    expect(renderListing({ '': { '': ['a'] } })).toBe('a');
    expect(renderListing({ '0 symbols': {} })).toBe('0 symbols');
  });
});
