import { describe, expect, test } from 'bun:test';
import { identifierOccurrences } from '../../src/text/identifiers.ts';

/** Returns the occurrences of `it` in a text, each with the character before it. */
function found(text: string, language: string): string[] {
  return identifierOccurrences(text, { name: 'it' }, language).map(({ offset }) =>
    text.slice(Math.max(0, offset - 1), offset + 2),
  );
}

/** Each text contains `it` several times; those in code follow a `+`. */
const texts: readonly (readonly [language: string, text: string])[] = [
  [
    'python',
    '+it # it\n"it" \'it\' """\nit\n""" +it rb"it \\" it" f"it {+it} {x:>{+it}} it" \'\'\'it\'\'\'+it  items it2',
  ],
  ['python', 'x = "unclosed it\' it"\n+it'],
  ['javascript', '+it // it\n/* it */ "it" \'it\' `it ${+it} it`; (/it/.test(x)); a / +it / b'],
  ['typescriptreact', "<p>Don't {+it} can't</p>"],
  ['typescriptreact', "<p>Don't</p>\n+it; const a = `it`; +it"],
  ['go', '+it // it\n`it\n"it` +it \'"\' +it "it"'],
  ['rust', "fn f<'a>(x: &'a str) { +it('\"', '\\'') } // it\nr#\"it \" it\"# +it /* it */ b\"it\""],
  ['cpp', '#include <it.h>\n#include "it"\n+it 1\'000 +it "it" R"x(it )" it)x" +it \'"\' // it'],
  ['java', '+it """\nit " it\n""" +it \'"\' "it"'],
  ['java', '"\\u0022 +it "it" \\uu0022it" +it "\\\\u0022 it" +it // it\\u000a +it \\u002f* it */ +it'],
  ['php', '<?php +it # it\n#[Attr(+it)]\n"it $x it {$y->+it} it" \'it\' // it'],
  ['shellscript', '+it # it\n\'it\n it\' "it ${+it} it" $#x +it'],
  ['ruby', '+it # it\n"it #{+it} it" \'it #{it}\''],
  ['csharp', '+it @"it ""it"" it" +it $"it {+it}" \'"\' // it'],
  ['lua', '+it -- it\n--[[ it\n it ]] +it [[ it ]] "it"'],
  ['haskell', '+it -- it\n{- it\n -} +it x\' "it"'],
  ['bsl', '+it // it\n"it ""it"" \\" +it "it\n  |it" +it \'it\''],
  ['fortran', "+it ! it\n 'it' +it"],
  ['kotlin', '+it "it ${+it} it" // it'],
  ['swift', '+it "it \\(+it) it" // it'],
];

describe('identifierOccurrences()', () => {
  test.each(texts)('in %s: %j', (language, text) => {
    const wanted = [...text.matchAll(/\+it/g)].length;
    const all = found(text, language);
    expect(all).toEqual(Array.from({ length: wanted }, () => '+it'));
  });

  test('returns every occurrence in an unknown language', () => {
    expect(found('# it "it" items', 'unknown')).toEqual([' it', '"it']);
  });

  test('returns the extent of a name that is written with Unicode escapes', () => {
    const text = String.raw`\u0041.\uu0069t it; i\u0074(); \u0069ts`;
    const found = identifierOccurrences(text, { name: 'it' }, 'java');
    expect(found.map(({ offset, length = 2 }) => text.slice(offset, offset + length))).toEqual([
      String.raw`\uu0069t`,
      'it',
      String.raw`i\u0074`,
    ]);
    expect(identifierOccurrences(text, { name: 'it' }, 'go').map(({ offset }) => offset)).toEqual([16]);
  });

  test('returns the qualifier of a name, without whitespace', () => {
    const text = 'it; self . it; a->it; io::it; x?.it; f(1).it; list[0]\n  .it';
    const qualifiers = identifierOccurrences(text, { name: 'it' }, 'cpp').map(({ qualifier }) => qualifier);
    expect(qualifiers).toEqual(['', 'self.', 'a->', 'io::', 'x?.', ').', '].']);
  });

  test('finds parts of identifiers with `isPart`', () => {
    const offsets = identifierOccurrences('items # it', { name: 'it', isPart: true }, 'python').map(
      ({ offset }) => offset,
    );
    expect(offsets).toEqual([0]);
  });

  test.each([
    ['python', 'from m import it as other', 'other'],
    ['python', 'from m import (\n  a,\n  it as other,\n)', 'other'],
    ['python', 'import m\nwith it as other: pass', undefined],
    ['python', 'from m import a\ntry: pass\nexcept it as other: pass', undefined],
    ['rust', 'pub use m::{a, it as other};', 'other'],
    ['typescript', "export { a, it as other } from './m';", 'other'],
    ['typescript', 'export const x = it as other;', undefined],
    ['typescript', 'export { it as other };', 'other'],
    ['typescript', "import { a } from './m';\nconst x = it as other;", undefined],
  ])('in %s: %j gives the alias %p', (language, text, alias) => {
    const [occurrence] = identifierOccurrences(text, { name: 'it' }, language);
    expect(occurrence?.alias?.name).toBe(alias);
    if (occurrence?.alias) expect(text.slice(occurrence.alias.offset)).toStartWith(alias ?? '');
  });
});
