import { describe, expect, test } from 'bun:test';
import type { PlainSymbol } from '../../../src/lsp/features/document-symbols.ts';
import { changedDeclarations } from '../../../src/symbols/edits/changed-declarations.ts';
import { kinds } from '../../../src/symbols/model/kinds.ts';
import { buildTree } from '../../../src/symbols/model/tree.ts';
import { replacedLines } from '../../../src/text/diff.ts';

const code = [
  'LIMIT = 3', // 0
  '', // 1
  'class Shop:', // 2
  '    name: str', // 3
  '    def __init__(self, owner):', // 4
  '        self.owner = owner', // 5
  '    def price(', // 6
  '        self,', // 7
  '        count: int,', // 8
  '    ) -> int:', // 9
  '        factor = 2', // 10
  '        return (count + 1) * factor', // 11
];

/** A symbol whose name is on its first line. */
function symbol(
  kind: number,
  name: string,
  [first, last]: readonly [number, number],
  children: PlainSymbol[] = [],
): PlainSymbol {
  const text = code[first] ?? '';
  const from = text.indexOf(name);
  const range = { start: { line: first, character: 0 }, end: { line: last, character: code[last]?.length ?? 0 } };
  const selectionRange = {
    start: { line: first, character: from },
    end: { line: first, character: from + name.length },
  };
  return { name, kind, range, selectionRange, children };
}

const tree = buildTree('shop.py', [
  symbol(kinds.variable, 'LIMIT', [0, 0]),
  symbol(
    kinds.class,
    'Shop',
    [2, 11],
    [
      symbol(kinds.variable, 'name', [3, 3]),
      symbol(kinds.method, '__init__', [4, 5]),
      symbol(kinds.variable, 'owner', [5, 5]),
      symbol(kinds.method, 'price', [6, 11], [symbol(kinds.variable, 'factor', [10, 10])]),
    ],
  ),
]);

/** Returns what an edit changes that replaces some lines by others. */
function changedBy(from: number, count: number, ...lines: readonly string[]): string[] {
  const after = code.toSpliced(from, count, ...lines);
  return changedDeclarations(tree, code, replacedLines(code.join('\n'), after.join('\n')));
}

describe('changedDeclarations() returns', () => {
  const rows: readonly [string, string[], string[]][] = [
    ['a variable whose line changes', changedBy(0, 1, 'LIMIT = 4'), ['LIMIT']],
    ['a method whose name changes', changedBy(6, 1, '    def cost('), ['price']],
    ['a method whose parameter changes on a later line', changedBy(8, 1, '        count: str,'), ['price']],
    ['a method that gets a parameter', changedBy(9, 0, '        tax: int,'), ['price']],
    ['a method that loses a parameter', changedBy(8, 1), ['price']],
    ['the class whose constructor changes', changedBy(4, 1, '    def __init__(self):'), ['Shop']],
    ['a class that gets a member', changedBy(4, 0, '    open: bool'), ['Shop']],
    ['a member that is removed', changedBy(3, 1), ['name']],
    ['a class and its members if it is removed', changedBy(2, 10), ['Shop', 'name', 'Shop', 'price']],
    ['nothing if a body changes', changedBy(11, 1, '        return count'), []],
    ['nothing if a variable of a function changes', changedBy(10, 1, '        factor = 3'), []],
    ['nothing if an attribute is assigned another value', changedBy(5, 1, '        self.owner = None'), []],
    ['nothing if a line is added to a body', changedBy(11, 0, '        print(count)'), []],
    ['nothing if a line between declarations changes', changedBy(1, 1, '# no more'), []],
  ];
  for (const [name, found, expected] of rows) test(name, () => expect(found).toEqual(expected));
});
