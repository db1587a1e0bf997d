import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverDirectories } from '../../../src/install/store/layout.ts';
import { claimCacheDirectory, makeTemporaryDirectory } from '../../../src/servers/runtime/start.ts';
import { makeTempDir } from '../../support/temp.ts';

describe('claimCacheDirectory()', () => {
  test('gives a directory to one at a time, and the same one again', async () => {
    const home = makeTempDir('home');
    const first = await claimCacheDirectory(home, 'java', '/p');
    const second = await claimCacheDirectory(home, 'java', '/p');
    expect(second.path).not.toBe(first.path);
    first.release();
    // The end of a server is reported twice: as the end of a process and as a failed start.
    first.release();
    const third = await claimCacheDirectory(home, 'java', '/p');
    expect(third.path).toBe(first.path);
    for (const { release } of [second, third]) release();
  });

  test('keeps projects and servers apart', async () => {
    const home = makeTempDir('home');
    const claims = await Promise.all([
      claimCacheDirectory(home, 'java', '/p'),
      claimCacheDirectory(home, 'java', '/q'),
      claimCacheDirectory(home, 'kotlin', '/p'),
    ]);
    expect(new Set(claims.map(({ path }) => path)).size).toBe(3);
    for (const { path } of claims) expect(path).toStartWith(join(home, 'language_servers', 'cache'));
    for (const { release } of claims) release();
  });

  test('names the directory that cannot be used', async () => {
    const home = join(makeTempDir('home'), 'file');
    writeFileSync(home, '');
    const error = await claimCacheDirectory(home, 'java', '/p').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'install.home-unusable' });
  });
});

/** Above any process id that a system assigns. */
const noProcess = 2 ** 30;

test('makeTemporaryDirectory() makes programs use a directory that can be removed', () => {
  const home = makeTempDir();
  const directory = makeTemporaryDirectory(home);
  const { TMPDIR = '' } = directory.env;
  writeFileSync(join(TMPDIR, 'left-behind'), '');
  directory.remove();
  expect(existsSync(TMPDIR)).toBe(false);
});

test('makeTemporaryDirectory() removes directories of killed processes and keeps those of running ones', () => {
  const home = makeTempDir();
  const { running } = serverDirectories(home);
  for (const name of [`${noProcess}-a`, `${process.pid}-b`]) mkdirSync(join(running, name), { recursive: true });
  const directory = makeTemporaryDirectory(home);
  expect(readdirSync(running)).toHaveLength(2);
  expect(readdirSync(running)).toContain(`${process.pid}-b`);
  directory.remove();
});

test('makeTemporaryDirectory() falls back to the directory of the system if it cannot create one', () => {
  const home = join(makeTempDir(), 'file');
  writeFileSync(home, '');
  expect(makeTemporaryDirectory(home).env).toEqual({});
});
