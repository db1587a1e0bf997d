import { expect, test } from 'bun:test';
import { readdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { recordState } from '../../src/base/file-state.ts';
import { FileContents } from '../../src/search/file-contents.ts';
import { FileReader } from '../../src/search/file-reader.ts';
import { realRootOf } from '../../src/search/project-path.ts';
import { Snapshot } from '../../src/search/snapshot.ts';
import { getCodec } from '../../src/text/encodings.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const codec = getCodec('utf-8');
const onLinux = testUnless(process.platform === 'linux' ? undefined : 'needs /proc');

/** Returns a function that reads a file in its current or in an earlier state, as text. */
function readingIn(workspace: Workspace, reader = new FileReader(codec)) {
  const root = realRootOf(workspace.root);
  const stateOf = (path: string) => recordState(statSync(workspace.path(path)), Date.now());
  const read = (path: string, state = stateOf(path)) => {
    const { bytes, isOfState } = reader.read({ root, path, links: 'inside' }, state);
    return { text: bytes?.toString(), isOfState };
  };
  return { read, stateOf, reader };
}

test('a reader reads one file after another, from the root and from directories', async () => {
  await using workspace = makeWorkspace({ 'a.txt': 'a', 'd/b.txt': 'bb', 'd/e/c.txt': '', 'd/z.txt': 'z'.repeat(3e5) });
  const { read } = readingIn(workspace);
  expect(read('a.txt')).toEqual({ text: 'a', isOfState: true });
  expect(read('d/b.txt')).toEqual({ text: 'bb', isOfState: true });
  expect(read('d/e/c.txt')).toEqual({ text: '', isOfState: true });
  expect(read('d/z.txt').text?.length).toBe(3e5);
  expect(read('d/b.txt')).toEqual({ text: 'bb', isOfState: true });
});

test('a reader returns the present content of a file that has changed since its state was recorded', async () => {
  await using workspace = makeWorkspace({ 'd/a.txt': 'old', 'd/b.txt': 'b', 'other/a.txt': 'of the other' });
  const { read, stateOf, reader } = readingIn(workspace);
  const state = stateOf('d/a.txt');
  read('d/b.txt');
  workspace.write('d/a.txt', 'new');
  expect(read('d/a.txt', state)).toEqual({ text: 'new', isOfState: false });
  workspace.write('d/a.txt', 'longer than before');
  expect(read('d/a.txt', state)).toEqual({ text: 'longer than before', isOfState: false });
  // The directory that the reader has open is another one now.
  read('d/b.txt');
  const before = stateOf('d/a.txt');
  renameSync(workspace.path('d'), workspace.path('moved'));
  renameSync(workspace.path('other'), workspace.path('d'));
  expect(read('d/a.txt').text).toBe('of the other');
  // Until the question ends, a file is that of the state.
  expect(read('d/a.txt', before)).toEqual({ text: 'longer than before', isOfState: true });
  reader.release();
  expect(read('d/a.txt', before)).toEqual({ text: 'of the other', isOfState: false });
});

test('a reader follows links inside the project only', async () => {
  await using workspace = makeWorkspace({ 'd/a.txt': 'a' });
  await using other = makeWorkspace({ 'secret.txt': 'secret', 'sub/secret.txt': 'secret' });
  symlinkSync(workspace.path('d'), workspace.path('inside'));
  symlinkSync(other.root, workspace.path('out'));
  symlinkSync(other.path('secret.txt'), workspace.path('d', 'out.txt'));
  const { read } = readingIn(workspace);
  expect(read('inside/a.txt')).toEqual({ text: 'a', isOfState: true });
  expect(read('out/secret.txt').text).toBeUndefined();
  expect(read('out/sub/secret.txt').text).toBeUndefined();
  expect(read('d/out.txt').text).toBeUndefined();
});

onLinux('a reader leaves nothing open', async () => {
  await using workspace = makeWorkspace({ 'd/a.txt': 'a', 'e/a.txt': 'a' });
  const { read, reader } = readingIn(workspace);
  const openCount = () => readdirSync('/proc/self/fd').length;
  const before = openCount();
  for (let round = 0; round < 20; round++) for (const path of ['d/a.txt', 'e/a.txt']) read(path);
  reader.release();
  expect(openCount()).toBe(before);
});

/** Returns a function that is true if the content of a file was in the cache. */
function cacheOf(workspace: Workspace, maxBytes: number) {
  const contents = new FileContents({ maxBytes, codec });
  const snapshot = new Snapshot({ root: workspace.root, links: 'inside', ignoredPaths: [], useGitignore: true });
  let id = 0;
  const ask = (names: readonly string[], fileCount = names.length): boolean[] => {
    id += 1;
    snapshot.begin({ id });
    contents.begin(fileCount);
    const found = names.map((name) => {
      const entry = snapshot.root().entries.find((one) => one.name === name);
      const state = entry && snapshot.file(entry);
      if (state === undefined) throw new Error(`\`${name}\` does not exist`);
      const read = () => contents.read(snapshot.place(name), state);
      expect(read()?.toString()).toBe(workspace.read(name));
      // What is not in the cache is read into the same memory again, which belongs to another object then.
      const [first, second] = [read(), read()];
      return first === second;
    });
    contents.end();
    return found;
  };
  return ask;
}

const settled = () => Bun.sleep(80);

test('a full cache keeps its files until other questions stop using them', async () => {
  await using workspace = makeWorkspace({ a: 'x'.repeat(1000), b: 'y'.repeat(1000), c: 'z'.repeat(1000) });
  await settled();
  const ask = cacheOf(workspace, 2 * 1300);
  expect(ask(['a', 'b', 'c'])).toEqual([true, true, false]);
  expect(ask(['a', 'b', 'c'])).toEqual([true, true, false]);
  for (let question = 0; question < 10; question++) ask(['b', 'c']);
  expect(ask(['c', 'b', 'a'])).toEqual([true, true, false]);
});

test('nothing is kept of very many files', async () => {
  await using workspace = makeWorkspace({ a: 'a' });
  await settled();
  const ask = cacheOf(workspace, 10_000);
  expect(ask(['a'], 20_001)).toEqual([false]);
  expect(ask(['a'], 20_000)).toEqual([true]);
});

test('a changed file is read again', async () => {
  await using workspace = makeWorkspace({ a: 'before' });
  await settled();
  const ask = cacheOf(workspace, 10_000);
  ask(['a']);
  workspace.write('a', 'after!');
  ask(['a']);
  await settled();
  expect(ask(['a'])).toEqual([true]);
});
