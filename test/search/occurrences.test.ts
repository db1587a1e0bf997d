import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { isExpected } from '../../src/base/errors.ts';
import type { OccurrenceQuery } from '../../src/search/scan-protocol.ts';
import { Scanner } from '../../src/search/scanner.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);

function scannerOf({ root }: Workspace): Scanner {
  const options = { ignoredPaths: [], useGitignore: true, encoding: 'utf-8', deadlineMs: 10_000 };
  return new Scanner({ workerUrl, root, links: 'inside', ...options });
}

function query(needle: string, more: Partial<OccurrenceQuery> = {}): OccurrenceQuery {
  return { needle, repl: '[$!0]', mode: 'regex', maxChars: 150_000, withEdits: true, ...more };
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error;
  }
}

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const digits = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
/** Returns the hash in the id of a range in `b.txt`, in whose offsets each line break counts as one. */
const mark = (start: number, end: number) => digits(`${digits('one\r\ntwo one\r\n')}:${start}:${end}`);

describe('Scanner.occurrences()', () => {
  test('returns the edits and both renderings', async () => {
    const workspace = makeWorkspace({ 'b.txt': 'one\r\ntwo one\r\n', 'a.txt': 'none' });
    await using scanner = scannerOf(workspace);
    expect(await scanner.occurrences(query('\\bone'))).toEqual({
      files: [
        {
          path: 'b.txt',
          count: 2,
          ambiguousCount: 0,
          changes: [
            `  [b.txt:0@${mark(0, 3)}] line 0\n    - one\n    + [one]`,
            `  [b.txt:1@${mark(8, 11)}] line 1\n    - two one\n    + two [one]`,
          ],
          places: [`  [b.txt:0@${mark(0, 3)}] line 0`, `  [b.txt:1@${mark(8, 11)}] line 1`],
          edits: {
            contentHash: sha1('one\r\ntwo one\r\n'),
            offsets: [0, 3, 8, 11],
            replacements: ['[one]', '[one]'],
            marks: [mark(0, 3), mark(8, 11)],
          },
        },
      ],
      undecodable: [],
      unreadable: [],
    });
  });

  test('finds texts across all types of line breaks, and after a BOM', async () => {
    const workspace = makeWorkspace({
      'cr.txt': 'a long enough text\rb',
      'crlf.txt': 'a long enough text\r\nb',
      'lf.txt': 'a long enough text\nb',
      'mark.txt': '\ufeffa long enough text\nb',
      'other.txt': 'a long enough text b',
    });
    workspace.write('utf16.txt', Buffer.from('\ufeffa long enough text\r\nb', 'utf16le'));
    await using scanner = scannerOf(workspace);
    const offsetsOf = async (mode: 'literal' | 'regex') => {
      const { files } = await scanner.occurrences(query('a long enough text\nb', { mode }));
      return Object.fromEntries(files.map(({ path, edits }) => [path, edits?.offsets]));
    };
    const found = {
      'cr.txt': [0, 20],
      'crlf.txt': [0, 20],
      'lf.txt': [0, 20],
      'mark.txt': [1, 21],
      'utf16.txt': [1, 21],
    };
    expect(await offsetsOf('literal')).toEqual(found);
    expect(await offsetsOf('regex')).toEqual(found);
  });

  test('respects scope, globs and paths, and names the files that it could not read', async () => {
    const workspace = makeWorkspace({ 'a.py': 'x', 'src/b.py': 'x', 'src/c.ts': 'x', '.gitignore': 'src/c.ts\n' });
    workspace.write('src/latin.py', Buffer.from('x é', 'latin1'));
    await using scanner = scannerOf(workspace);
    const pathsOf = async (more: Partial<OccurrenceQuery>) => {
      const { files, undecodable } = await scanner.occurrences(query('x', more));
      return [files.map(({ path }) => path), undecodable];
    };
    expect(await pathsOf({})).toEqual([['a.py', 'src/b.py'], ['src/latin.py']]);
    expect(await pathsOf({ under: 'src' })).toEqual([['src/b.py'], ['src/latin.py']]);
    expect(await pathsOf({ includeGlob: '*.py' })).toEqual([['a.py'], []]);
    expect(await pathsOf({ excludeGlob: 'src/**' })).toEqual([['a.py'], []]);
    expect(await pathsOf({ paths: ['src/b.py', 'src/c.ts', 'nope'] })).toEqual([['src/b.py'], []]);
    expect(isExpected(await caught(pathsOf({ under: 'nope' })), 'file.not-found')).toBe(true);
  });

  test('omits renderings that are too long for an answer, but no edits', async () => {
    await using scanner = scannerOf(makeWorkspace({ 'a.txt': 'word '.repeat(5_000), 'b.txt': 'word' }));
    const kept = async (maxChars: number) => {
      const { files } = await scanner.occurrences(query('word', { maxChars }));
      expect(files.map(({ edits }) => edits?.marks.length)).toEqual([5_000, 1]);
      return files.map((file) => Object.keys(file).filter((key) => key === 'changes' || key === 'places'));
    };
    expect(await kept(10_000_000)).toEqual([
      ['changes', 'places'],
      ['changes', 'places'],
    ]);
    expect(await kept(150_000)).toEqual([['places'], ['places']]);
    expect(await kept(10_000)).toEqual([[], []]);
  });

  test('returns no edits without `withEdits`', async () => {
    await using scanner = scannerOf(makeWorkspace({ 'a.txt': 'x' }));
    const { files } = await scanner.occurrences(query('x', { withEdits: false }));
    expect(files).toMatchObject([{ path: 'a.txt', count: 1 }]);
    expect(files[0]).not.toHaveProperty('edits');
  });
});

describe('Scanner.substitutions()', () => {
  test('returns offsets, replacements and ambiguity', async () => {
    await using scanner = scannerOf(makeWorkspace({}));
    const text = 'start\nfoo\nstart\nbar\nend';
    const rule = { text, needle: 'start.*?(end)(x)?', repl: '$!1$!2\\1' };
    expect(await scanner.substitutions({ ...rule, mode: 'regex' })).toEqual([
      { start: 0, end: text.length, replacement: 'end\\1', isAmbiguous: true },
    ]);
    expect(await scanner.substitutions({ ...rule, mode: 'template' })).toMatchObject([{ replacement: 'endend' }]);
    expect(await scanner.substitutions({ ...rule, needle: 'foo', mode: 'literal' })).toEqual([
      { start: 6, end: 9, replacement: '$!1$!2\\1', isAmbiguous: false },
    ]);
  });

  test.each([
    ['(', '', 'search.bad-pattern'],
    ['foo', '$!1', 'edit.no-group'],
  ] as const)('refuses %j by %j as %s', async (needle, repl, code) => {
    await using scanner = scannerOf(makeWorkspace({}));
    const error = await caught(scanner.substitutions({ text: 'foo', needle, repl, mode: 'regex' }));
    expect(isExpected(error, code)).toBe(true);
  });

  test('names the file in which a pattern takes too long', async () => {
    await using scanner = scannerOf(makeWorkspace({}));
    const query = { text: `${'x'.repeat(40)}z`, needle: '^(?:(?:x+x+)+y|x+z$)', repl: '', path: 'a.txt' };
    const error = await caught(scanner.substitutions({ ...query, mode: 'regex' }));
    expect(isExpected(error, 'search.too-slow') && error.message).toContain('`a.txt`');
  });
});
