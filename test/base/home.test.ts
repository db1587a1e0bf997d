import { describe, expect, test } from 'bun:test';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { homeDirectory } from '../../src/base/home.ts';

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
