import { describe, expect, test } from 'bun:test';
import { isExpected } from '../../src/base/errors.ts';
import { applyEdits } from '../../src/text/apply-edits.ts';
import { compileSubstitution, requireIntended, type SubstitutionRule } from '../../src/text/substitute.ts';

function replaced(text: string, rule: SubstitutionRule): string {
  const found = compileSubstitution(rule).find(text);
  return applyEdits(
    text,
    found.map(({ start, end, replacement }) => ({ start, end, text: replacement })),
    'x',
  );
}

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'nothing thrown';
  } catch (error) {
    return isExpected(error) ? error.code : String(error);
  }
}

describe('compileSubstitution()', () => {
  test.each([
    ['a.b a.b', 'a.b', '$!0', '$!0 $!0'],
    ['aaa', 'aa', 'b', 'ba'],
    ['a😀', '', '-', '-a-😀-'],
    ['one\ntwo', 'one\r\ntwo', 'x', 'x'],
    ['\ufeffab', '', '-', '\ufeff-a-b-'],
  ])('replaces literally in %j: %j by %j', (text, needle, repl, result) => {
    expect(replaced(text, { needle, repl, mode: 'literal' })).toBe(result);
  });

  test.each([
    ['a\nb\nc', '(a)\\n(b)', '$!2-$!1-$1-\\1', 'b-a-$1-\\1\nc'],
    ['X', '(zz)?X', '[$!1]', '[]'],
    ['abxd', 'x*', '-', '-a-b--d-'],
    ['\ufeffimport', '^import', 'from', '\ufefffrom'],
    ['\ufeffa', '\\A.', 'b', '\ufeffb'],
    ['A😀b', '(.)b', '$!1$!1', 'A😀😀'],
  ])('replaces in %j: %j by %j', (text, needle, repl, result) => {
    expect(replaced(text, { needle, repl, mode: 'regex' })).toBe(result);
  });

  test('supports a Python template', () => {
    const rule: SubstitutionRule = { needle: '(?P<k>\\w+)=(\\w+)', repl: '\\g<k>:\\n\\2$!1', mode: 'template' };
    expect(replaced('a=b', rule)).toBe('a:\nba');
  });

  test('reports an unknown group only if there is a match', () => {
    const { find } = compileSubstitution({ needle: 'foo', repl: '[$!5]', mode: 'regex' });
    expect(find('bar')).toEqual([]);
    expect(codeOf(() => find('foo'))).toBe('edit.no-group');
  });

  test.each([
    ['(?:(a)|b)+', 'ab'],
    ['(?:(a)?b)*', 'abb'],
    ['(?:x(?:(a)|(b)))+', 'xaxb'],
    ['(?:(?:(a)|b)(?:c))+', 'acbc'],
  ])('does not take a group for absent that an earlier round had: %s', (needle, text) => {
    const { find } = compileSubstitution({ needle, repl: '$!1', mode: 'regex' });
    expect(codeOf(() => find(text))).toBe('edit.no-group');
    expect(compileSubstitution({ needle, repl: '', mode: 'regex' }).find(text)).toHaveLength(
      needle.endsWith('*') ? 2 : 1,
    );
  });

  test.each([
    ['(?:(a)|b)+', 'ba', '[a]'],
    ['(?:(a)b)+', 'abab', '[a]'],
    ['(?:(a)|b)', 'b', '[]'],
    ['((?:a|b)+)', 'ab', '[ab]'],
    ['(?:(?=(a))a)+', 'aa', '[a]'],
  ])('tells a group in a repeat where it is certain: %s', (needle, text, result) => {
    expect(replaced(text, { needle, repl: '[$!1]', mode: 'regex' })).toBe(result);
  });

  test('reports a multi-line match that contains another match as ambiguous', () => {
    const { find } = compileSubstitution({ needle: 'start.*?end', repl: '', mode: 'regex' });
    expect(find('start\nfoo\nstart\nbar\nend\nstart end')).toEqual([
      { start: 0, end: 23, replacement: '', isAmbiguous: true },
      { start: 24, end: 33, replacement: '', isAmbiguous: false },
    ]);
    expect(find('start start end')).toMatchObject([{ isAmbiguous: false }]);
  });
});

describe('requireIntended()', () => {
  const single = { start: 0, end: 1, replacement: '', isAmbiguous: false };
  const ambiguous = { ...single, isAmbiguous: true };
  const intention = { needle: 'x', place: '`a.txt`', allowsMultiple: false };

  test.each([
    [[], false, 'edit.no-match'],
    [[], true, 'edit.no-match'],
    [[single], false, 'nothing thrown'],
    [[single, single], false, 'edit.unexpected-count'],
    [[single, single], true, 'nothing thrown'],
    [[single, ambiguous], false, 'edit.ambiguous'],
    [[single, ambiguous], true, 'edit.ambiguous'],
  ])('%j, several allowed: %j: %s', (found, allowsMultiple, code) => {
    expect(codeOf(() => requireIntended(found, { ...intention, allowsMultiple }))).toBe(code);
  });
});
