import { describe, expect, test } from 'bun:test';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isExpected } from '../../../src/base/errors.ts';
import {
  homeDirectory,
  prepareDirectories,
  serverDirectories,
  storeDirectories,
} from '../../../src/install/store/layout.ts';
import { makeTempDir } from '../../support/temp.ts';

describe('homeDirectory()', () => {
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
    expect(homeDirectory(env)).toBe(expected);
  });
});

describe('storeDirectories()', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['/a:/b', ['/a', '/b']],
    [' /a : relative :~/s', ['/a', '/u/s']],
  ])('of %j are %j', (stores, expected) => {
    expect(storeDirectories({ HOME: '/u', SERENA_STORE: stores })).toEqual(expected);
  });
});

describe('prepareDirectories()', () => {
  test('creates the directories, and accepts existing ones', () => {
    const home = join(makeTempDir(), 'deep', 'home');
    expect(prepareDirectories(home)).toEqual(serverDirectories(home));
    expect(prepareDirectories(home)).toEqual(serverDirectories(home));
  });

  test('names the home directory and the reason if it is a file', async () => {
    const home = makeTempDir();
    await Bun.write(join(home, 'language_servers'), '');
    const error = caught(() => prepareDirectories(home));
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
