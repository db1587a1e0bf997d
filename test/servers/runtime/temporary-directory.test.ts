import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverDirectories } from '../../../src/install/store/layout.ts';
import { makeTemporaryDirectory } from '../../../src/servers/runtime/temporary-directory.ts';
import { makeTempDir } from '../../support/temp.ts';

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
