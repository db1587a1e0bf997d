import { describe, expect, test } from 'bun:test';
import { parse } from 'yaml';
import { addToList, removeFromList, setDeepInYaml, setInYaml } from '../../src/base/yaml-edit.ts';

/** Layouts that a serializer would change: quotes, indents, blank lines, comments, long lines, flow maps, anchors. */
const layout = [
  '# first',
  "quoted: 'a'   # two blanks",
  '',
  '',
  'map: {a: 1,b: 2}',
  'deep:',
  '    - x',
  '    -   y',
  `long: ${'word '.repeat(40)}end`,
  'folded: >-',
  '   some',
  '   text',
  'empty:',
  'flag: False',
  '',
].join('\n');

const after = '# after\nlast: "1"';

describe('addToList()', () => {
  test.each([
    [
      'a block list',
      'list:\n  - b # second\n  # about d\n  - d\n',
      'list:\n  - b # second\n  - c\n  # about d\n  - d\n',
    ],
    ['the beginning of a block list', 'list: # mine\n- d\n', 'list: # mine\n- c\n- d\n'],
    ['the end of a block list', 'list:\n- a\n- b # b\n', 'list:\n- a\n- b # b\n- c\n'],
    ['an empty list', 'list: []\n', 'list:\n  - c\n'],
    ['an empty list with a comment', 'list: [] # none yet\n', 'list: # none yet\n  - c\n'],
    ['an empty key', 'list:\n', 'list:\n  - c\n'],
    ['an empty key with a comment', 'list:   # none\n', 'list: # none\n  - c\n'],
    ['a flow list', 'list: [a, d]\n', 'list: [a, "c", d]\n'],
    ['the end of a flow list', 'list: [ a ]\n', 'list: [ a, "c" ]\n'],
  ])('adds to %s and changes no other line', (_name, part, expected) => {
    expect(addToList(layout + part + after, 'list', 'c')).toBe(layout + expected + after);
    const windows = (text: string) => text.replaceAll('\n', '\r\n');
    expect(addToList(windows(layout + part + after), 'list', 'c')).toBe(windows(layout + expected + after));
  });

  test('adds a missing list at the end', () => {
    expect(addToList(layout + after, 'list', 'c')).toBe(`${layout}${after}\nlist:\n  - c\n`);
    expect(addToList('', 'list', 'c')).toBe('list:\n  - c\n');
    expect(addToList('# only this\n', 'list', 'c')).toBe('# only this\nlist:\n  - c\n');
  });

  test.each(['/a: b', '- x', '#c', '*d', 'true', "it's", 'C:\\x y', 'a, b]'])(
    'writes %j so that it is parsed back unchanged',
    (value) => {
      for (const text of ['list:\n', 'list: [m]\n', 'list:\n- m\n']) {
        expect(parse(addToList(text, 'list', value)).list).toContain(value);
      }
    },
  );

  test('returns a text that has the value unchanged', () => {
    expect(addToList(`${layout}list: ['c']\n`, 'list', 'c')).toBe(`${layout}list: ['c']\n`);
  });

  test('keeps the meaning of a file whose lines cannot be edited', () => {
    expect(parse(addToList('{list: [a], other: 1}', 'list', 'c'))).toEqual({ list: ['a', 'c'], other: 1 });
    expect(parse(addToList('x: &l [a]\nlist: *l\n', 'list', 'c')).x).toEqual(['a']);
  });
});

describe('removeFromList()', () => {
  test.each([
    ['a block list', 'list:\n  - a\n  - c # gone\n  - d\n', 'list:\n  - a\n  - d\n'],
    ['the only item of a block list', 'list: # mine\n- c\n', 'list: [] # mine\n'],
    ['a flow list', 'list: [a, c, d]\n', 'list: [a, d]\n'],
    ['the end of a flow list', 'list: [a, c]\n', 'list: [a]\n'],
    ['the only item of a flow list', 'list: [c]\n', 'list: []\n'],
  ])('removes from %s and changes no other line', (_name, part, expected) => {
    expect(removeFromList(layout + part + after, 'list', 'c')).toBe(layout + expected + after);
  });

  test('removes the last line of a text', () => {
    expect(removeFromList('list:\n- a\n- c', 'list', 'c')).toBe('list:\n- a\n');
  });

  test('returns a text without the value unchanged', () => {
    for (const text of [layout, `${layout}list:\n`, `${layout}list: [a]\n`]) {
      expect(removeFromList(text, 'list', 'c')).toBe(text);
    }
  });
});

describe('setInYaml()', () => {
  test.each([
    ['a value', "key: 'old' # why\n", 'key: new # why\n'],
    ['an empty key', 'key: # why\n', 'key: new # why\n'],
    ['a bare key', 'key:\n', 'key: new\n'],
  ])('replaces %s and changes no other line', (_name, part, expected) => {
    expect(setInYaml(layout + part + after, 'key', 'new')).toBe(layout + expected + after);
  });

  test.each([
    ['a list on its own lines', 'key: # why\n  # first\n  - a\n  - b\n', 'key: ["c"]\n'],
    ['a list without indentation', 'key:\n- a\n- b\n', 'key: ["c"]\n'],
    ['a list on one line', 'key: [a, b] # why\n', 'key: ["c"] # why\n'],
    ['a value', 'key: old # why\n', 'key: ["c"] # why\n'],
  ])('replaces %s by a list', (_name, part, expected) => {
    const changed = setInYaml(layout + part + after, 'key', ['c']);
    expect(changed).toStartWith(layout);
    expect(changed).toEndWith(after);
    expect(parse(changed)).toEqual(parse(layout + expected + after));
  });

  test('adds a key at the end', () => {
    expect(setInYaml(layout + after, 'key', 'new')).toBe(`${layout}${after}\nkey: new\n`);
  });
});

describe('setDeepInYaml()', () => {
  test('sets a value in maps, adds those that are missing, and keeps comments', () => {
    const text = '# top\nmap:\n  a: # why\n    x: 1 # one\n  b:\nempty:\nother: 1\n';
    const changed = setDeepInYaml(text, ['map', 'a', 'y'], [2]);
    expect(parse(changed)).toEqual({ map: { a: { x: 1, y: [2] }, b: null }, empty: null, other: 1 });
    for (const comment of ['# top', '# why', '# one']) expect(changed).toContain(comment);
    expect(parse(setDeepInYaml(text, ['map', 'b', 'c'], 3))).toMatchObject({ map: { b: { c: 3 } } });
    expect(parse(setDeepInYaml(text, ['empty', 'a', 'b'], 3))).toMatchObject({ empty: { a: { b: 3 } } });
    expect(parse(setDeepInYaml(text, ['new', 'a'], 3))).toMatchObject({ new: { a: 3 }, other: 1 });
    expect(() => setDeepInYaml(text, ['other', 'a'], 3)).toThrow();
  });
});
