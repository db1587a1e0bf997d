import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { makeWorkspace } from '../support/workspace.ts';
import { openForEdits, unlimited } from './planned.ts';

const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('a byte order mark', () => {
  test.each([
    ['an insertion at the start', [0, 0], 'x', '\ufeffxab\r\n'],
    ['an insertion that begins with a mark', [0, 0], '\ufeffx', '\ufeffxab\r\n'],
    ['a replacement of the first line', [0, 4], 'x\n', '\ufeffx\r\n'],
    ['a removal of the mark', [0, 1], '', '\ufeffab\r\n'],
    ['a replacement after it', [1, 2], 'x', '\ufeffxb\r\n'],
    ['a replacement later in the text', [2, 3], '\ufeffx', '\ufeffa\ufeffx\r\n'],
  ] as const)('stays over %s', async (_, [start, end], text, after) => {
    const workspace = makeWorkspace({ 'a.txt': '\ufeffab\r\n' });
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    edits.open('a.txt').replace(start, end, text);
    await edits.commit(unlimited);
    expect(workspace.read('a.txt')).toBe(after);
  });

  test.each([
    ['UTF-16, little-endian', little],
    ['UTF-16, big-endian', big],
  ])('says what a file of a UTF-8 project is edited and replaced in: %s', async (_, encode) => {
    const workspace = makeWorkspace({});
    workspace.write('a.txt', encode('\ufeffä 😀\r\nb\r\n'));
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    const draft = edits.open('a.txt');
    const at = draft.text.indexOf('b');
    draft.replace(at, at + 1, '漢\n');
    await edits.commit(unlimited);
    expect(readFileSync(workspace.path('a.txt'))).toEqual(encode('\ufeffä 😀\r\n漢\r\n\r\n'));
    const again = plan();
    expect(again.write('a.txt', 'new ✓\n', { mayReplace: true })).toBe(true);
    await again.commit(unlimited);
    expect(readFileSync(workspace.path('a.txt'))).toEqual(encode('\ufeffnew ✓\r\n'));
  });

  test('is not added to a file without one in a project whose new files get one', async () => {
    const workspace = makeWorkspace({
      '.serena/project.yml': 'encoding: utf-8-sig\n',
      'with.txt': '\ufeffa',
      'without.txt': 'a',
    });
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    for (const path of ['with.txt', 'without.txt']) edits.open(path).replace(0, 1, 'b');
    edits.write('new.txt', 'b', { mayReplace: false });
    await edits.commit(unlimited);
    expect(['with.txt', 'without.txt', 'new.txt'].map((path) => workspace.read(path))).toEqual([
      '\ufeffb',
      'b',
      '\ufeffb',
    ]);
  });
});
