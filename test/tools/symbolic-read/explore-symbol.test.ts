import { describe, expect, test } from 'bun:test';
import { fitSections } from '../../../src/tools/symbolic-read/explore-symbol.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index} of many lines`);

describe('fitSections()', () => {
  test('shows everything that fits, and omits sections without a title', () => {
    const sections = [
      { title: 'head', lines: [] },
      { title: '', lines: ['lost'] },
      { title: 'users', lines: lines(2) },
    ];
    expect(fitSections(sections, 1_000)).toBe('head\nusers\nline 0 of many lines\nline 1 of many lines');
  });

  test('counts what does not fit, with how to get it, and shows a few lines of each section first', () => {
    const sections = [
      { title: 'users', lines: lines(20), rest: 'call `a`' },
      { title: 'tests', lines: lines(20), rest: 'call `b`' },
    ];
    const text = fitSections(sections, 300);
    expect(text.length).toBeLessThanOrEqual(300);
    const [users = '', tests = ''] = text.split('\ntests\n');
    expect(users).toEndWith('\n… 14 more lines: call `a`');
    expect(tests).toEndWith('\n… 15 more lines: call `b`');
  });

  test('shows a section whole or not at all if only all of its lines are useful', () => {
    const body = { title: 'body', lines: lines(20), isWhole: true, rest: 'call `c`' };
    expect(fitSections([body], 300)).toBe('body\n… 20 more lines: call `c`');
    expect(fitSections([body], 2_000).split('\n')).toHaveLength(21);
  });

  test('shows a line in place of a longer note about it', () => {
    const sections = [
      { title: 'x'.repeat(90), lines: [] },
      { title: 'users', lines: ['one line'], rest: 'call `find_referencing_symbols`' },
    ];
    expect(fitSections(sections, 100)).toEndWith('\nusers\none line');
  });
});
