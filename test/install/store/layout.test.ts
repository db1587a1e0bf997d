import { describe, expect, test } from 'bun:test';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isExpected } from '../../../src/base/errors.ts';
import { homeFolder, prepareFolders, serverFolders, storeFolders } from '../../../src/install/store/layout.ts';
import { makeTempDir } from '../../support/temp.ts';

describe('homeFolder()', () => {
  test.each([
    [{ HOME: '/u' }, '/u/.serena'],
    [{ HOME: '/u', SERENA_HOME: '/elsewhere' }, '/elsewhere'],
    [{ HOME: '/u', SERENA_HOME: '  /elsewhere\n' }, '/elsewhere'],
    [{ HOME: '/u', SERENA_HOME: '   ' }, '/u/.serena'],
    [{ HOME: '/u', SERENA_HOME: '' }, '/u/.serena'],
    [{ HOME: '/u', SERENA_HOME: '~' }, '/u'],
    [{ HOME: '/u', SERENA_HOME: '~/s' }, '/u/s'],
    [{ HOME: '/u', SERENA_HOME: '/a/../b/' }, '/b'],
    [{ HOME: 'relative' }, join(homedir(), '.serena')],
    [{}, join(homedir(), '.serena')],
  ])('of %j is %s', (env, expected) => {
    expect(homeFolder(env)).toBe(expected);
  });
});

describe('storeFolders()', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['/a:/b', ['/a', '/b']],
    [' /a : relative :~/s', ['/a', '/u/s']],
  ])('of %j are %j', (stores, expected) => {
    expect(storeFolders({ HOME: '/u', SERENA_STORE: stores })).toEqual(expected);
  });
});

describe('prepareFolders()', () => {
  test('makes what an installation needs, and again', () => {
    const home = join(makeTempDir(), 'deep', 'home');
    expect(prepareFolders(home)).toEqual(serverFolders(home));
    expect(prepareFolders(home)).toEqual(serverFolders(home));
  });

  test('names the home folder and the reason when there is a file in the way', async () => {
    const home = makeTempDir();
    await Bun.write(join(home, 'language_servers'), '');
    const error = caught(() => prepareFolders(home));
    expect(isExpected(error, 'install.home-unusable')).toBe(true);
    expect(String(error)).toContain(home);
  });
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
