import { describe, expect, test } from 'bun:test';
import { selectTools } from '../../src/config/tool-selection.ts';

const places = { excluded_tools: '', included_optional_tools: '', fixed_tools: '' };
const nothing = { excludedTools: [], includedOptionalTools: [], fixedTools: [], places };

describe('selectTools()', () => {
  const names = new Set(['a', 'b']);

  test('adds the included tools, then removes the excluded ones', () => {
    const selection = { ...nothing, includedOptionalTools: ['c', 'd'], excludedTools: ['a', 'd'] };
    expect([...selectTools(names, selection)]).toEqual(['b', 'c']);
  });

  test('replaces the set by `fixed_tools`', () => {
    expect([...selectTools(names, { ...nothing, fixedTools: ['x'] })]).toEqual(['x']);
  });
});
