// Test vectors for the tools that edit files (see docs/compatibility.md, Reading and listing files to `replace_regex`).
// No language server is available here, and none is needed.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync } from 'node:fs';
import { expectClearError } from '../../support/clear.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, noServers } from '../../support/homes.ts';
import { testUnless } from '../../support/skip.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

const lineTools = { included_optional_tools: ['delete_lines', 'replace_lines', 'insert_at_line'] };
// The mode `editing` excludes the tools that edit by line.
const home = makeHome({ ...noServers(), base_modes: [], ...lineTools });

let workspace: Workspace;
let client: TestClient;

beforeAll(async () => {
  workspace = copyFixture('tools', { as: 'proj' });
  client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
});

afterAll(() => client.close());

type Args = Readonly<Record<string, unknown>>;

/** Writes `before` to a file, calls the tool on it, and returns the answer's text and the file's new content. */
async function edited(tool: string, before: string, args: Args): Promise<readonly [answer: string, after: string]> {
  workspace.write('t.txt', before);
  const { text } = await client.call(tool, { relative_path: 't.txt', ...args });
  return [text, workspace.read('t.txt')];
}

/** Expects the tool to fail with this kind of error, and the file to be unchanged. */
async function refused(tool: string, before: string, args: Args, ...parts: readonly string[]): Promise<void> {
  workspace.write('t.txt', before);
  expectClearError(await client.call(tool, { relative_path: 't.txt', ...args }), ...parts);
  expect(workspace.read('t.txt')).toBe(before);
}

describe('create_text_file', () => {
  beforeEach(() => mkdirSync(workspace.path('made'), { recursive: true }));

  test('creates a file and its parent directories, and reports it', async () => {
    const args = { relative_path: './made/deep/er/../new.txt', content: 'a\nb' };
    expect(await client.ask('create_text_file', args)).toBe('File created: made/deep/new.txt.');
    expect(workspace.read('made/deep/new.txt')).toBe('a\nb');
  });

  test('overwrites, and reports it', async () => {
    workspace.write('made/old.txt', 'a long old text\n');
    const answer = await client.call('create_text_file', { relative_path: 'made/old.txt', content: '' });
    expect(answer.blocks).toEqual(['File created: made/old.txt. Overwrote existing file.']);
    expect(workspace.read('made/old.txt')).toBe('');
  });

  test('accepts an absolute path in the project, and the older name', async () => {
    const args = { relative_path: workspace.path('made/absolute.txt'), content: 'x' };
    expect(await client.ask('write_file', args)).toBe('File created: made/absolute.txt.');
  });

  test('writes to an ignored path, because it is named explicitly', async () => {
    await client.ask('create_text_file', { relative_path: 'build/new.py', content: 'x = 1\n' });
    expect(workspace.read('build/new.py')).toBe('x = 1\n');
  });

  testUnless(process.getuid?.() === 0 ? 'permissions do not bind root' : undefined)(
    'leaves a file that its owner has protected',
    async () => {
      workspace.write('made/protected.txt', 'mine');
      chmodSync(workspace.path('made/protected.txt'), 0o444);
      const answer = await client.call('create_text_file', { relative_path: 'made/protected.txt', content: 'x' });
      expectClearError(answer, 'PermissionError: ', '`made/protected.txt`');
      expect(workspace.read('made/protected.txt')).toBe('mine');
    },
  );
});

describe('replace_content', () => {
  const regex = (needle: string, repl: string) => ({ needle, repl, mode: 'regex' });
  const literal = (needle: string, repl: string) => ({ needle, repl, mode: 'literal' });
  const all = { allow_multiple_occurrences: true };
  const nested = 'start\nfoo\nstart\nbar\nend';

  test.each([
    ['a\nb\nc', regex('(a)\\n(b)', '$!2-$!1-$1-\\1'), 'b-a-$1-\\1\nc'],
    ['aXb', regex('(zz)?X', '[$!1]'), 'a[]b'],
    ['aXb', regex('X', '[$!0$!0]'), 'a[XX]b'],
    [nested, regex('start(?!\\nfoo).*?end', '-'), 'start\nfoo\n-'],
    ['aXb', literal('X', '$!1 $!0 \\1 \\n'), 'a$!1 $!0 \\1 \\nb'],
    ['a.b axb', literal('a.b', '-'), '- axb'],
    ['abc', literal('b', ''), 'ac'],
    ['one\ntwo', regex('^two$', 'X'), 'one\nX'],
    ['one\ntwo', regex('one.two', 'X'), 'X'],
    ['one ONE', regex('(?i)one$', 'X'), 'one X'],
    ['abxd', { ...regex('x*', '-'), ...all }, '-a-b--d-'],
    ['a b a', { ...literal('a', 'c'), ...all }, 'c b c'],
    ['ab', { ...literal('', '-'), ...all }, '-a-b-'],
    ['start start end', regex('start.*?end', '-'), '-'],
  ])('%j %j', async (before, args, after) => {
    expect(await edited('replace_content', before, args)).toEqual(['OK', after]);
  });

  test('keeps the line breaks of the file', async () => {
    await client.ask('replace_content', { relative_path: 'crlf.txt', ...literal('line2', 'L2') });
    expect(workspace.read('crlf.txt')).toBe('line1\r\nL2\r\nline3\r\n');
  });

  test('rejects ambiguous matches, even if multiple matches are allowed', async () => {
    for (const args of [regex('start.*?end', 'x'), { ...regex('start.*?end', 'x'), ...all }]) {
      await refused(
        'replace_content',
        nested,
        args,
        'ValueError: ',
        '`start.*?end`',
        '`t.txt`',
        'contains another match',
      );
    }
    // The ambiguity is reported before the number.
    await refused('replace_content', `${nested}\n${nested}`, regex('start.*?end', 'x'), 'contains another match');
  });

  test('refuses what matches nowhere, or several times', async () => {
    await refused('replace_content', 'abc', literal('x', ''), 'ValueError: ', 'no match for `x`', '`t.txt`');
    await refused('replace_content', 'abc', regex('x', ''), 'ValueError: ', 'no match for `x`', '`t.txt`');
    await refused(
      'replace_content',
      'aba',
      literal('a', ''),
      'ValueError: ',
      '2 matches',
      'allow_multiple_occurrences',
    );
    await refused('replace_content', 'a\r\nb', regex('a\\r\\nb', ''), 'no match', 'Match line breaks with \\n');
  });

  test('rejects a group that the pattern does not have, and an invalid pattern', async () => {
    await refused('replace_content', 'foo', regex('foo', '[$!5]'), 'IndexError: ', '`5`', 'no groups');
    await refused('replace_content', 'foo', regex('(foo', 'x'), 'ValueError: ', '`(foo`', 'position 0');
  });

  test('stops a pattern that never ends, while other calls continue', async () => {
    const slow = refused(
      'replace_content',
      `${'a'.repeat(60)}b`,
      regex('(a|aa)+$', ''),
      'ValueError: ',
      'takes too long',
      '`t.txt`',
    );
    await slow;
    expect(await edited('replace_content', 'abc', literal('b', 'B'))).toEqual(['OK', 'aBc']);
  });

  test('accepts older names of its parameters', async () => {
    expect(await edited('replace_content', 'a1', { regex: '\\d', repl: '-' })).toEqual(['OK', 'a-']);
    expect(await edited('replace_content', 'a\\d', { regex: '\\d', repl: '-', mode: 'literal' })).toEqual(['OK', 'a-']);
    expect(await edited('replace_content', 'ab', { regex: 'b', ...literal('a', '-') })).toEqual(['OK', '-b']);
    await refused('replace_content', 'a', { needle: 'a', repl: '' }, 'ValueError: ', '`mode`');
  });
});

describe('replace_regex', () => {
  test.each([
    ['a b', '(\\w) (\\w)', '\\2 \\1', 'b a'],
    ['a b', '(?P<x>\\w) b', '\\g<x>\\g<1>\\g<0>', 'aaa b'],
    ['a', 'a', '1\\n2\\t\\\\n', '1\n2\t\\n'],
    ['aXb', '(zz)?X', '[\\1][$!1]', 'a[][]b'],
    // Matches that replace_content would reject as ambiguous.
    ['start\nfoo\nstart\nend', 'start.*?end', '-', '-'],
  ])('%j %j %j', async (before, regex, repl, after) => {
    expect(await edited('replace_regex', before, { regex, repl })).toEqual(['OK', after]);
  });

  test('reports no or too many matches, without an error', async () => {
    for (const [regex, part] of [
      ['x', 'no match for `x` in `t.txt`'],
      ['a', '`a` has 2 matches in `t.txt`'],
    ] as const) {
      workspace.write('t.txt', 'aa');
      const answer = await client.call('replace_regex', { relative_path: 't.txt', regex, repl: '' });
      expect(answer).toMatchObject({ isError: false, text: expect.stringContaining(part) });
      expect(workspace.read('t.txt')).toBe('aa');
    }
    const all = { regex: 'a', repl: 'b', allow_multiple_occurrences: true };
    expect(await edited('replace_regex', 'aa', all)).toEqual(['OK', 'bb']);
  });

  test('rejects an invalid template', async () => {
    await refused('replace_regex', 'a', { regex: 'a', repl: '\\q' }, 'ValueError: ', '`\\q`');
    await refused('replace_regex', 'a', { regex: 'a', repl: '\\1' }, 'IndexError: ', '`1`');
  });

  test('can be called and is not listed', async () => {
    expect((await client.tools()).map(({ name }) => name)).not.toContain('replace_regex');
    expect(await edited('mcp__serena__replace_regex', 'a', { needle: 'a', repl: 'b' })).toEqual(['OK', 'b']);
  });
});

describe('delete_lines', () => {
  test.each([
    ['a\nb\nc', 0, 0, 'b\nc'],
    ['a\nb\nc', 1, 1, 'a\nc'],
    ['a\nb\nc', 2, 2, 'a\nb\n'],
    ['a\nb\nc\n', 2, 2, 'a\nb\n'],
    ['a\nb\nc\n', 1, 3, 'a\n'],
    ['a\nb\nc\n', 3, 3, 'a\nb\nc\n'],
    ['a\nb\nc', 0, 2, ''],
  ])('%j from %d to %d', async (before, start_line, end_line, after) => {
    expect(await edited('delete_lines', before, { start_line, end_line })).toEqual(['OK', after]);
  });
});

describe('replace_lines', () => {
  test.each([
    ['a\nb\nc', [1, 1], 'X', 'a\nX\nc'],
    ['a\nb\nc', [1, 1], 'X\n', 'a\nX\nc'],
    ['a\nb\nc', [1, 2], 'X', 'a\nX\n'],
    ['a\nb\nc\n', [1, 2], 'X\nY\nZ', 'a\nX\nY\nZ\n'],
    ['a\nb\nc\n', [0, 3], 'X', 'X\n'],
    ['a\nb\nc', [1, 1], '', 'a\n\nc'],
  ] as const)('%j lines %j by %j', async (before, [start_line, end_line], content, after) => {
    expect(await edited('replace_lines', before, { start_line, end_line, content })).toEqual(['OK', after]);
  });
});

describe('lines that a file does not have are rejected', () => {
  const outOfRange = 'InvalidTextLocationError: ';

  test.each(['delete_lines', 'replace_lines'])('by %s', async (tool) => {
    for (const [start_line, end_line] of [
      [1, 50],
      [3, 3],
      [-1, 0],
      [-2, -1],
      [2, 1],
      [0, 3],
    ]) {
      const args = { start_line, end_line, content: 'x' };
      await refused(tool, 'a\nb\nc', args, outOfRange, '`t.txt`', 'lines 0 to 2');
    }
  });

  test('by insert_at_line', async () => {
    for (const line of [4, 99, -1]) {
      await refused('insert_at_line', 'a\nb\nc', { line, content: 'x' }, outOfRange, `line ${line}`, 'lines 0 to 2');
    }
  });
});

describe('insert_at_line', () => {
  test.each([
    ['a\nb', 0, 'X', 'X\na\nb'],
    ['a\nb', 1, 'X\n', 'a\nX\nb'],
    ['a\nb', 2, 'X', 'a\nb\nX\n'],
    ['a\nb\n', 2, 'X', 'a\nb\nX\n'],
    ['a\nb\n', 3, 'X', 'a\nb\n\nX\n'],
    ['a\nb', 1, '', 'a\n\nb'],
    ['a\nb', 1, 'X\r\nY', 'a\nX\nY\nb'],
  ])('%j at %d: %j', async (before, line, content, after) => {
    expect(await edited('insert_at_line', before, { line, content })).toEqual(['OK', after]);
  });
});

describe('a project that is read-only', () => {
  test('is not edited, by any tool or name', async () => {
    const closed = makeWorkspace({
      '.serena/project.yml': JSON.stringify({ read_only: true }),
      'a.txt': 'a',
    });
    await using reader = await startClient({ args: ['--project', closed.root], env: { SERENA_HOME: home } });
    const args = {
      ...{ relative_path: 'a.txt', content: 'x', needle: 'a', regex: 'a', repl: 'b', mode: 'literal' },
      ...{ line: 0, start_line: 0, end_line: 0 },
    };
    const editing = ['create_text_file', 'write_file', 'replace_content', 'replace_regex', 'replace_in_files'];
    for (const tool of [...editing, ...lineTools.included_optional_tools, 'mcp__serena__replace_content']) {
      const answer = await reader.call(tool, args);
      expectClearError(answer, 'is not active');
      const [, active = ''] = /Active tools: (.*)/.exec(answer.text) ?? [];
      expect(active.split(', ')).toEqual(active.split(', ').sort());
      expect(active).not.toContain('replace_content');
    }
    expect(closed.read('a.txt')).toBe('a');
    expect(await reader.ask('read_file', { relative_path: 'a.txt' })).toBe('a');
  });
});

test('edits apply to what an editor changed meanwhile', async () => {
  expect(await edited('replace_content', 'one', { needle: 'one', repl: 'two', mode: 'literal' })).toEqual([
    'OK',
    'two',
  ]);
  workspace.write('t.txt', 'three');
  const args = { relative_path: 't.txt', needle: 'three', repl: 'four', mode: 'literal' };
  expect(await client.ask('replace_content', args)).toBe('OK');
  expect(workspace.read('t.txt')).toBe('four');
});
