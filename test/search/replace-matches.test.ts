import { describe, expect, test } from 'bun:test';
import { type Replacement, replaceMatches } from '../../src/search/replace-matches.ts';
import { Scanner } from '../../src/search/scanner.ts';
import { makeTempDir } from '../support/temp.ts';

const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);
const signal = new AbortController().signal;

/** Applies a replacement to a text. Returns the new text, or the code of the error. */
async function replaced(text: string, replacement: Omit<Replacement, 'path'>): Promise<unknown> {
  const options = { ignoredPaths: [], useGitignore: true, encoding: 'utf-8', deadlineMs: 10_000 } as const;
  await using scanner = new Scanner({ workerUrl, root: makeTempDir('root'), links: 'inside', ...options });
  const parts: string[] = [];
  let from = 0;
  const draft = {
    text,
    replace(start: number, end: number, by: string) {
      parts.push(text.slice(from, start), by);
      from = end;
    },
  };
  try {
    const count = await replaceMatches(draft, { path: 'a.txt', ...replacement }, { scanner, signal });
    return [count, [...parts, text.slice(from)].join('')];
  } catch (error) {
    expect(from).toBe(0);
    return error instanceof Error ? error.message : error;
  }
}

const literal = { needle: 'one', repl: '1', mode: 'literal', allowsMultiple: false } as const;
const pattern = { needle: 'a.*b', repl: 'c', mode: 'regex', allowsMultiple: false } as const;

describe('replaceMatches()', () => {
  test('replaces the match, and all matches if several are allowed', async () => {
    expect(await replaced('one two', literal)).toEqual([1, '1 two']);
    expect(await replaced('one two one', { ...literal, allowsMultiple: true })).toEqual([2, '1 two 1']);
    expect(await replaced('a one b', { ...pattern, needle: '(one) b', repl: '$!1' })).toEqual([1, 'a one']);
    expect(await replaced('a one b', { ...pattern, mode: 'template', needle: '(one) b', repl: '\\1' })).toEqual([
      1,
      'a one',
    ]);
  });

  test('replaces nothing if the matches are not what the caller expects', async () => {
    expect(await replaced('two', literal)).toBe('there is no match for `one` in `a.txt`');
    expect(await replaced('one one', { ...literal, place: 'the memory `a`' })).toBe(
      '`one` has 2 matches in the memory `a`, expected 1',
    );
    expect(await replaced('a\na\nb', pattern)).toContain('a multi-line match contains another match');
  });

  test('replaces a match that contains another one if that is allowed', async () => {
    expect(await replaced('a\na\nb', { ...pattern, allowsAmbiguous: true })).toEqual([1, 'c']);
  });
});
