import { expect, test } from 'bun:test';
import { parseBoundedJson } from '../../src/base/bounded-json.ts';

test('a text is parsed whatever its strings contain', () => {
  const value = { a: ['[,{"\\', '\\"', ',\\\\'], b: { c: null }, d: '['.repeat(10_000) };
  expect(parseBoundedJson(JSON.stringify(value), { values: 12, depth: 2 })).toEqual(value);
  expect(() => parseBoundedJson('{"a')).toThrow(SyntaxError);
});

test('a text with too many values is refused before it takes memory', () => {
  expect(() => parseBoundedJson('['.repeat(20_000_000))).toThrow('nested more than 1000 levels deep');
  expect(() => parseBoundedJson(`[${'[],'.repeat(5_000_000)}1]`)).toThrow('more than 500000 values');
  expect(() => parseBoundedJson('[1,2,3]', { values: 3 })).toThrow('more than 3 values');
  expect(parseBoundedJson('[1,2,3]', { values: 4 })).toEqual([1, 2, 3]);
});
