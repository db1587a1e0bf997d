import { describe, expect, test } from 'bun:test';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { homeDirectory, userHome } from '../../src/base/home.ts';
import { whyNoOtherUser } from '../support/other-user.ts';
import { runProgram } from '../support/program.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';

/** Runs a command under a user id that has no account. */
const withoutAccount = [
  'setpriv',
  '--reuid=61234',
  '--regid=61234',
  '--clear-groups',
  'env',
  '-u',
  'HOME',
  '-u',
  'SERENA_HOME',
];

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

describe('userHome()', () => {
  test.each([
    ['linux', { HOME: '/u', USERPROFILE: '/w' }, '/u'],
    ['darwin', { HOME: '/u', USERPROFILE: '/w' }, '/u'],
    ['win32', { HOME: '/u', USERPROFILE: '/w' }, '/w'],
  ] as const)('on %s of %j is %s', (platform, env, expected) => {
    expect(userHome(env, platform)).toBe(expected);
  });

  test('of a user without an account names the variable to set', () => {
    const ask = () => {
      throw Object.assign(new Error('no such user'), { code: 'ENOENT' });
    };
    expect(() => userHome({}, 'linux', ask)).toThrow('`HOME` is not set, and your user id has no account');
  });
});

testUnless(whyNoOtherUser(withoutAccount))(
  'the program without `HOME` and without an account says what to set',
  async () => {
    const options = { wrapper: withoutAccount, cwd: makeTempDir('project') };
    for (const args of [['overview', 'a.py'], ['servers', 'list'], ['start-mcp-server']]) {
      const { code, stderr } = await runProgram(args, options);
      // Neither success nor an internal error.
      expect([args[0], [0, 70].includes(code ?? 70)]).toEqual([args[0], false]);
      expect(stderr).toContain('error: cannot find your home directory: `HOME` is not set');
      expect(stderr).toContain('hint: set `SERENA_HOME` to a directory that you can read and write');
    }
    const { code } = await runProgram(['servers', 'list'], {
      ...options,
      wrapper: [...withoutAccount, `SERENA_HOME=/nonexistent/serena`],
    });
    expect(code).toBe(0);
  },
);
