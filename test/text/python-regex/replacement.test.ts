import { describe, expect, test } from 'bun:test';
import { isExpected } from '../../../src/base/errors.ts';
import { parseReplacement, type ReplacementSyntax } from '../../../src/text/python-regex/replacement.ts';

/** As for a pattern with the groups 1 and 2, named `word` and `rest`, the second of which did not take part. */
const groups = {
  groupCount: 2,
  groupNames: new Map([
    ['word', 1],
    ['rest', 2],
  ]),
  forgottenGroups: new Set<number>(),
};
const matched = ['whole', 'one', undefined];

const expand = (repl: string, syntax: ReplacementSyntax) => parseReplacement(repl, syntax, groups)(matched);

function codeOf(run: () => unknown): string {
  try {
    return `nothing thrown: ${String(run())}`;
  } catch (error) {
    return isExpected(error) ? error.code : String(error);
  }
}

describe('parseReplacement()', () => {
  test('returns a plain text unchanged', () => {
    expect(expand('$!1 \\1 $!9 \\q', 'plain')).toBe('$!1 \\1 $!9 \\q');
  });

  test.each([
    ['[$!1]', '[one]'],
    ['$!0/$!1$!1', 'whole/oneone'],
    ['[$!2]', '[]'],
    ['$!01', 'one'],
    ['$1 \\1 \\n $! $!x', '$1 \\1 \\n $! $!x'],
    ['', ''],
  ])('expands %j', (repl, expanded) => {
    expect(expand(repl, 'dollar')).toBe(expanded);
  });

  test.each([
    ['\\1-\\g<1>-\\g<word>-\\g<0>', 'one-one-one-whole'],
    ['[\\2][\\g<rest>]', '[][]'],
    ['\\n\\t\\a\\\\n', '\n\t\x07\\n'],
    ['\\0\\011\\101', '\0\tA'],
    ['\\.\\-\\ ', '\\.\\-\\ '],
    ['$!1 and [$!2]', 'one and []'],
    ['\\$!1', '\\$!1'],
    ['\\\\$!1', '\\one'],
  ])('expands the Python template %j', (repl, expanded) => {
    expect(expand(repl, 'python')).toBe(expanded);
  });

  test.each([
    ['$!3', 'dollar', 'edit.no-group'],
    ['$!12', 'dollar', 'edit.no-group'],
    ['\\3', 'python', 'edit.no-group'],
    ['\\g<3>', 'python', 'edit.no-group'],
    ['\\g<other>', 'python', 'edit.no-group'],
    ['\\q', 'python', 'tool.invalid-input'],
    ['\\g', 'python', 'tool.invalid-input'],
    ['end\\', 'python', 'tool.invalid-input'],
    ['\\777', 'python', 'tool.invalid-input'],
  ] as const)('refuses %j (%s) as %s', (repl, syntax, code) => {
    expect(codeOf(() => expand(repl, syntax))).toBe(code);
  });

  test('lists the groups of the pattern', () => {
    expect(() => expand('$!7', 'dollar')).toThrow('`7`: the regular expression has 2 groups, named word, rest');
  });
});
