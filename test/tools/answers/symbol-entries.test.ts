import { describe, expect, test } from 'bun:test';
import { groupSymbols } from '../../../src/tools/answers/symbol-entries.ts';

describe('groupSymbols()', () => {
  test('collapses an entry with one value into that value', () => {
    const entries = [
      { name: 'LIMIT', kind: 'Constant' },
      { name: 'Base', kind: 'Class' },
      { name: 'Child', kind: 'Class' },
    ];
    expect(groupSymbols(entries, { own: ['kind'], children: ['kind'] })).toEqual({
      Constant: ['LIMIT'],
      Class: ['Base', 'Child'],
    });
  });

  test('collapses a value with children into one key, at every depth', () => {
    const inner = { name: 'inner', kind: 'Function' };
    const helper = { name: 'helper', kind: 'Method', children: [inner] };
    const base = { name: 'Base', kind: 'Class', children: [{ name: 'run', kind: 'Method' }, helper] };
    expect(groupSymbols([base], { own: ['kind'], children: ['kind'] })).toEqual({
      Class: [{ Base: { Method: ['run', { helper: { Function: ['inner'] } }] } }],
    });
  });

  test('keeps entries with more values as they are and groups only their children', () => {
    const child = { name: 'run', kind: 'Method', body_location: { start_line: 1, end_line: 2 } };
    const entry = { name_path: 'Base', kind: 'Class', relative_path: 'a.py', children: [child] };
    expect(groupSymbols([entry], { own: [], children: ['kind'] })).toEqual([
      {
        name_path: 'Base',
        kind: 'Class',
        relative_path: 'a.py',
        children: { Method: [{ name: 'run', body_location: { start_line: 1, end_line: 2 } }] },
      },
    ]);
  });

  test('groups by several keys from the outside in, in first-seen order, and calls a missing value unknown', () => {
    const entries = [
      { relative_path: 'b.py', kind: 'Function', name_path: 'f', line: 1 },
      { relative_path: 'a.py', name_path: 'g', line: 2 },
      { relative_path: 'b.py', kind: 'Function', name_path: 'h', line: 3 },
    ];
    const grouped = groupSymbols(entries, { own: ['relative_path', 'kind'], children: [] });
    expect(JSON.stringify(grouped)).toBe(
      '{"b.py":{"Function":[{"name_path":"f","line":1},{"name_path":"h","line":3}]},"a.py":{"unknown":[{"name_path":"g","line":2}]}}',
    );
  });
});
