import { expect } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { listedName, listOpenDirectory } from '../../src/search/list-open-directory.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const onLinux = testUnless(process.platform === 'linux' ? undefined : 'needs Linux');

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
