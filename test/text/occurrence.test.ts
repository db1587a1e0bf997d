import { describe, expect, test } from 'bun:test';
import {
  contentDigest,
  occurrenceMark,
  renderOccurrence,
  renderOccurrenceId,
  renderOccurrenceLine,
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

  test('may join, split and remove lines', () => {
    expect(rendered('a1\nb2\nc3', '1\nb', '-')).toBe(lines('  [ID] lines 0-1', '    - a1', '    - b2', '    + a-2'));
    expect(rendered('abc', 'b', '1\r\n2\n')).toBe(
      lines('  [ID] line 0', '    - abc', '    + a1', '    + 2', '    + c'),
    );
    expect(rendered('a\nb\nc', 'b\n', '')).toBe(lines('  [ID] line 1', '    - b'));
    expect(rendered('xb\nc', 'b\n', '')).toBe(lines('  [ID] line 0', '    - xb', '    - c', '    + xc'));
    expect(rendered('a\nb', 'b', 'x\nb')).toBe(lines('  [ID] line 1', '    + x'));
  });

  test('that ends with a line break does not show the next line', () => {
    const change = ['    - beta', '    + B'];
    expect(rendered('alpha\nbeta\ngamma\n', 'beta\n', 'B\n')).toBe(lines('  [ID] line 1', ...change));
    expect(rendered('alpha\nbeta\n', 'beta\n', 'B\n')).toBe(lines('  [ID] line 1', ...change));
    expect(rendered('alpha\nbeta\n', 'beta\n', 'B')).toBe(lines('  [ID] line 1', ...change));
    expect(rendered('alpha\nbeta', 'beta', 'B\n')).toBe(lines('  [ID] line 1', ...change));
    expect(rendered('a\nb\nc\n', 'a\nb\n', 'x\n')).toBe(lines('  [ID] lines 0-1', '    - a', '    - b', '    + x'));
  });

  test('of many lines is truncated after six on each side', () => {
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

  test('in a long line is truncated by characters', () => {
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

  test('has a one-line rendering', () => {
    const occurrence = { start: 2, end: 5, replacement: '', isAmbiguous: true };
    expect(renderOccurrenceLine('ID', occurrence, textLines('a\nb\nc'))).toBe('  [ID] line 1');
  });
});

describe('an id', () => {
  test('changes with the content of the whole file and with the range', () => {
    // From `printf 'one two' | sha256sum` and `printf '<16 digits>:0:3' | sha256sum`.
    const content = contentDigest(Buffer.from('one two'));
    expect(content).toBe('8ab63e29a4ba14e4');
    expect(occurrenceMark(content, { start: 0, end: 3 })).toBe('20e49b7f172ceca5');
    const others = [
      occurrenceMark(content, { start: 4, end: 7 }),
      occurrenceMark(contentDigest(Buffer.from('one tw0')), { start: 0, end: 3 }),
    ];
    expect(new Set([...others, '20e49b7f172ceca5']).size).toBe(3);
    expect(renderOccurrenceId({ path: 'a/b.py', index: 3, mark: '20e49b7f172ceca5' })).toBe(
      'a/b.py:3@20e49b7f172ceca5',
    );
  });

  test.each([
    ['a/b.py:3@cd56cb0123456789', { path: 'a/b.py', index: 3, mark: 'cd56cb0123456789' }],
    [
      'odd:1@aaaaaa0123456789:2@bbbbbb0123456789',
      { path: 'odd:1@aaaaaa0123456789', index: 2, mark: 'bbbbbb0123456789' },
    ],
    ['a.py:3', undefined],
    ['a.py:x@cd56cb0123456789', undefined],
    ['a.py:-1@cd56cb0123456789', undefined],
    [':1@cd56cb0123456789', undefined],
    ['a.py:1@CD56CB0123456789', undefined],
    ['a.py:1@cd56cb', undefined],
    ['a.py:99999999999@cd56cb0123456789', undefined],
    ['', undefined],
  ])('is read: %s', (id, parts) => {
    expect(tryParseOccurrenceId(id)).toEqual(parts);
  });
});
