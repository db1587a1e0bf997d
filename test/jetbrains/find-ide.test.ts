import { describe, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { matchRoot } from '../../src/jetbrains/find-ide.ts';
import { makeTempDir } from '../support/temp.ts';

describe('matchRoot()', () => {
  const cases: [string, string, 'same' | 'elsewhere' | undefined][] = [
    ['/home/me/shop', '/home/me/shop', 'same'],
    ['/home/me/shop/', '/home/me/shop', 'elsewhere'],
    ['/home/me/other', '/home/me/shop', undefined],
    ['/home/me/shop/sub', '/home/me/shop', undefined],
    ['/home/me', '/home/me/shop', undefined],
    ['/home/me/workshop', '/shop', undefined],
    ['/home/me/Shop', '/home/me/shop', 'elsewhere'],
    // WSL: the IDE runs on Windows, this program in Linux.
    ['C:\\code\\shop', '/mnt/c/code/shop', 'elsewhere'],
    ['C:/code/shop', '/mnt/c/code/shop', 'elsewhere'],
    ['D:/code/shop', '/mnt/c/code/shop', undefined],
    ['\\\\wsl.localhost\\Ubuntu\\home\\me\\shop', '/home/me/shop', 'elsewhere'],
    ['//wsl$/Ubuntu/home/me/shop', '/home/me/shop', 'elsewhere'],
    // The reverse.
    ['/mnt/c/code/shop', 'C:\\code\\shop', 'elsewhere'],
    ['C:/Code/Shop', 'c:\\code\\shop', 'elsewhere'],
    // `mnt` without a drive.
    ['/mnt/cd/shop', '/mnt/c/d/shop', undefined],
    ['/mnt/c', '/mnt/c', 'same'],
    // A container: the IDE has the directory that is mounted into it.
    ['/host/volumes/app', '/app', 'elsewhere'],
    // The root directory would match every path.
    ['/home/me/shop', '/', undefined],
  ];
  for (const [ideRoot, root, expected] of cases) {
    test(`${ideRoot} is ${expected ?? 'not'} ${root}`, () => expect(matchRoot(ideRoot, root)).toBe(expected));
  }

  test('follows links on both sides', () => {
    const directory = makeTempDir();
    const link = join(makeTempDir(), 'link');
    symlinkSync(directory, link);
    expect(matchRoot(link, directory)).toBe('same');
    expect(matchRoot(directory, link)).toBe('same');
  });
});
