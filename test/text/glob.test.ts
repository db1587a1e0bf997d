import { describe, expect, test } from 'bun:test';
import { isExpected } from '../../src/base/errors.ts';
import { compileFileMask, compileGlob, filterByGlobs } from '../../src/text/glob.ts';

describe('compileGlob()', () => {
  const cases: [string, string[], string[]][] = [
    ['*.py', ['a.py', '.py'], ['src/a.py', 'a.pyc', 'A.PY']],
    ['src/*.py', ['src/a.py'], ['src/b/a.py', 'src.py']],
    ['?.py', ['a.py', 'é.py', '😀.py'], ['ab.py', '/.py']],
    ['**/*.py', ['a.py', 'x/a.py', 'x/y/a.py'], ['a.js']],
    ['src/**/a.py', ['src/a.py', 'src/x/a.py', 'src/x/y/a.py'], ['srca.py', 'src/xa.py', 'a.py']],
    ['src/**', ['src/a', 'src/a/b'], ['src', 'srcs/a']],
    ['x**/b', ['x/b', 'xyz/b', 'xa/c/b'], ['b', 'a/b']],
    ['a**b', ['ab', 'a/x/b'], ['ac']],
    ['**', ['a', 'a/b'], []],
    ['**/**/**/a', ['a', 'x/a', 'x/y/z/a'], ['xa']],
    ['[ab].py', ['a.py', 'b.py'], ['c.py']],
    ['[!ab].py', ['c.py', '/.py'], ['a.py']],
    ['[^ab].py', ['^.py', 'a.py'], ['c.py']],
    ['[]a].py', [']  .py'.replace('  ', ''), 'a.py'], ['b.py']],
    ['[a-c-]x', ['bx', '-x'], ['dx']],
    ['[c-a]x', [], ['ax', 'bx', 'cx']],
    ['[!c-a]x', ['ax'], []],
    ['a[b.py', ['a[b.py'], ['ab.py']],
    ['a/[!x]b', ['a/yb', 'a//b'], ['a/xb']],
    ['{a,b}.{py,js}', ['a.py', 'b.js'], ['c.py', 'a.ts']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd'], ['b', 'd']],
    ['x{a,}', ['x', 'xa'], ['xb']],
    ['{a}', ['a'], ['{a}']],
    ['src\\*.py', ['src/a.py', 'src\\a.py'], ['src*.py']],
    ['a+b(c)$.^|', ['a+b(c)$.^|'], ['aab(c)$.^|']],
    ['a|b', ['a|b'], ['a', 'b']],
    ['-*', ['-a', '-'], ['a']],
    ['~?[😀]', ['~a😀', '~😀😀'], ['~a']],
  ];
  test.each(cases)('%s', (glob, matching, others) => {
    const matches = compileGlob(glob);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter((path) => matches(path))).toEqual([]);
  });

  test.each(['{}', '{a', 'a}', 'x{a,{}}', '}{'])('refuses %s', (glob) => {
    expect(caught(() => compileGlob(glob))).toBe('search.bad-glob');
  });

  test('rejects brace groups with too many combinations', () => {
    expect(caught(() => compileGlob('{a,b}'.repeat(30)))).toBe('search.bad-glob');
  });

  // Exponential time would not end within the limit of a test.
  test('does not backtrack exponentially over runs of **/', () => {
    expect(compileGlob(`${'**/'.repeat(40)}zz`)('a/'.repeat(40))).toBe(false);
  });
});

describe('filterByGlobs()', () => {
  const paths = ['README.md', 'a.py', 'src/b.py', 'src/test/c.py', 'src/test/d.js'];
  const cases: [string, string, string[]][] = [
    ['', '', paths],
    ['  ', ' ', paths],
    ['*.py', '', ['a.py']],
    ['**/*.py', '', ['a.py', 'src/b.py', 'src/test/c.py']],
    // Nothing matches at the root: retried at any depth.
    ['*.js', '', ['src/test/d.js']],
    ['test/*.js', '', []],
    ['{c,d}.*', '', ['src/test/c.py', 'src/test/d.js']],
    // An exclude without a slash matches base names.
    ['', '*.py', ['README.md', 'src/test/d.js']],
    ['', 'src/*', ['README.md', 'a.py', 'src/test/c.py', 'src/test/d.js']],
    ['**/*.py', '**/test/**', ['a.py', 'src/b.py']],
    ['*.md', 'README.md', []],
  ];
  test.each(cases)('include %j, exclude %j', (include, exclude, expected) => {
    expect(filterByGlobs(paths, { include, exclude })).toEqual(expected);
  });
});

describe('compileFileMask()', () => {
  const cases: [string, string[], string[]][] = [
    ['*.py', ['a.py', '.py'], ['a.pyc']],
    ['test_?.py', ['test_a.py'], ['test_ab.py', 'test_.py']],
    ['[!a]*', ['b', 'bc'], ['a', 'ab']],
    ['[a', ['[a'], ['a']],
    ['{a,b}', ['{a,b}'], ['a', 'b']],
    ['**', ['a', 'a.b'], []],
    ['src/*.py', [], ['src/a.py', 'a.py']],
    ['a\\b', ['a\\b'], ['a/b']],
    ['', [''], ['a']],
  ];
  test.each(cases)('%s', (mask, matching, others) => {
    const matches = compileFileMask(mask, { ignoreCase: false });
    expect(matching.filter((name) => !matches(name))).toEqual([]);
    expect(others.filter((name) => matches(name))).toEqual([]);
  });

  test('ignores case with `ignoreCase`', () => {
    expect(compileFileMask('*.PY', { ignoreCase: true })('a.py')).toBe(true);
    expect(compileFileMask('*.PY', { ignoreCase: false })('a.py')).toBe(false);
  });
});

function caught(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return isExpected(error) ? error.code : String(error);
  }
}
