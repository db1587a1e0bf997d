import { expect, test } from 'bun:test';
import { oneLine, styled, visibleText } from '../../src/base/visible-text.ts';

test('control characters are visible, tabs and line breaks stay', () => {
  expect(visibleText('a\u001b]0;x\u0007\b\u007f\u009b31m\r\u202eb\u2066\u2028\u200d')).toBe(
    'a\\u001b]0;x\\u0007\\u0008\\u007f\\u009b31m\\u000d\\u202eb\\u2066\u2028\u200d',
  );
  expect(visibleText('a\tb\nc\r\n\u00e9 \u{1f600}')).toBe('a\tb\nc\r\n\u00e9 \u{1f600}');
});

test('JSON keeps its meaning', () => {
  const value = { 'a\u0000\u009b\u202e\u007f': ['\u001b[31m', '\n\t'] };
  const shown = visibleText(JSON.stringify(value, undefined, 2));
  expect(shown).not.toMatch(/[\u202e]|\p{Cc}(?<![\n])/u);
  expect(JSON.parse(shown)).toEqual(value);
});

test('only colors of this program stay, whatever is in the text', () => {
  expect(visibleText(`${styled('red', 'a\u001b[1mb\u0000', undefined)}\u001b[31mc`)).toBe(
    '\u001b[31ma\\u001b[1mb\\u0000\u001b[39m\\u001b[31mc',
  );
});

test('a name is one line', () => {
  expect(oneLine('a\nb\rc\u2028d\r')).toBe('a\\u000ab\\u000dc\\u2028d\r');
});
