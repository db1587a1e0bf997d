import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverFolders } from '../../../src/install/store/layout.ts';
import { makeTemporaryFolder } from '../../../src/servers/runtime/temporary-folder.ts';
import { makeTempDir } from '../../support/temp.ts';

/** Above any process id that a system hands out. */
const noProcess = 2 ** 30;

test('makeTemporaryFolder() leads programs to a folder that can be removed', () => {
  const home = makeTempDir();
  const folder = makeTemporaryFolder(home);
  const { TMPDIR = '' } = folder.env;
  writeFileSync(join(TMPDIR, 'left-behind'), '');
  folder.remove();
  expect(existsSync(TMPDIR)).toBe(false);
});

test('makeTemporaryFolder() removes what killed processes left and keeps what living ones use', () => {
  const home = makeTempDir();
  const { running } = serverFolders(home);
  for (const name of [`${noProcess}-a`, `${process.pid}-b`]) mkdirSync(join(running, name), { recursive: true });
  const folder = makeTemporaryFolder(home);
  expect(readdirSync(running)).toHaveLength(2);
  expect(readdirSync(running)).toContain(`${process.pid}-b`);
  folder.remove();
});

test('makeTemporaryFolder() leaves a program the folder of the system where it cannot make one', () => {
  const home = join(makeTempDir(), 'file');
  writeFileSync(home, '');
  expect(makeTemporaryFolder(home).env).toEqual({});
});
