import { describe, expect, test } from 'bun:test';
import type { PlainSymbol } from '../../../src/lsp/features/document-symbols.ts';
import { ownerAt, symbolAround, symbolAt } from '../../../src/symbols/model/at-position.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import type { SymbolNode } from '../../../src/symbols/model/symbol.ts';
import { buildTree } from '../../../src/symbols/model/tree.ts';

type Place = readonly [line: number, character: number];

const position = ([line, character]: Place) => ({ line, character });
const range = (start: Place, end: Place) => ({ start: position(start), end: position(end) });
const symbol = (
  name: string,
  kind: number,
  places: { body: [Place, Place]; name: [Place, Place] },
  children: readonly PlainSymbol[] = [],
): PlainSymbol => ({
  name,
  kind,
  range: range(...places.body),
  selectionRange: range(...places.name),
  children,
});

/*
 * 0: class Outer:
 * 1:     limit = 10
 * 2:     def method(self): return 1
 * 3:     def other(self):
 * 4:         inner = 2
 * 5: free = 1; loose = 2
 * 6: async def late(): pass
 */
const tree = buildTree('a.py', [
  symbol(
    'Outer',
    5,
    {
      body: [
        [0, 0],
        [4, 17],
      ],
      name: [
        [0, 6],
        [0, 11],
      ],
    },
    [
      symbol('limit', 13, {
        body: [
          [1, 4],
          [1, 9],
        ],
        name: [
          [1, 4],
          [1, 9],
        ],
      }),
      symbol('method', 6, {
        body: [
          [2, 4],
          [2, 30],
        ],
        name: [
          [2, 8],
          [2, 14],
        ],
      }),
      symbol(
        'other',
        6,
        {
          body: [
            [3, 4],
            [5, 0],
          ],
          name: [
            [3, 8],
            [3, 13],
          ],
        },
        [
          symbol('inner', 13, {
            body: [
              [4, 8],
              [4, 13],
            ],
            name: [
              [4, 8],
              [4, 13],
            ],
          }),
        ],
      ),
    ],
  ),
  symbol('free', 13, {
    body: [
      [5, 0],
      [5, 4],
    ],
    name: [
      [5, 0],
      [5, 4],
    ],
  }),
  symbol('loose', 13, {
    body: [
      [5, 10],
      [5, 15],
    ],
    name: [
      [5, 10],
      [5, 15],
    ],
  }),
  // Servers differ in whether the range begins with the keywords.
  symbol('late', 12, {
    body: [
      [6, 6],
      [6, 22],
    ],
    name: [
      [6, 10],
      [6, 14],
    ],
  }),
]);

const nameOf = (found: SymbolNode | undefined) => (found ? namePathOf(found) : undefined);

describe('symbolAt()', () => {
  const rows: readonly [what: string, place: Place, name: string | undefined][] = [
    ['a name', [2, 9], 'Outer/method'],
    ['a name in the body of others', [4, 9], 'Outer/other/inner'],
    ['the end of a name', [0, 11], 'Outer'],
    ['a body, the smallest', [2, 22], 'Outer/method'],
    ['a body of several lines', [4, 15], 'Outer/other'],
    ['the end of a body', [2, 30], 'Outer/method'],
    ['the start of the line after a body: the next symbol', [5, 0], 'free'],
    ['the next symbol on the line', [6, 0], 'late'],
    ['the next symbol on the line, by name before body', [5, 6], 'loose'],
    ['the end of the last name', [5, 15], 'loose'],
    ['nothing', [5, 18], undefined],
    ['a line without symbols', [7, 0], undefined],
  ];
  for (const [what, place, name] of rows) {
    test(`finds the symbol at ${what}`, () => expect(nameOf(symbolAt(tree, position(place)))).toBe(name));
  }

  test('prefers the earlier of two equal ones', () => {
    const body: [Place, Place] = [
      [1, 0],
      [3, 1],
    ];
    const two = ['first', 'second'].map((name) =>
      symbol(name, 12, {
        body,
        name: [
          [1, 0],
          [1, 0],
        ],
      }),
    );
    expect(nameOf(symbolAt(buildTree('b.py', two), position([2, 0])))).toBe('first');
  });

  test('finds a symbol whose ranges are empty', () => {
    const at: [Place, Place] = [
      [3, 0],
      [3, 0],
    ];
    const empty = buildTree('c.py', [symbol('x', 13, { body: at, name: at })]);
    expect(nameOf(symbolAt(empty, position([3, 0])))).toBe('x');
  });
});

test('symbolAround() ignores a symbol that only follows on the line', () => {
  expect(symbolAround(tree, position([6, 0]))).toBeUndefined();
  expect(nameOf(symbolAround(tree, position([6, 8])))).toBe('late');
});

describe('ownerAt()', () => {
  const rows: readonly [what: string, place: Place, name: string | undefined][] = [
    ['a method', [2, 9], 'Outer/method'],
    ['the method around a variable', [4, 9], 'Outer/other'],
    ['the class around an attribute', [1, 5], 'Outer'],
    ['nothing for a variable of the file', [5, 2], undefined],
    ['nothing between symbols', [7, 0], undefined],
  ];
  for (const [what, place, name] of rows) {
    test(`is ${what}`, () => expect(nameOf(ownerAt(tree, position(place)))).toBe(name));
  }

  test('is never the file', () => {
    const file = {
      ...symbol('a', 1, {
        body: [
          [0, 0],
          [9, 0],
        ],
        name: [
          [0, 0],
          [0, 0],
        ],
      }),
    };
    expect(ownerAt(buildTree('a.py', [file]), position([3, 3]))).toBeUndefined();
  });
});
