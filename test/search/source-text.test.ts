import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { isExpected } from '../../src/base/errors.ts';
import { readSource } from '../../src/search/source-text.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'nothing';
  } catch (error) {
    return isExpected(error) ? error.code : String(error);
  }
}

describe('readSource()', () => {
  const workspace = makeWorkspace({ 'crlf.txt': '\ufeffa\r\nb\rc', 'empty.txt': '', 'directory/x': '' });
  workspace.write('latin.txt', Buffer.from('é', 'latin1'));
  workspace.write('image.bin', Buffer.from([0x89, 0x50, 0, 1]));
  const project = { root: workspace.root, links: 'inside' } as const;

  test('returns the text with line feeds, and the raw text', () => {
    const { bytes, raw, text } = readSource(project, 'crlf.txt', 'utf-8');
    expect([text, raw, bytes.length]).toEqual(['\ufeffa\nb\nc', '\ufeffa\r\nb\rc', 9]);
    expect(readSource(project, 'empty.txt', 'utf-8').text).toBe('');
    expect(readSource(project, 'latin.txt', 'latin-1').text).toBe('é');
  });

  test('reads a file in UTF-16 by its BOM', () => {
    const content = Buffer.from('\ufeffa\r\né😀', 'utf16le');
    workspace.write('utf16.txt', content);
    const { text, codec } = readSource(project, 'utf16.txt', 'utf-8');
    expect([text, codec.name]).toEqual(['\ufeffa\né😀', 'utf-16-le']);
    expect(codec.tryEncode('\ufeffa\r\né😀')).toEqual(content);
  });

  const cases: [string, string, string][] = [
    ['nope.txt', 'utf-8', 'file.not-found'],
    ['crlf.txt/x', 'utf-8', 'file.not-found'],
    ['directory', 'utf-8', 'file.is-directory'],
    ['latin.txt', 'utf-8', 'file.undecodable'],
    ['image.bin', 'utf-8', 'file.undecodable'],
    ['crlf.txt', 'klingon', 'config.invalid'],
  ];
  test.each(cases)('refuses %s as %s', (path, encoding, code) => {
    expect(codeOf(() => readSource(project, path, encoding))).toBe(code);
  });

  testUnless(process.platform === 'win32' ? 'there are no named pipes on disk' : undefined)(
    'does not wait for a pipe',
    () => {
      execFileSync('mkfifo', [workspace.path('pipe')]);
      expect(codeOf(() => readSource(project, 'pipe', 'utf-8'))).toBe('file.unreadable');
    },
  );
});
