import { describe, expect, test } from 'bun:test';
import { listWith } from '../../../src/symbols/edits/list-layout.ts';

/** Returns the parts of a list `(…)` whose items are names. */
function read(text: string) {
  const comments = [...text.matchAll(/#.*|\/\*.*?\*\//g)].map(({ index, 0: one }) => ({
    start: index,
    end: index + one.length,
  }));
  const isOutside = (at: number) => !comments.some(({ start, end }) => start <= at && at < end);
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].filter(({ index }) => isOutside(index));
  const commas = found(/,/g).map(({ index }) => index);
  const old = found(/\w+/g).map(({ index, 0: one }) => ({ start: index, end: index + one.length }));
  return { list: { start: 1, end: text.length - 1, hasBrackets: true, commas, comments }, old };
}

/** Returns a list with other items: letters are present ones, anything else is new. */
function changed(text: string, items: string): string {
  const { list, old } = read(text);
  const names = old.map(({ start, end }) => text.slice(start, end));
  const wanted = items.split(' ').filter((one) => one !== '');
  const chosen = wanted.map((one) => ({ origin: names.includes(one) ? names.indexOf(one) : undefined, text: one }));
  return `(${listWith(text, list, { old, items: chosen })})`;
}

describe('a list with other items', () => {
  const rows: readonly (readonly [text: string, items: string, expected: string])[] = [
    ['(a, b)', 'a b', '(a, b)'],
    ['()', 'new', '(new)'],
    ['(a)', '', '()'],
    ['(a, b)', 'b', '(b)'],
    ['(a, b)', 'b a', '(b, a)'],
    ['(a,b)', 'a b new', '(a,b, new)'],
    ['(a, b,)', 'a new b', '(a, new, b,)'],
    ['(\n  a,\n  b,\n)', 'a new b', '(\n  a,\n  new,\n  b,\n)'],
    ['(\n  a,\n  b,\n)', 'b', '(\n  b,\n)'],
    ['(\n  a,\n)', 'a new', '(\n  a,\n  new,\n)'],
    ['(\n  a,\n)', '', '()'],
    ['(\n  a,  # one\n  # above\n  b,  # two\n)', 'b a', '(\n  # above\n  b,  # two\n  a,  # one\n)'],
    ['(\n  a,  # one\n  # above\n  b,  # two\n)', 'a', '(\n  a,  # one\n)'],
    ['(\n  a,  # one\n  # above\n  b  # two\n)', 'a b new', '(\n  a,  # one\n  # above\n  b,  # two\n  new\n)'],
    ["(a, b,  # don't\n  c)", 'b a c', "(b,  # don't\n  a,\n  c)"],
    ['(a /* x */, /* y */ b)', 'b a', '(/* y */ b, a /* x */)'],
    ['(  # opening\n  a,\n  b)', 'b', '(  # opening\n  b)'],
    ['(a,\n  b)', 'new a b', '(new,\n  a,\n  b)'],
    ['(a, b  # last\n)', 'b a', '(b,  # last\n    a\n)'],
  ];
  for (const [text, items, expected] of rows) {
    test(`${JSON.stringify(text)} with ${items || 'nothing'}`, () => {
      expect(changed(text, items)).toBe(expected);
    });
  }
});
