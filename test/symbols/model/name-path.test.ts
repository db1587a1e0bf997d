import { describe, expect, test } from 'bun:test';
import { parsedProfiles, profileOf } from '../../../src/languages/profiles.ts';
import { matchesPattern, namePathOf, parsePattern, withParameterCount } from '../../../src/symbols/model/name-path.ts';
import { preOrder } from '../../../src/symbols/model/symbol.ts';
import { buildTree } from '../../../src/symbols/model/tree.ts';
import { symbol } from '../symbol.ts';

/** m · m2 · A { m, B { m } } · X { A { m } } · A2 { m, m } */
const tree = buildTree('f.py', [
  symbol('m', 12),
  symbol('m2', 12),
  symbol('A', 5, [symbol('m', 6), symbol('B', 5, [symbol('m', 6)]), symbol('getX', 6)]),
  symbol('X', 5, [symbol('A', 5, [symbol('m', 6)])]),
  symbol('AB', 5, [symbol('getX', 6)]),
  symbol('O', 5, [symbol('m', 6), symbol('m', 6)]),
]);

function matches(pattern: string, isSubstring = false): string[] {
  const parsed = parsePattern(pattern, { isSubstring });
  return [...preOrder(tree)].filter((node) => matchesPattern(parsed, node)).map(namePathOf);
}

describe('matchesPattern()', () => {
  // The rules of docs/compatibility.md, Name paths, on one tree.
  const cases: [string, string[]][] = [
    ['m', ['m', 'A/m', 'A/B/m', 'X/A/m', 'O/m[0]', 'O/m[1]']],
    ['A/m', ['A/m', 'X/A/m']],
    ['/A/m', ['A/m']],
    ['/m', ['m']],
    ['O/m[1]', ['O/m[1]']],
    ['A/m[1]', []],
    ['m/', ['m', 'A/m', 'A/B/m', 'X/A/m', 'O/m[0]', 'O/m[1]']],
    ['//A', ['A']],
    ['A//m', []],
    ['a/m', []],
    ['zzz', []],
  ];
  for (const [pattern, expected] of cases) {
    test(`finds ${expected.length} symbols for ${pattern}`, () => expect(matches(pattern)).toEqual(expected));
  }

  test('matches a substring only in the last component', () => {
    expect(matches('A/ge', true)).toEqual(['A/getX']);
    expect(matches('B/getX', true)).toEqual([]);
  });
});

describe('parsePattern()', () => {
  test('refuses a pattern without a name', () => {
    for (const text of ['', '/', '///']) expect(() => parsePattern(text)).toThrow('contains no symbol name');
  });

  test('keeps brackets without an overload number as part of the name', () => {
    expect(parsePattern('a[b]').components).toEqual([{ name: 'a[b]', bareName: undefined, overloadIndex: undefined }]);
    expect(parsePattern('a[12]').components).toEqual([{ name: 'a', bareName: undefined, overloadIndex: 12 }]);
  });
});

describe('methods that are not nested in their types', () => {
  const method = (name: string, receiver: string) => ({ ...symbol(name, 6), receiver });
  const nodes = preOrder(
    buildTree('f.go', [
      symbol('Stack', 23, [symbol('Len', 8)]),
      method('Push', 'Stack'),
      method('Push', 'Queue'),
      symbol('Push', 12),
    ]),
  );

  test.each([
    ['Push', ['Stack/Push', 'Queue/Push', 'Push']],
    ['/Push', ['Stack/Push', 'Queue/Push', 'Push']],
    ['Stack/Push', ['Stack/Push']],
    ['/Queue/Push', ['Queue/Push']],
    ['Push[1]', []],
    ['/Stack/Push', ['Stack/Push']],
    ['p/Stack/Push', []],
    ['Other/Push', []],
    ['Stack/Len', ['Stack/Len']],
  ])('%s', (pattern, expected) => {
    expect(nodes.filter((node) => matchesPattern(parsePattern(pattern), node)).map(namePathOf)).toEqual(expected);
  });
});

describe('names with the labels of parameters, as in Swift', () => {
  const methods = ['hop()', 'hop(over:by:)', 'hop(_:)', 'hopper()', 'call(x, y)'].map((name) => symbol(name, 6));
  const { nameForms } = parsedProfiles.swift;
  const nodes = preOrder(buildTree('f.swift', [symbol('Zed', 5, methods)], { nameForms }));

  test.each([
    ['hop', ['Zed/hop()', 'Zed/hop(over:by:)', 'Zed/hop(_:)']],
    ['/Zed/hop', ['Zed/hop()', 'Zed/hop(over:by:)', 'Zed/hop(_:)']],
    ['hop()', ['Zed/hop()']],
    ['Zed/hop(over:by:)', ['Zed/hop(over:by:)']],
    ['hop(over:)', []],
    ['call', []],
  ])('%s', (pattern, expected) => {
    expect(nodes.filter((node) => matchesPattern(parsePattern(pattern), node)).map(namePathOf)).toEqual(expected);
  });
});

describe('names that say more than the name', () => {
  /** By language: the names in a file, and the patterns that find them. */
  const forms: readonly (readonly [
    language: string,
    names: readonly string[],
    found: Readonly<Record<string, string[]>>,
  ])[] = [
    [
      'java',
      ['hop(int)', 'hop(List<Map<String, int[]>>)', 'Box<T>'],
      { hop: ['hop(int)', 'hop(List<Map<String, int[]>>)'], Box: ['Box<T>'] },
    ],
    [
      'csharp',
      ['Hop(int, int) : int', 'Pair : (int Left, int Right)', 'this[int] : string', 'Shop.Core'],
      { Hop: ['Hop(int, int) : int'], Pair: ['Pair : (int Left, int Right)'], Core: [] },
    ],
    [
      'cpp',
      ['Z<T>::hop', 'Z<int>', 'hop(int)', 'operator()', '~Z()'],
      { hop: ['Z<T>::hop', 'hop(int)'], Z: ['Z<int>'], operator: [] },
    ],
    ['php', ['hop(int $a): int', '$count'], { hop: ['hop(int $a): int'], count: ['$count'] }],
    ['perl', ['Foo::hop', '$count'], { hop: ['Foo::hop'], count: ['$count'] }],
    ['lua', ['M.hop', 'M.shop:hop', '"a.b"'], { hop: ['M.hop', 'M.shop:hop'], b: [] }],
    ['erlang', ['hop#1', 'hop#2'], { hop: ['hop#1', 'hop#2'], 'hop/2': ['hop#2'], 'hop/3': [] }],
    [
      'elixir',
      ['hop', 'def jump(a, b)', 'Shop.Basket', 'test "adds (1, 2)"'],
      { 'hop/1': ['hop'], jump: ['def jump(a, b)'], Basket: [], adds: [] },
    ],
    [
      'terraform',
      ['resource "aws_s3_bucket" "hop"', 'variable "zed"', 'bucket'],
      { hop: ['resource "aws_s3_bucket" "hop"'], zed: ['variable "zed"'], variable: [] },
    ],
  ];

  test.each(forms)('%s', (language, names, found) => {
    const { nameForms } = profileOf(language) ?? {};
    const nodes = preOrder(
      buildTree(
        'f',
        names.map((name) => symbol(name, 6)),
        { nameForms },
      ),
    );
    const matched = (text: string) => {
      const pattern = parsePattern(text);
      const named = nodes.filter((node) => matchesPattern(pattern, node));
      const counted = named.length === 0 ? withParameterCount(pattern) : undefined;
      return counted ? nodes.filter((node) => matchesPattern(counted, node)) : named;
    };
    for (const name of names) expect(matched(name).map(namePathOf)).toContain(name);
    expect(Object.fromEntries(Object.keys(found).map((text) => [text, matched(text).map(namePathOf)]))).toEqual(found);
  });

  test('of a name without parameters, a pattern with parameters is that name', () => {
    const nodes = preOrder(buildTree('f.swift', [symbol('hop', 6), symbol('hops', 6)]));
    for (const text of ['hop()', 'hop(over:by:)', 'hop(int, String)']) {
      expect(nodes.filter((node) => matchesPattern(parsePattern(text), node)).map(namePathOf)).toEqual(['hop']);
    }
  });
});
