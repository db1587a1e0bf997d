import { expect } from 'bun:test';
import { statSync, symlinkSync, utimesSync } from 'node:fs';
import { type DirectoryAccess, OpenDirectory } from '../../src/search/open-directory.ts';
import { realRootOf } from '../../src/search/project-path.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const onLinux = testUnless(process.platform === 'linux' ? undefined : 'needs Linux');
/** Those that exist here: the first needs glibc. */
const ways = (['libc', 'proc', 'none'] as const).map((access) => new OpenDirectory(access).access);

/** Returns what was read; `undefined` also if that failed. */
function tryRead(files: OpenDirectory, directory: string, name: string, buffer: Buffer) {
  try {
    return files.read(directory, name, buffer);
  } catch {
    return undefined;
  }
}

onLinux('the metadata of a file are those that the runtime reports', async () => {
  const names = ['a.txt', 'old.txt', 'ümläut 漢字.txt', 'fine.txt', 'far.txt', 'whole.txt'];
  await using workspace = makeWorkspace(Object.fromEntries(names.map((name) => [`d/${name}`, name])));
  utimesSync(workspace.path('d/old.txt'), -1.25, -86_400.5);
  utimesSync(workspace.path('d/fine.txt'), 1_700_000_000.123_456, 1_700_000_000.123_456);
  utimesSync(workspace.path('d/far.txt'), 2 ** 33, 2 ** 33 + 0.1);
  utimesSync(workspace.path('d/whole.txt'), 1, 1);
  const directory = `${realRootOf(workspace.root)}/d`;
  const buffer = Buffer.alloc(100);
  for (const access of ways.filter((way) => way !== 'none')) {
    const files = new OpenDirectory(access);
    for (const name of names) {
      const { mtimeMs, ctimeMs, size, ino } = statSync(`${directory}/${name}`);
      expect(files.read(directory, name, buffer)).toMatchObject({ mtimeMs, ctimeMs, size, ino });
      expect(buffer.toString('utf8', 0, size)).toBe(name);
    }
    files.release();
  }
});

onLinux('no link, directory, missing file or file that does not fit is read', async () => {
  await using workspace = makeWorkspace({ 'd/a.txt': 'aaa', 'd/sub/b.txt': 'b' });
  symlinkSync('a.txt', workspace.path('d/link.txt'));
  symlinkSync('d', workspace.path('linked'));
  const root = realRootOf(workspace.root);
  const buffer = Buffer.alloc(3);
  for (const access of ways) {
    const files = new OpenDirectory(access);
    const readIn = (directory: string, name: string) => tryRead(files, `${root}/${directory}`, name, buffer);
    const names = ['a.txt', 'link.txt', 'sub', 'gone.txt', 'a'.repeat(2000)];
    expect(names.filter((name) => readIn('d', name) !== undefined)).toEqual([]);
    expect(['linked', 'gone'].filter((directory) => readIn(directory, 'a.txt') !== undefined)).toEqual([]);
    files.release();
  }
});

function withLinkInPlace(access: DirectoryAccess, root: string, replace: () => void): (string | undefined)[] {
  const files = new OpenDirectory(access);
  const buffer = Buffer.alloc(10);
  const readText = (name: string) => {
    const stats = tryRead(files, `${root}/d`, name, buffer);
    return stats && buffer.toString('utf8', 0, stats.size);
  };
  const before = readText('a.txt');
  replace();
  const inside = [readText('a.txt'), readText('b.txt')];
  files.release();
  const after = readText('a.txt');
  files.release();
  return [before, ...inside, after];
}

onLinux('a link in the place of the open directory is not entered', async () => {
  for (const access of ways.filter((way) => way !== 'none')) {
    await using workspace = makeWorkspace({ 'd/a.txt': 'first', 'e/a.txt': 'other', 'e/b.txt': 'b' });
    const replace = () => {
      workspace.move('d', 'moved');
      symlinkSync('e', workspace.path('d'));
    };
    const texts = withLinkInPlace(access, realRootOf(workspace.root), replace);
    expect(texts).toEqual(['first', 'first', undefined, undefined]);
  }
});
