import { describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Scanner } from '../../src/search/scanner.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { newWorker, type Question, searchFor, settle } from './indexed-project.ts';

const fileCount = 40;
const needle = searchFor('needle_7\\b');

/** Returns a project of many small files that can be indexed. */
function manyFiles(): Workspace {
  const files = Object.fromEntries(
    Array.from({ length: fileCount }, (_, at) => [`f${at}.py`, `def needle_${at}():\n    return other_${at}\n`]),
  );
  const workspace = makeWorkspace(files);
  settle();
  return workspace;
}

/** Returns the path of the only index file of a directory, which is closed and therefore has no log beside it. */
function indexFile(directory: string): string {
  const [name = ''] = readdirSync(directory).filter((one) => one.endsWith('.sqlite'));
  return join(directory, name);
}

/** Indexes a project in another process, so that no connection of this one is open. */
async function indexElsewhere({ root }: Workspace, directory: string): Promise<number | null> {
  const child = fileURLToPath(new URL('./index-child.ts', import.meta.url));
  const running = spawn(process.execPath, ['run', child, root, directory], { stdio: 'inherit' });
  return await new Promise((resolve) => running.on('exit', resolve));
}

/** Returns the files that a new worker reports for the needle, and how many it had to read for that. */
function ask(workspace: Workspace, directory: string): { paths: string[]; unknownCount: number } {
  const response = newWorker(workspace, { directory })(needle);
  if (!('answer' in response)) throw new Error(JSON.stringify(response));
  const { answer, unindexed } = response;
  if (typeof answer !== 'object' || !('totalMatches' in answer) || !Array.isArray(answer.files))
    throw new Error('no search');
  const paths = answer.files.map(({ path }) => path);
  return { paths, unknownCount: unindexed === undefined ? 0 : unindexed.split('\0').length };
}

describe('the index', () => {
  test('makes a question read only the files that may match', async () => {
    const workspace = manyFiles();
    const directory = makeTempDir('index');
    expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: fileCount });
    expect(await indexElsewhere(workspace, directory)).toBe(0);
    expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: 0 });
    workspace.write('new.py', 'needle_7()\n');
    workspace.write('f8.py', 'needle_7 = 8\n');
    settle();
    expect(ask(workspace, directory)).toEqual({ paths: ['f7.py', 'f8.py', 'new.py'], unknownCount: 2 });
  });

  test('is extended in the background after a question', async () => {
    const workspace = manyFiles();
    const directory = makeTempDir('index');
    const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);
    const options = { root: workspace.root, ignoredPaths: [], useGitignore: true, encoding: 'utf-8', workerUrl };
    const index = { directory, minUnindexed: fileCount };
    await using scanner = new Scanner({ ...options, links: 'inside', deadlineMs: 10_000, index });
    await scanner.search(needle.query);
    while (ask(workspace, directory).unknownCount > 0) settle();
    expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: 0 });
    expect(await scanner.updateIndex()).toBe(0);
  });

  test('leaves out files whose times cannot show a change', () => {
    const workspace = manyFiles();
    const directory = makeTempDir('index');
    const future = Date.now() / 1000 + 3600;
    utimesSync(workspace.path('f7.py'), future, future);
    const worker = newWorker(workspace, { directory });
    expect(worker({ kind: 'updateIndex', query: {} })).toMatchObject({ answer: fileCount - 1 });
    expect(ask(workspace, directory).paths).toEqual(['f7.py']);
  });

  test('forgets files that are gone and indexes the others of their segment again', async () => {
    const workspace = manyFiles();
    const directory = makeTempDir('index');
    const worker = newWorker(workspace, { directory });
    const update = () => worker({ kind: 'updateIndex', query: {} });
    expect(update()).toMatchObject({ answer: fileCount });
    for (let at = 10; at < fileCount; at++) workspace.remove(`f${at}.py`);
    expect(update()).toMatchObject({ answer: 10 });
    expect(update()).toMatchObject({ answer: 0 });
    expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: 0 });
  });

  test('joins small segments when there are many', () => {
    const workspace = makeWorkspace({});
    const directory = makeTempDir('index');
    const worker = newWorker(workspace, { directory });
    for (let at = 0; at < 18; at++) {
      workspace.write(`f${at}.py`, `needle_${at}\n`);
      settle();
      // The last but one finds 17 small segments and joins them.
      expect(worker({ kind: 'updateIndex', query: {} })).toMatchObject({ answer: at === 17 ? 18 : 1 });
    }
    expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: 0 });
  });
});

describe('an index file that cannot be used', () => {
  const workspace = manyFiles();
  const complete = makeTempDir('index');

  test('is written first', async () => {
    expect(await indexElsewhere(workspace, complete)).toBe(0);
    expect(ask(workspace, complete).unknownCount).toBe(0);
  });

  /** Returns a copy of the index. */
  function copied(): string {
    const directory = makeTempDir('index');
    cpSync(indexFile(complete), join(directory, 'copy'));
    cpSync(join(directory, 'copy'), join(directory, indexFile(complete).slice(complete.length + 1)));
    rmSync(join(directory, 'copy'));
    return directory;
  }

  test.each([0, 1, 100, 4096, 5000, 8192])('may be cut after %d bytes', (bytes) => {
    const directory = copied();
    truncateSync(indexFile(directory), bytes);
    expect(ask(workspace, directory).paths).toEqual(['f7.py']);
  });

  test('may have any byte changed', () => {
    const size = statSync(indexFile(complete)).size;
    const whole = readFileSync(indexFile(complete));
    const directory = copied();
    for (let at = 0; at < size; at += 97) {
      for (const ending of ['-wal', '-shm']) rmSync(indexFile(directory) + ending, { force: true });
      writeFileSync(indexFile(directory), whole);
      const file = openSync(indexFile(directory), 'r+');
      writeSync(file, Buffer.from([(whole[at] ?? 0) ^ 0x15]), 0, 1, at);
      closeSync(file);
      expect([at, ask(workspace, directory).paths]).toEqual([at, ['f7.py']]);
    }
  });

  test('may be a text, a directory, or the database of another program', () => {
    const name = indexFile(complete).slice(complete.length + 1);
    const text = makeTempDir('index');
    writeFileSync(join(text, name), 'not a database\n'.repeat(1000));
    const inside = makeTempDir('index');
    mkdirSync(join(inside, name));
    const foreign = makeTempDir('index');
    const database = new DatabaseSync(join(foreign, name));
    database.exec('CREATE TABLE segments (name TEXT)');
    database.close();
    for (const directory of [text, inside, foreign]) {
      expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: fileCount });
      expect(newWorker(workspace, { directory })({ kind: 'updateIndex', query: {} })).toMatchObject({ answer: 0 });
    }
  });

  test('is neither read nor written through a link', async () => {
    const name = indexFile(complete).slice(complete.length + 1);
    const outside = copied();
    const before = readFileSync(indexFile(outside));
    const linkedFile = makeTempDir('index');
    symlinkSync(indexFile(outside), join(linkedFile, name));
    const linkedLog = copied();
    symlinkSync(indexFile(outside), join(linkedLog, `${name}-wal`));
    const linkedDirectory = join(makeTempDir(), 'linked');
    symlinkSync(outside, linkedDirectory);
    for (const directory of [linkedFile, linkedLog, linkedDirectory]) {
      expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: fileCount });
      expect(newWorker(workspace, { directory })({ kind: 'updateIndex', query: {} })).toMatchObject({ answer: 0 });
    }
    expect(readFileSync(indexFile(outside)).equals(before)).toBe(true);
    expect(readdirSync(outside)).toEqual([name]);
  });

  test('may be impossible to create', () => {
    // Permissions do not bind root, but no user can create a directory below a file.
    const file = join(makeTempDir(), 'file');
    writeFileSync(file, '');
    const directory = join(file, 'index');
    expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: fileCount });
    expect(newWorker(workspace, { directory })({ kind: 'updateIndex', query: {} })).toMatchObject({ answer: 0 });
  });

  test('may be locked by another program', () => {
    const directory = copied();
    const database = new DatabaseSync(indexFile(directory));
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: fileCount });
    database.close();
  });
});

test('several processes may index and ask at once', async () => {
  const workspace = manyFiles();
  const directory = makeTempDir('index');
  const running = [1, 2, 3].map(() => indexElsewhere(workspace, directory));
  for (let at = 0; at < 20; at++) expect(ask(workspace, directory).paths).toEqual(['f7.py']);
  expect(await Promise.all(running)).toEqual([0, 0, 0]);
  expect(ask(workspace, directory)).toEqual({ paths: ['f7.py'], unknownCount: 0 });
});

test('a file that was written in place is read again, although the index knows its place and its earlier words', () => {
  const workspace = makeWorkspace({ 'a.py': 'nothing', 'b.py': 'nothing' });
  const directory = makeTempDir('index');
  settle();
  newWorker(workspace, { directory })({ kind: 'updateIndex', query: {} });
  const descriptor = new SharedArrayBuffer(4);
  const ask = newWorker(workspace, { directory, descriptor });
  const question: Question = { kind: 'filesContaining', query: { literal: 'needle' } };
  // From the fourth question on the worker watches, and from the fifth on it relies on an earlier walk.
  for (let count = 0; count < 6; count++) expect(ask(question)).toMatchObject({ answer: [] });
  writeFileSync(workspace.path('b.py'), 'needle!');
  settle();
  expect(ask(question)).toMatchObject({ answer: [{ path: 'b.py' }] });
  const [fd = 0] = new Int32Array(descriptor);
  if (fd !== 0) closeSync(fd);
});
