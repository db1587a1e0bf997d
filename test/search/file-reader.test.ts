import { expect, test } from 'bun:test';
import { readdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { recordState } from '../../src/base/file-state.ts';
import { FileContents } from '../../src/search/file-contents.ts';
import { FileExcluder, FileReader } from '../../src/search/file-reader.ts';
import { realRootOf } from '../../src/search/project-path.ts';
import { Snapshot } from '../../src/search/snapshot.ts';
import { getCodec } from '../../src/text/encodings.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { newWorker, type Question, type ScanResponse, searchFor, settle } from './indexed-project.ts';

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

onLinux('a file that is large, behind a link or cannot be read is not excluded', async () => {
  await using workspace = makeWorkspace({ 'top.txt': 'a', 'd/a.txt': 'a', 'd/large.txt': 'z'.repeat(2 ** 20 + 1) });
  symlinkSync('d', workspace.path('linked'));
  symlinkSync('a.txt', workspace.path('d/link.txt'));
  const files = new FileExcluder({ root: realRootOf(workspace.root), mayMatch: () => false });
  const paths = ['top.txt', 'd/a.txt', 'd/gone.txt', 'gone/a.txt', 'd/large.txt', 'd/link.txt', 'linked/a.txt', 'd'];
  expect(paths.filter((path) => files.excludes(path))).toEqual(['top.txt', 'd/a.txt']);
  files.release();
});

onLinux('files are no longer read when most of them may match', async () => {
  await using workspace = makeWorkspace({ 'a.txt': 'a' });
  let readCount = 0;
  const mayMatch = () => {
    readCount++;
    return true;
  };
  const files = new FileExcluder({ root: realRootOf(workspace.root), mayMatch });
  for (let count = 0; count < 5000; count++) expect(files.excludes('a.txt')).toBe(false);
  expect(readCount).toBeLessThan(2000);
  files.release();
});

/** More files than those whose contents are kept. */
const manyFiles = Object.fromEntries(
  Array.from({ length: 20_100 }, (_, index) => [
    `d${String(Math.floor(index / 100)).padStart(3, '0')}/${index}.txt`,
    index % 4000 === 3 ? `a needle in ${index}` : 'hay',
  ]),
);

/** Fingerprints of files that have just changed depend on whether the worker has seen them before. */
function answerOf(response: ScanResponse): unknown {
  const answer = 'answer' in response ? response.answer : response;
  return JSON.parse(JSON.stringify(answer, (key, value) => (key === 'fingerprint' ? undefined : value)));
}

onLinux('answers about very many files are the same with the index, also after a change', async () => {
  await using workspace = makeWorkspace({
    ...manyFiles,
    'a/binary.bin': '\0needle in',
  });
  workspace.write('a/utf16.txt', Buffer.from('\uFEFFneedle in', 'utf16le'));
  workspace.write('a/invalid.txt', Buffer.from([0x6e, 0xff, ...Buffer.from('needle in')]));
  symlinkSync('utf16.txt', workspace.path('a/link.txt'));
  const directory = makeTempDir('index');
  const ask = newWorker(workspace, {});
  const search = searchFor('need.e in');
  expect(answerOf(ask(search))).toMatchObject({ totalMatches: 7, undecodable: ['a/invalid.txt'], unreadable: [] });
  settle();
  expect(answerOf(newWorker(workspace, { directory })({ kind: 'updateIndex', query: {} }))).toBeNumber();
  workspace.write('d100/10000.txt', 'a new needle in nädel');
  workspace.remove('d000');
  const indexed = newWorker(workspace, { directory });
  const questions: readonly Question[] = [
    ...['need.e in', 'in 4|hay', 'nädel'].map((pattern) => searchFor(pattern)),
    { kind: 'filesContaining', query: { literal: 'needle' } },
  ];
  for (const question of questions) {
    expect([question, answerOf(ask(question))]).toEqual([question, answerOf(indexed(question))]);
  }
});
