import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { isExpected } from '../../../src/base/errors.ts';
import { prepareDirectories, serverDirectories, storeDirectories } from '../../../src/install/store/layout.ts';
import { makeTempDir } from '../../support/temp.ts';

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
