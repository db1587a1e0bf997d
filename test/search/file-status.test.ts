import { expect } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { linkSync, type Stats, statSync, symlinkSync, utimesSync } from 'node:fs';
import { type FileStatus, fileStatus } from '../../src/search/file-status.ts';
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
