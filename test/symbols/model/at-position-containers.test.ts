import { describe, expect, test } from 'bun:test';
import { referencingSymbol } from '../../../src/symbols/model/at-position.ts';
import { buildTree } from '../../../src/symbols/model/tree.ts';
import { textLines } from '../../../src/text/text-lines.ts';
import { symbol } from '../symbol.ts';

const text = textLines('obj = make()\nobj.name = 1\n\ndef main():\n    c = Child()\n\n    return c\nx = 1\n');
const tree = buildTree('app.py', [
  symbol('obj', 13, [], [0, 0]),
  symbol('main', 12, [symbol('c', 13, [], [4, 4])], [3, 6]),
]);

function at(line: number, character = 0) {
  const range = { start: { line, character }, end: { line, character: character + 1 } };
  return referencingSymbol({ file: 'pkg/app.py', tree, text }, range);
}

describe('referencingSymbol()', () => {
  test('returns the variable whose definition contains the reference', () => expect(at(0, 6).name).toBe('obj'));
  test('returns the innermost symbol', () => expect(at(4, 8).name).toBe('c'));
  test('returns the function around a line that no smaller symbol contains', () => expect(at(6, 11).name).toBe('main'));
  test('finds no container on a blank line', () => expect(at(5).kind).toBe(1));

  test('returns the variable whose attribute is assigned, with the range of the reference', () => {
    const found = at(1, 4);
    expect(found.name).toBe('obj');
    expect(found.range.start.line).toBe(1);
  });

  test('falls back to the file, named without its extension and ending one line after the last', () => {
    const found = at(7);
    expect({ name: found.name, kind: found.kind, end: found.range.end.line }).toEqual({ name: 'app', kind: 1, end: 9 });
  });
});
