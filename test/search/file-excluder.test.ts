import { expect } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { FileExcluder } from '../../src/search/file-excluder.ts';
import { realRootOf } from '../../src/search/project-path.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { newWorker, type Question, type ScanResponse, searchFor, settle } from './indexed-project.ts';

const onLinux = testUnless(process.platform === 'linux' ? undefined : 'needs Linux');

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
