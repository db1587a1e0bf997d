import { describe, expect, test } from 'bun:test';
import { isExpected } from '../../src/base/errors.ts';
import type { SearchQuery } from '../../src/search/scan-protocol.ts';
import { Scanner } from '../../src/search/scanner.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);

function scannerOf({ root }: Workspace, deadlineMs = 10_000): Scanner {
  return new Scanner({
    workerUrl,
    root,
    links: 'inside',
    ignoredPaths: [],
    useGitignore: true,
    encoding: 'utf-8',
    deadlineMs,
  });
}

function query(pattern: string, more: Partial<SearchQuery> = {}): SearchQuery {
  return { pattern, multiline: true, contextBefore: 0, contextAfter: 0, maxChars: 150_000, ...more };
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error;
  }
}

const files = {
  '.gitignore': 'build/\n',
  'a.py': 'import os\n\ndef run(x):\n    return x\n\nrun(1)',
  'crlf.txt': 'one\r\ntwo\r\n',
  'src/b.py': 'run = 1; run = 2\n',
  'build/gen.py': 'run\n',
};

describe('Scanner.search()', () => {
  test('returns one block for each match, by path', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    const found = await scanner.search(query('\\brun\\b'));
    expect(found).toMatchObject({ totalMatches: 4, undecodable: [], unreadable: [] });
    expect(found.files.map(({ path, count, lines }) => [path, count, lines])).toEqual([
      ['a.py', 2, [2, 5]],
      ['src/b.py', 2, [0, 0]],
    ]);
    expect(found.files[1]?.blocks).toEqual(['  >   0:run = 1; run = 2', '  >   0:run = 1; run = 2']);
  });

  test('shows context and matches over several lines', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    const found = await scanner.search(query('def run.*?return', { contextBefore: 1, contextAfter: 9 }));
    expect(found.files[0]?.blocks).toEqual([
      ['...   1:', '  >   2:def run(x):', '  >   3:    return x', '...   4:', '...   5:run(1)'].join('\n'),
    ]);
    expect(found.files[0]?.firstLines).toEqual([{ line: 2, text: 'def run(x):' }]);
    expect(await scanner.search(query('def run.*?return', { multiline: false }))).toMatchObject({ files: [] });
  });

  test('treats CRLF as one line break', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    const found = await scanner.search(query('one\\ntwo$'));
    expect(found.files.map(({ path }) => path)).toEqual(['crlf.txt']);
  });

  test('respects globs and scope', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    const pathsOf = async (more: Partial<SearchQuery>) =>
      (await scanner.search(query('run', more))).files.map(({ path }) => path);
    expect(await pathsOf({ includeGlob: 'src/**' })).toEqual(['src/b.py']);
    expect(await pathsOf({ excludeGlob: '*.py' })).toEqual([]);
    expect(await pathsOf({ under: 'build' })).toEqual(['build/gen.py']);
    expect(await pathsOf({ includeIgnored: true })).toEqual(['a.py', 'build/gen.py', 'src/b.py']);
    expect(await pathsOf({ under: 'a.py' })).toEqual(['a.py']);
    expect(await pathsOf({ extensions: ['.txt'] })).toEqual([]);
  });

  test('keeps only representations that fit into an answer', async () => {
    const lines = Array.from({ length: 4000 }, (_, index) => `word${index} ${'tail '.repeat(30)}`).join('\n');
    await using scanner = scannerOf(makeWorkspace({ 'a.txt': lines }));
    const kept = async (maxChars: number) => {
      const [file] = (await scanner.search(query('word\\d+', { maxChars }))).files;
      return Object.keys(file ?? {});
    };
    expect(await kept(1_000_000)).toEqual(['path', 'count', 'blocks', 'firstLines', 'briefLines', 'lines']);
    expect(await kept(200_000)).toEqual(['path', 'count', 'briefLines', 'lines']);
    expect(await kept(20_000)).toEqual(['path', 'count', 'lines']);
    expect(await kept(5_000)).toEqual(['path', 'count']);
  });

  test('truncates long first lines by characters', async () => {
    await using scanner = scannerOf(makeWorkspace({ 'a.txt': `  ${'😀'.repeat(70)}\n${'😀'.repeat(60)}\n` }));
    const [file] = (await scanner.search(query('^\\s*😀'))).files;
    expect(file?.firstLines?.[0]?.text).toBe('😀'.repeat(70));
    expect(file?.briefLines?.map(({ text }) => text)).toEqual([`${'😀'.repeat(60)}...`, '😀'.repeat(60)]);
  });

  test('names undecodable files, and omits binary ones', async () => {
    const workspace = makeWorkspace({ 'ok.txt': 'x1' });
    workspace.write('latin.txt', Buffer.from('x2 é', 'latin1'));
    workspace.write('image.bin', Buffer.from([0x78, 0x31, 0, 0xff]));
    workspace.write('large.bin', Buffer.alloc(3_000_000, 'x1 \0 '));
    workspace.write('large.txt', `${'line\n'.repeat(400_000)}x3`);
    await using scanner = scannerOf(workspace);
    const found = await scanner.search(query('x\\d'));
    expect([found.files.map(({ path }) => path), found.undecodable]).toEqual([['large.txt', 'ok.txt'], ['latin.txt']]);
  });

  test('reads single files in UTF-16 by their BOM', async () => {
    const workspace = makeWorkspace({ 'ok.txt': 'größe 1' });
    workspace.write('big.txt', Buffer.from('\ufeffa\r\ngröße 2', 'utf16le').swap16());
    workspace.write('little.txt', Buffer.from('\ufeffa\r\ngröße 2', 'utf16le'));
    workspace.write('large.txt', Buffer.from(`\ufeff${'a\n'.repeat(700_000)}größe 2`, 'utf16le'));
    await using scanner = scannerOf(workspace);
    for (const pattern of ['größe \\d$', '\\ngr.*e \\d']) {
      const found = await scanner.search(query(pattern, { under: '' }));
      expect(found.files.map(({ path }) => path)).toEqual(
        expect.arrayContaining(['big.txt', 'large.txt', 'little.txt']),
      );
      expect(found).toMatchObject({ undecodable: [], unreadable: [] });
    }
  });

  test('rejects bad patterns, bad globs and a path that does not exist', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    expect(isExpected(await caught(scanner.search(query('('))), 'search.bad-pattern')).toBe(true);
    expect(isExpected(await caught(scanner.search(query('a', { includeGlob: '{' }))), 'search.bad-glob')).toBe(true);
    expect(isExpected(await caught(scanner.search(query('a', { under: 'no' }))), 'file.not-found')).toBe(true);
  });
});

describe('Scanner.matches()', () => {
  test('returns offsets, groups and the offset of each group', async () => {
    await using scanner = scannerOf(makeWorkspace({}));
    const text = 'start\nfoo\nend';
    expect(await scanner.matches({ pattern: 'start.*?(end)(x)?', multiline: true, text })).toEqual([
      { start: 0, end: text.length, groups: [text, 'end', undefined], groupStarts: [0, 10, undefined] },
    ]);
  });

  const groups: readonly { what: string; pattern: string; text: string; starts: (number | undefined)[] }[] = [
    { what: 'after a lookbehind', pattern: '(?<=x)(a)', text: 'a xa', starts: [3, 3] },
    { what: 'counted in UTF-16', pattern: '.(b)', text: '😀b', starts: [0, 2] },
    {
      what: 'beside groups that only the JavaScript expression has',
      pattern: '(?>a+)(b)',
      text: 'aab',
      starts: [0, 2],
    },
    { what: 'that is empty', pattern: 'a()', text: 'ba', starts: [1, 2] },
    { what: 'under a name, in any case', pattern: '(?i)(?P<it>B)', text: 'ab', starts: [1, 1] },
  ];
  for (const { what, pattern, text, starts } of groups) {
    test(`returns the offset of a group ${what}`, async () => {
      await using scanner = scannerOf(makeWorkspace({}));
      const [match] = await scanner.matches({ pattern, multiline: true, text });
      expect(match?.groupStarts).toEqual(starts);
    });
  }

  test('names the file in which a pattern takes too long', async () => {
    await using scanner = scannerOf(makeWorkspace({}));
    const text = `${'x'.repeat(40)}z`;
    const error = await caught(
      scanner.matches({ pattern: '^(?:(?:x+x+)+y|x+z$)', multiline: true, text, path: 'a.txt' }),
    );
    expect(isExpected(error, 'search.too-slow') && error.message).toContain('`a.txt`');
  });
});

describe('a pattern that runs away', () => {
  const evil = '^(?:(?:x+x+)+y|x+z$)';
  const workspace = makeWorkspace({ 'a.txt': `${'x'.repeat(40)}z` });

  test('ends at the deadline and delays only searches', async () => {
    await using scanner = scannerOf(workspace, 300);
    const slow = caught(scanner.search(query(evil)));
    const next = scanner.search(query('x+z'));
    expect((await scanner.listFiles({})).length).toBe(1);
    const error = await slow;
    expect(isExpected(error, 'search.too-slow') && error.message).toContain(evil);
    expect((await next).totalMatches).toBe(1);
  });

  test('is not reported as having no matches', async () => {
    await using scanner = scannerOf(workspace);
    expect(isExpected(await caught(scanner.search(query(evil))), 'search.too-slow')).toBe(true);
  });

  test('ends when its request is cancelled', async () => {
    await using scanner = scannerOf(workspace);
    const controller = new AbortController();
    const slow = caught(scanner.search(query(evil), controller.signal));
    const waiting = caught(scanner.search(query('x'), controller.signal));
    controller.abort(new Error('not wanted'));
    expect([await slow, await waiting].map(String)).toEqual(['Error: not wanted', 'Error: not wanted']);
    expect((await scanner.search(query('x+z'))).totalMatches).toBe(1);
  });
});

test('a closed scanner rejects pending and new requests', async () => {
  const scanner = scannerOf(makeWorkspace({ 'a.txt': 'x' }));
  const pending = [caught(scanner.search(query('x'))), caught(scanner.listFiles({})), caught(scanner.listFiles({}))];
  await scanner[Symbol.asyncDispose]();
  expect((await Promise.all(pending)).every((error) => error instanceof Error)).toBe(true);
  expect(await caught(scanner.listFiles({}))).toBeInstanceOf(Error);
});

test('a scanner whose thread cannot start rejects requests', async () => {
  const root = makeWorkspace({}).root;
  const missing = new URL('./no-such-worker.ts', import.meta.url);
  const setup = {
    root,
    links: 'inside' as const,
    ignoredPaths: [],
    useGitignore: true,
    encoding: 'utf-8',
    deadlineMs: 10_000,
  };
  await using scanner = new Scanner({ workerUrl: missing, ...setup });
  expect(await caught(scanner.listFiles({}))).toBeInstanceOf(Error);
});

describe('Scanner.wholeMatches()', () => {
  test('matches patterns against whole texts, like fullmatch', async () => {
    await using scanner = scannerOf(makeWorkspace({}));
    for (const [pattern, ...rows] of [
      ['global/.*', ['global/a', true], ['global/', true], ['xglobal/a', false], ['global', false]],
      // Alternatives are tried until one matches the whole text.
      ['a|ab', ['ab', true], ['a', true], ['abb', false]],
      ['(a)|(b)', ['a', true], ['b', true], ['ab', false]],
      ['(?i)CORE', ['core', true], ['cores', false]],
      ['(.)\\1', ['aa', true], ['ab', false]],
      ['a$', ['a', true]],
      ['', ['', true], ['a', false]],
      ['.', ['😀', true], ['\n', false]],
    ] as const) {
      const texts = rows.map(([text]) => text);
      expect([pattern, await scanner.wholeMatches({ patterns: [pattern], texts })]).toEqual([
        pattern,
        rows.map(([, isMatch]) => isMatch),
      ]);
    }
    const both = { patterns: ['a', 'b'], texts: ['a', 'b', 'c'] };
    expect(await scanner.wholeMatches(both)).toEqual([true, true, false]);
  });

  test('rejects a bad pattern, also one that would be valid in parentheses', async () => {
    await using scanner = scannerOf(makeWorkspace({}));
    for (const pattern of ['(', 'a)|(b']) {
      const error = await caught(scanner.wholeMatches({ patterns: ['fine', pattern], texts: ['x'] }));
      expect(isExpected(error, 'search.bad-pattern')).toBe(true);
    }
  });
});
