import { describe, expect, test } from 'bun:test';
import {
  renderOccurrence,
  renderOccurrenceId,
  renderOccurrencePlace,
  textMark,
  tryParseOccurrenceId,
} from '../../src/text/occurrence.ts';
import { textLines } from '../../src/text/text-lines.ts';

const lines = (...wanted: string[]) => wanted.join('\n');

/** Renders the replacement of the one `matched` in `text`. */
function rendered(text: string, matched: string, replacement: string, isAmbiguous = false): string {
  const start = text.indexOf(matched);
  return renderOccurrence('ID', { start, end: start + matched.length, replacement, isAmbiguous }, textLines(text));
}

describe('an occurrence', () => {
  test('is shown with its whole line before and after', () => {
    expect(rendered('a\nx = one + 1\nb', 'one', 'two')).toBe(
      lines('  [ID] line 1', '    - x = one + 1', '    + x = two + 1'),
    );
  });

  test('may join lines, split them and take them away', () => {
    expect(rendered('a1\nb2\nc3', '1\nb', '-')).toBe(lines('  [ID] lines 0-1', '    - a1', '    - b2', '    + a-2'));
    expect(rendered('abc', 'b', '1\r\n2\n')).toBe(
      lines('  [ID] line 0', '    - abc', '    + a1', '    + 2', '    + c'),
    );
    expect(rendered('a\nb\nc', 'b\n', '')).toBe(lines('  [ID] lines 1-2', '    - b', '    - c', '    + c'));
  });

  test('of many lines is cut after six on each side', () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`);
    const shown = rendered(numbers(9).join('\n'), numbers(9).join('\n'), numbers(8).join('\n'), true).split('\n');
    expect(shown).toEqual([
      '  [ID] lines 0-8 (ambiguous: the match contains another match)',
      ...numbers(6).map((line) => `    - ${line}`),
      '    … 3 more lines',
      ...numbers(6).map((line) => `    + ${line}`),
      '    … 2 more lines',
    ]);
  });

  test('in a long line is cut by characters', () => {
    const text = `x${'😀'.repeat(300)}`;
    expect(rendered(text, 'x', 'y')).toBe(
      lines(
        '  [ID] line 0',
        `    - x${'😀'.repeat(199)}… (202 more characters)`,
        `    + y${'😀'.repeat(199)}… (202 more characters)`,
      ),
    );
    const full = `x${'😀'.repeat(199)}`;
    expect(rendered(full, 'x', 'y')).toContain(`    - ${full}\n`);
  });

  test('has a place of one line', () => {
    const occurrence = { start: 2, end: 5, replacement: '', isAmbiguous: true };
    expect(renderOccurrencePlace('ID', occurrence, textLines('a\nb\nc'))).toBe('  [ID] line 1');
  });
});

describe('an id', () => {
  test('names the text by the start of its SHA-1', () => {
    // As `printf 'grüße' | sha1sum` says.
    expect(textMark('grüße')).toBe('cd56cb');
    expect(renderOccurrenceId({ path: 'a/b.py', index: 3, mark: 'cd56cb' })).toBe('a/b.py:3@cd56cb');
  });

  test.each([
    ['a/b.py:3@cd56cb', { path: 'a/b.py', index: 3, mark: 'cd56cb' }],
    ['odd:1@aaaaaa:2@bbbbbb', { path: 'odd:1@aaaaaa', index: 2, mark: 'bbbbbb' }],
    ['a.py:3', undefined],
    ['a.py:x@cd56cb', undefined],
    ['a.py:-1@cd56cb', undefined],
    [':1@cd56cb', undefined],
    ['a.py:1@CD56CB', undefined],
    ['a.py:1@cd56c', undefined],
    ['a.py:99999999999@cd56cb', undefined],
    ['', undefined],
  ])('is read: %s', (id, parts) => {
    expect(tryParseOccurrenceId(id)).toEqual(parts);
  });
});
