import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { isExpected } from '../../../src/base/errors.ts';
import { compilePattern, findMatches, forEachMatch } from '../../../src/text/python-regex/python-regex.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';

/**
 * Every pattern runs over each of these texts, with and without `multiline`, and must find what Python's `re` finds.
 */
const texts = [
  '',
  'a',
  'aXbxX\nfoo bar_baz 12 x{2} {',
  'abc\nabc\n',
  'a\u2028b\r',
  'é ñ_9 ٣ ﬁ 漢字',
  '\ufeffx \x1c y\x85',
  'foo=1; bar = "two"\n',
  '😀a😀',
  'aaa',
  'xaaay',
  'ab12AB_',
  '"q" \'r\' "s\'',
  'line1\nline2',
  '(a)[b]{c}',
  'ſKk',
  'aba',
];

const samePatterns = [
  ...[
    'a',
    '.',
    'a.b',
    '^',
    '$',
    '^\\w+$',
    '(?m)^\\w+$',
    '(?s)a.*',
    '\\bfoo\\b',
    '\\d+',
    '\\w+',
    '\\s+',
    '\\S+',
    '\\W+',
  ],
  ...['\\D', '[\\W\\d]+', '[^\\W\\d]+', '[^\\s]+', '[\\S]', '(?i)ab', '(?i:a)b', 'a(?i:x)b', '(?P<q>["\'])(.*?)(?P=q)'],
  ...['x{2}', '{', 'x{', 'a{,2}', 'a{1,}', 'a{,}', 'a{}', '[]a]', '[^]a]', '[a-]', '[-a]', '[a\\]b]', '\\Aab', 'c\\Z'],
  ...[
    'c$',
    '\\n$',
    '(?x) a  b # comment\n c',
    '(?x)[ ]a\\ b',
    '(?x)a +',
    'a|',
    '()',
    '(?:)',
    '(?=a)',
    '(?!a).',
    '(?<=a)b',
  ],
  ...['(?<!a)b', '(?<=ab)c', '\\x61', '\\u0061', '\\U00000061', '\\141', '\\07', '\\0', '[\\b]', '\\.', '\\/', '\\-'],
  ...['(?#c)a', 'a(?#c)+', '(?a)\\w+', '(?a)\\d', '(?a:\\w)+', '(?-i:a)', '(?i)(?-i:a)b', '(?:a*)*', '(?:a|b)*?c'],
  ...[
    '[😀]',
    '😀+',
    '.{3}',
    '\\w*',
    'x*',
    '(?i)k',
    '(?i)ſ',
    '[[:alpha:]]',
    'a&&b',
    '(?s-i:.)',
    '(?u)é',
    '(?m)^',
    '(?m)$',
  ],
  ...['(?:^a|b$)', '[\\n\\t]', '(?:)*', '(?=a)*', 'a{0}', '(a)|b', '\\Ba', '(?ms)^line.*?$', '\\w+(?=\\b)', '[\\d.]+'],
  ...['[a\\-z]+', '[*-+]', 'ab??', '(?<=\\b)a', '\\$', '\\#', '(?x)\\#', '(?x)a#b', '(?:ab|a)(?:c|)', '(a)(?:b|x)\\1'],
  ...['(?P<x>a)b(?P=x)', '(.)\\1', '(.)(.)\\2', 'a{2,3}?', '[^\\d\\s]', '[\\w-]', '[!-~]+'],
];

/** Syntax since Python 3.11, which is not compared with older versions. */
const newPatterns = ['a++', 'a*+a', '(?>a+)a', '(?>a|ab)c', 'a?+', '(?:a|b)++', 'x(?>a*)y', '(?>a|b)+c'];

const badPatterns = [
  ...['a**', '*a', '^*', '(a', 'a)', '[a', '\\', '(?P<1>a)', '(?P<a>x)(?P<a>y)', '\\1', '(\\1)', '(?P=zz)', '\\q'],
  ...['[z-a]', '[\\w-a]', 'a{2}{3}', 'a{3,2}', '(?i', '(?z)', 'a(?i)b', '(?L)a', '(?P>a)', '\\8', '\\400', '[\\400]'],
  ...['(?#c', '(?P<a', '[a-', '\\x6', '\\u12', '[\\q]', '(?:', '+', 'a|*', '(?-:a)'],
];

const python = `
import json, re, sys, warnings
warnings.simplefilter('ignore')
query = json.load(sys.stdin)
def spans(compiled, text):
    at = lambda index: len(text[:index].encode('utf-16-le')) // 2
    return [[at(m.start()), at(m.end()), [m.group(0), *m.groups()]] for m in compiled.finditer(text)]
def answer(pattern, flags):
    try:
        compiled = re.compile(pattern, flags)
    except re.error:
        return None
    return [spans(compiled, text) for text in query['texts']]
json.dump([[answer(p, f) for f in (0, re.S | re.M)] for p in query['patterns']], sys.stdout)
`;

describe('compilePattern() and Python', () => {
  const version = /3\.(\d+)/.exec(spawnSync('python3', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  const reason = whyNoProgram('python3') ?? (Number(version ?? 0) >= 11 ? undefined : '`python3` is older than 3.11');

  testUnless(reason)('find the same and refuse the same', () => {
    const patterns = [...samePatterns, ...newPatterns, ...badPatterns];
    const input = JSON.stringify({ texts, patterns });
    const ran = spawnSync('python3', ['-c', python], { input, encoding: 'utf8', maxBuffer: 1e8 });
    const truth: unknown[] = JSON.parse(ran.stdout);
    const ours = patterns.map((pattern) => [answer(pattern, false), answer(pattern, true)]);
    const differing = patterns.filter((_, index) => !Bun.deepEquals(ours[index], truth[index]));
    expect(differing).toEqual([]);
  });
});

function answer(pattern: string, multiline: boolean): unknown[] | null {
  try {
    const compiled = compilePattern(pattern, { multiline });
    return texts.map((text) =>
      findMatches(compiled, text).map(({ start, end, groups }) => [start, end, groups.map((group) => group ?? null)]),
    );
  } catch (error) {
    if (isExpected(error, 'search.bad-pattern')) return null;
    throw error;
  }
}

describe('compilePattern()', () => {
  const cases: [string, boolean, string, string[]][] = [
    ['def run.*?return', true, 'def run():\n  return 1', ['def run():\n  return']],
    ['def run.*?return', false, 'def run():\n  return 1', []],
    ['^b', true, 'a\nb', ['b']],
    ['^b', false, 'a\nb', []],
    ['a$', false, 'a\n', ['a']],
    ['a\\Z', false, 'a\n', []],
    ['a$', true, 'a\u2028b', []],
    ['x*', true, 'abxd', ['', '', 'x', '', '']],
    ['(?<n>a)\\k<n>', true, 'aa', ['aa']],
    ['a\\z', true, 'aba', ['a']],
    ['(?>a+)b', true, 'aab', ['aab']],
    ['(?i)straße', true, 'STRASSE Straße', ['Straße']],
  ];
  test.each(cases)('%s, multiline %p', (pattern, multiline, text, expected) => {
    const compiled = compilePattern(pattern, { multiline });
    expect(findMatches(compiled, text).map(({ groups }) => groups[0] ?? '')).toEqual(expected);
  });

  test('numbers groups as in the pattern, in spite of the helper groups of atomic groups', () => {
    const compiled = compilePattern('(?>x(a)+)(?P<tail>b)(c)?', { multiline: true });
    expect(compiled.groupCount).toBe(3);
    expect(compiled.groupNames.get('tail')).toBe(2);
    expect(findMatches(compiled, 'xaab').map(({ groups }) => groups)).toEqual([['xaab', 'a', 'b', undefined]]);
  });

  const refused: [string, RegExp][] = [
    ['(a)?(?(1)b|c)', /conditional groups are not supported at position 4/],
    ['\\N{DIGIT ONE}', /unknown escape `\\N` at position 0/],
    ['\\p{L}', /unknown escape `\\p` at position 0/],
    ['(a)|b\\1', /group 1, which may not take part in the match, is not supported at position 5/],
    ['(?:(a)|b)*\\1', /may not take part/],
    ['(a)?\\1', /may not take part/],
    ['(?<=(?>a))b', /inside a lookbehind/],
    [`${'('.repeat(500)}${')'.repeat(500)}`, /nested more than 200 deep/],
    ['a{99999999999}', /its repeat is too large at position 1/],
  ];
  test.each(refused)('refuses %s', (pattern, message) => {
    let caught: unknown;
    try {
      compilePattern(pattern, { multiline: true });
    } catch (error) {
      caught = error;
    }
    expect(isExpected(caught, 'search.bad-pattern')).toBe(true);
    expect(String(caught)).toMatch(message);
  });
});

describe('CompiledPattern.literals', () => {
  const cases: [string, readonly string[] | undefined][] = [
    ['class Foo', ['class Foo']],
    ['class \\w+Error\\b', ['class ']],
    ['\\bget_queryset\\b', ['get_queryset']],
    ['(?:get|set)_value', ['_value']],
    ['get|set', ['get', 'set']],
    ['(ab)+c', ['ab']],
    ['(ab)?c', ['c']],
    ['ab*c', ['a']],
    ['a|b*', undefined],
    ['(?i)abc', undefined],
    ['(?i:abc)de', ['de']],
    ['(?!abc)de', ['de']],
    ['abc\\ndef', ['abc']],
    ['ab(?#x)c', ['abc']],
    ['[a]bc', ['bc']],
    ['.*', undefined],
    ['foo.*bar_baz', ['bar_baz']],
    ['a{3}b', ['a']],
    ['(?>abc)d', ['abc']],
    ['a|b|c|d|e', undefined],
    ['x\\.y\\(', ['x.y(']],
  ];
  test.each(cases)('%s', (pattern, literals) => {
    expect(compilePattern(pattern, { multiline: true }).literals).toEqual(literals);
  });

  test('are in every match', () => {
    for (const pattern of [...samePatterns, ...newPatterns]) {
      const compiled = compilePattern(pattern, { multiline: true });
      for (const text of texts.filter((candidate) => findMatches(compiled, candidate).length > 0)) {
        expect([pattern, compiled.literals?.some((literal) => text.includes(literal)) ?? true]).toEqual([
          pattern,
          true,
        ]);
      }
    }
  });
});

describe('CompiledPattern.indexed', () => {
  const exact = (...texts: string[]) => ({ texts, ignoresCase: false });
  const folded = (...texts: string[]) => ({ texts, ignoresCase: true });
  const cases: [string, ReturnType<typeof exact> | undefined][] = [
    ['class Foo', exact('class Foo')],
    ['foo.*->>>>>>>>', exact('foo')],
    ['(?:alpha|beta|gamma|delta|epsilon)\\(', exact('alpha', 'beta', 'gamma', 'delta', 'epsilon')],
    ['alpha|', undefined],
    ['alpha|\\w+', undefined],
    ['alpha|\\(', undefined],
    ['(alpha)?beta', exact('beta')],
    ['(alpha)*(beta){0}', undefined],
    ['(alpha){2,}', exact('alpha')],
    ['(alpha)\\1', exact('alpha')],
    ['(?=alpha)be', exact('be')],
    ['(?<=alpha)be', exact('be')],
    ['(?!alpha)(?<!gamma)be', exact('be')],
    ['[aA]lpha', exact('lpha')],
    ['alpha[b]eta1', exact('alpha')],
    ['\\x61lph\\u0061', exact('alpha')],
    ['alpha\\.beta', exact('alpha.beta')],
    ['alpha\\nbe', exact('alpha')],
    ['\\balpha\\b', exact('alpha')],
    ['größe', exact('größe')],
    ['\\w+ = \\d+', undefined],
    ['(?i)Class Foo', folded('class foo')],
    ['(?i)größe', folded('gr')],
    ['(?i)Taſk', folded('task')],
    ['(?i)\u212Aind', folded('kind')],
    ['(?i)alpha|Beta', folded('alpha', 'beta')],
    ['(?i:Alpha)be', exact('be')],
    ['(?i:Alpha)', folded('alpha')],
    ['Alpha|(?i:Beta)', folded('alpha', 'beta')],
    ['(?i)(?-i:Alpha)', folded('alpha')],
  ];
  test.each(cases)('%s', (pattern, indexed) => {
    expect(compilePattern(pattern, { multiline: true }).indexed).toEqual(indexed);
  });

  test('treats every character that equals an ASCII character when case is ignored', () => {
    const equal: string[] = [];
    for (let code = 0x80; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (/^[\0-\x7f]$/iu.test(character)) equal.push(character);
    }
    expect(equal).toEqual(['ſ', '\u212A']);
  });

  test('are in every match', () => {
    const fold = (text: string) => text.toLowerCase().replaceAll('ſ', 's').replaceAll('\u212A', 'k');
    for (const pattern of [...samePatterns, ...newPatterns]) {
      const { indexed, ...compiled } = compilePattern(pattern, { multiline: true });
      for (const text of texts.filter((candidate) => findMatches({ ...compiled, indexed }, candidate).length > 0)) {
        const searched = indexed?.ignoresCase ? fold(text) : text;
        expect([pattern, indexed?.texts.some((one) => searched.includes(one)) ?? true]).toEqual([pattern, true]);
      }
    }
  });
});

describe('an engine that gives up', () => {
  // JavaScriptCore reports "no match" here, although `x+z` matches.
  const compiled = compilePattern('^(?:(?:x+x+)+y|x+z$)', { multiline: true });
  const text = `${'x'.repeat(40)}z`;

  test('does not cause a wrong result', () => {
    for (const run of [
      () => findMatches(compiled, text, 'a.txt'),
      () => forEachMatch(compiled, text, () => {}, 'a.txt'),
    ]) {
      let caught: unknown;
      try {
        run();
      } catch (error) {
        caught = error;
      }
      expect(isExpected(caught, 'search.too-slow') && caught.message).toContain('`a.txt`');
    }
  });

  test('is not suspected for a search that is merely slow', () => {
    // Quadratic over all start offsets together, linear at each of them.
    const lines = 'self.assertEqual(a, b)\n'.repeat(6_000);
    const quadratic = compilePattern('self\\.assert\\w+\\(.*\\bNone\\b', { multiline: true });
    expect(findMatches(quadratic, lines)).toEqual([]);
  });

  test('is not suspected for a large text', () => {
    const large = 'some ordinary line of text\n'.repeat(100_000);
    let count = 0;
    forEachMatch(compilePattern('(\\w+)\\s+(\\w+)\\s+=', { multiline: true }), large, () => count++);
    forEachMatch(compilePattern('\\w+', { multiline: true }), large, () => count++);
    expect(count).toBe(500_000);
  });
});
