import { expect } from 'bun:test';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  linkSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { realRootOf } from '../../src/search/project-path.ts';
import {
  type DirectoryAccess,
  type FileStatus,
  fileStatus,
  listedName,
  listOpenDirectory,
  OpenDirectory,
} from '../../src/search/system-calls.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const onLinux = testUnless(process.platform === 'linux' ? undefined : 'needs Linux');

function kindOf(stats: Stats): FileStatus['kind'] {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'directory' : 'other';
}

onLinux('the status of a path is what the runtime reports', async () => {
  const names = ['a.txt', 'old.txt', 'ümläut 漢字 😀.txt', 'far.txt', `${'ä'.repeat(120)}.txt`];
  await using workspace = makeWorkspace(Object.fromEntries(names.map((name) => [`d/${name}`, name])));
  utimesSync(workspace.path('d/old.txt'), -1.25, -86_400.5);
  utimesSync(workspace.path('d/far.txt'), 2 ** 33, 2 ** 33 + 0.1);
  linkSync(workspace.path('d/a.txt'), workspace.path('d/second name.txt'));
  symlinkSync('a.txt', workspace.path('d/link.txt'));
  symlinkSync('d', workspace.path('linked'));
  execFileSync('mkfifo', [workspace.path('d/pipe')]);
  const long = `d${'/../d'.repeat(300)}/a.txt`;
  const linked = ['d', 'linked', 'linked/a.txt', 'd/link.txt', 'd/second name.txt', 'd/pipe', long];
  for (const path of [...names.map((name) => `d/${name}`), ...linked]) {
    const stats = statSync(`${workspace.root}/${path}`);
    const { mtimeMs, ctimeMs, size, ino, nlink } = stats;
    expect(fileStatus(`${workspace.root}/${path}`)).toEqual({
      ...{ kind: kindOf(stats), mtimeMs, ctimeMs, size, ino, nlink },
    });
  }
  expect(fileStatus(workspace.path('d/second name.txt'))?.nlink).toBe(2);
});

onLinux('a path that cannot be reached has no status', async () => {
  await using workspace = makeWorkspace({ 'a.txt': 'a' });
  symlinkSync('nowhere', workspace.path('broken'));
  symlinkSync('circle', workspace.path('circle'));
  const paths = ['gone', 'gone/a.txt', 'a.txt/b', 'broken', 'circle', 'nul\0', 'n'.repeat(300), 'n/'.repeat(3000)];
  expect(paths.filter((path) => fileStatus(`${workspace.root}/${path}`) !== undefined)).toEqual([]);
});

/** Returns what was listed, sorted; the fallback where the C library cannot be called. */
function listed(path: string) {
  const fd = openSync(path, 'r');
  try {
    const names = listOpenDirectory(fd) ?? readdirSync(path, { withFileTypes: true }).map(listedName);
    return names.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    closeSync(fd);
  }
}

onLinux('the entries of a directory are those that the runtime lists', async () => {
  // Together they take more than one call.
  const many = Array.from({ length: 2000 }, (_, index) => `d/${index}-${'n'.repeat(index % 200)}`);
  const odd = ['.hidden', '..two dots', 'ümläut 漢字 😀', 'line\nbreak', ' ', '\\', 'ä'.repeat(127)];
  await using workspace = makeWorkspace(
    Object.fromEntries([...many, ...odd.map((name) => `d/${name}`)].map((path) => [path, ''])),
  );
  workspace.write('d/sub/inner.txt', '');
  writeFileSync(Buffer.concat([Buffer.from(`${workspace.path('d')}/bytes`), Buffer.from([0xff, 0xc3, 0x28])]), '');
  symlinkSync('sub', workspace.path('d/link'));
  symlinkSync('nowhere', workspace.path('d/broken'));
  execFileSync('mkfifo', [workspace.path('d/pipe')]);
  const names = listed(workspace.path('d'));
  const expected = readdirSync(workspace.path('d'), { withFileTypes: true }).map(listedName);
  expect(names).toEqual(expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  const kindOf = (name: string) => names.find((one) => one.name === name)?.kind;
  const kinds = ['sub', 'link', 'broken', '.hidden', 'pipe'].map(kindOf);
  expect(kinds).toEqual(['directory', 'link', 'link', 'file', undefined]);
});

onLinux('an empty directory has no entries, and a file is not listed', async () => {
  await using workspace = makeWorkspace({ 'd/a.txt': '' });
  workspace.remove('d/a.txt');
  expect(listed(workspace.path('d'))).toEqual([]);
  workspace.write('d/a.txt', '');
  const fd = openSync(workspace.path('d/a.txt'), 'r');
  expect(listOpenDirectory(fd)).toBeUndefined();
  closeSync(fd);
});

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
