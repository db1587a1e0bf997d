import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageOwner } from '../../../src/cli/self/own-program.ts';
import { ReleaseServer, sendHalf, sendTampered } from '../../release/release-server.ts';
import { makeSmallRelease } from '../../release/small-release.ts';
import { expectClearExit } from '../../support/clear.ts';
import { runProgram, startProgram } from '../../support/program.ts';
import { testUnless } from '../../support/skip.ts';
import { mountSmall, whyNoMount } from '../../support/small-disk.ts';
import { OwnCopy } from './own-copy.ts';

const whyNot = process.platform === 'win32' ? 'the small releases have no program for Windows' : undefined;
const archive = `serena-${process.platform}-${process.arch}.tar.${Bun.which('xz') === null ? 'gz' : 'xz'}`;

let server: ReleaseServer;

beforeAll(async () => {
  const { directory } = await makeSmallRelease(['0.0.1', '7.8.9', '9.9.9']);
  server = await ReleaseServer.start(directory);
});

afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.reset());

const copy = (path?: string, env: Readonly<Record<string, string>> = {}) =>
  new OwnCopy(path, { SERENA_BASE_URL: server.url, ...env });

/** Expects the program as it was, and nothing beside it. */
function expectUnchanged({ program, origin }: OwnCopy): void {
  expect(statSync(program).size).toBe(statSync(origin).size);
  expect(readdirSync(dirname(program))).toEqual(['serena']);
}

describe('self update', () => {
  testUnless(whyNot)('installs the newest version over this program, and leaves nothing else', async () => {
    const own = copy();
    const { code, stdout } = await own.run('self', 'update');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Updated ${own.program} from 0.1.0 to 9.9.9; running sessions keep the old version until they end\n`,
    });
    expect(await own.run('--version')).toMatchObject({ code: 0, stdout: 'Serena 9.9.9\n' });
    expect(statSync(own.program).mode & 0o777).toBe(0o755);
    expect(readdirSync(dirname(own.program))).toEqual(['serena']);
    expect(server.requests).toEqual(['/latest/release.json', '/v9.9.9/SHA256SUMS', `/v9.9.9/${archive}`]);
  });

  testUnless(whyNot)('installs a given version, also an older one', async () => {
    const own = copy();
    const { code, stdout } = await own.run('self', 'update', '--version', 'v0.0.1', '--json');
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      ...{ code: 0, path: own.program, previous: '0.1.0', version: '0.0.1' },
    });
    expect(await own.run('--version')).toMatchObject({ stdout: 'Serena 0.0.1\n' });
  });

  testUnless(whyNot)('--check only reports, and names the command', async () => {
    const own = copy();
    const { code, stdout } = await own.run('self', 'update', '--check');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Serena 9.9.9 is available; this is 0.1.0\nRun: serena self update\n',
    });
    const brew = copy('Cellar/serena/0.1.0/bin/serena');
    expect((await brew.run('self', 'update', '--check')).stdout).toContain('Run: brew upgrade serena\n');
    expect(server.requests).toEqual(['/latest/release.json', '/latest/release.json']);
    expectUnchanged(own);
  });

  testUnless(whyNot)('does nothing if there is no newer version', async () => {
    server.answers.set('release.json', (response) => response.end('{"version": "0.0.9"}'));
    const own = copy();
    const { stdout } = await own.run('self', 'update');
    expect(stdout).toBe(`Serena 0.1.0 is already installed: ${own.program}\n`);
    expect((await own.run('self', 'update', '--check')).stdout).toBe('Serena 0.1.0 is up to date\n');
    expectUnchanged(own);
  });

  testUnless(whyNot)('keeps the program if the new one is not what was published', async () => {
    const own = copy();
    for (const answer of [sendTampered, sendHalf]) {
      server.answers.set(archive, answer);
      const ended = await own.run('self', 'update');
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 1, stdout: '' });
      expect(ended.stderr).toContain('does not match');
      expectUnchanged(own);
    }
  });

  testUnless(whyNot)('keeps the program if the new one reports another version', async () => {
    // An old archive under the name of a new version, with its hash.
    const sums = readFileSync(join(server.directory, 'v7.8.9/SHA256SUMS'));
    const old = readFileSync(join(server.directory, 'v7.8.9', archive));
    server.answers.set('SHA256SUMS', (response) => response.end(sums));
    server.answers.set(archive, (response) => response.end(old));
    const own = copy();
    const ended = await own.run('self', 'update');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('the new program does not run on this machine: Serena 7.8.9');
    expectUnchanged(own);
  });

  testUnless(whyNot ?? whyNoMount())('keeps the program on a full disk, and says so', async () => {
    const { origin, home } = copy();
    const { size } = statSync(origin);
    await using disk = mountSmall(`${size + 2 ** 20}`, 'nr_inodes=20');
    const program = join(disk.directory, 'serena');
    copyFileSync(origin, program);
    const env = { HOME: home, SERENA_HOME: join(home, '.serena'), SERENA_BASE_URL: server.url, PATH: '/usr/bin:/bin' };
    const update = () => runProgram(['self', 'update'], { binary: program, env });
    const limits = [0, 1].map((count) => () => disk.fillInodes(count));
    for (const apply of [...limits, () => disk.fill(0)]) {
      apply();
      expectClearExit(await update(), 74, 'no space left on device', 'make room');
      expect(statSync(program).size).toBe(size);
      expect(readdirSync(disk.directory).sort()).toEqual(['.filling', 'serena']);
    }
    disk.fill(1000);
    expect((await update()).code).toBe(0);
  });

  testUnless(whyNot)('is repeated after it was killed, and leaves nothing of the earlier one', async () => {
    const own = copy();
    const requested = Promise.withResolvers<void>();
    server.answers.set(archive, () => requested.resolve());
    const { pid, ended } = startProgram(['self', 'update'], {
      ...{ binary: own.program, env: { HOME: own.home, SERENA_BASE_URL: server.url, PATH: '/usr/bin:/bin' } },
    });
    await requested.promise;
    process.kill(pid, 'SIGKILL');
    await ended;
    expect(readdirSync(dirname(own.program)).sort()).toEqual([expect.stringContaining('.serena-update-'), 'serena']);
    expect(statSync(own.program).size).toBe(statSync(own.origin).size);
    server.reset();
    expect((await own.run('self', 'update')).code).toBe(0);
    expect(readdirSync(dirname(own.program))).toEqual(['serena']);
  });

  testUnless(whyNot)('is an error offline, without an address, and over an open connection', async () => {
    for (const [env, problem, code = 69] of [
      [{ SERENA_OFFLINE: '1' }, '`SERENA_OFFLINE` is set'],
      [{ SERENA_BASE_URL: '' }, 'built without the address of its releases', 78],
      [{ SERENA_BASE_URL: 'http://mirror.invalid', SERENA_ALLOW_HTTP: '1' }, 'it must be an https URL', 78],
      [{ SERENA_BASE_URL: `${server.url}/missing` }, 'status 404'],
    ] as const) {
      const own = copy(undefined, env);
      expectClearExit(await own.run('self', 'update'), code, problem);
      expectUnchanged(own);
    }
    expectClearExit(await copy().run('self', 'update', '--version', '../x'), 2, 'is not a valid version');
    expect(server.requests).toEqual(['/missing/latest/release.json']);
  });

  testUnless(whyNot)('is refused where a package manager owns the program, whose command it names', async () => {
    for (const [path, manager, command] of [
      [
        'lib/node_modules/serena-in-one-file/node_modules/@serena-in-one-file/linux-x64/bin/serena',
        'npm',
        'npm install',
      ],
      ['Cellar/serena/0.1.0/bin/serena', 'Homebrew', 'brew upgrade serena'],
    ] as const) {
      const own = copy(path);
      expectClearExit(await own.run('self', 'update'), 1, `${manager} installed this program`, `run: ${command}`);
      expectUnchanged(own);
    }
    const own = copy();
    mkdirSync(join(own.home, 'bin'));
    const query = join(own.home, 'bin/dpkg-query');
    writeFileSync(query, `#!/bin/sh\n[ "$1 $2" = "--search ${own.program}" ] && echo "serena:amd64: $2"\n`);
    chmodSync(query, 0o755);
    expectClearExit(await own.run('self', 'update'), 1, 'dpkg installed this program', '--only-upgrade serena');
    expectUnchanged(own);
  });

  test('is refused when it runs from its sources', async () => {
    const ended = await runProgram(['self', 'update', '--version', '1.2.3'], {
      ...{ runtime: 'bun', env: { SERENA_BASE_URL: server.url } },
    });
    expectClearExit(ended, 1, 'this program runs from its sources');
  });
});

test.each([
  ['/home/me/.npm/_npx/0a1b/node_modules/@serena-in-one-file/linux-x64/bin/serena', 'npx'],
  ['/home/me/.local/share/pnpm/global/5/.pnpm/@s+l@1/node_modules/@s/linux-x64/bin/serena', 'pnpm'],
  ['/home/me/.bun/install/global/node_modules/@s/linux-x64/bin/serena', 'Bun'],
  ['/home/me/.config/yarn/global/node_modules/@s/linux-x64/bin/serena', 'Yarn'],
  ['/nix/store/0123456789abcdfghijklmnpqrsvwxyz-serena-1.2.3/bin/serena', 'Nix'],
  ['C:\\Users\\me\\scoop\\apps\\serena\\current\\serena.exe', 'Scoop'],
  ['C:\\Users\\me\\AppData\\Local\\Microsoft\\WinGet\\Packages\\Serena.Serena_x\\serena.exe', 'WinGet'],
  ['/home/me/.local/bin/serena', undefined],
  ['/home/me/node_modules/serena', undefined],
])('%s belongs to %s', (path, name) => {
  expect(packageOwner(path, { PATH: '' })?.name).toBe(name);
});
