import { afterAll, beforeAll, beforeEach, describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { breakOff, ReleaseServer, sendHalf, sendTampered } from './release-server.ts';
import { type InstallerRun, makePath, runScript, type Shell, shells } from './shells.ts';
import { makeSmallRelease, type SmallRelease } from './small-release.ts';

const timeoutMs = 120_000;
const usual = ['curl', 'sha256sum'];
/** The platform of the releases in these tests, independent of the current one. */
const linux = { uname: 'case "$1" in -m) echo x86_64 ;; *) echo Linux ;; esac', ldd: 'echo "ldd (GNU libc) 2.36"' };
/** Root may write everywhere except to files of the kernel. */
const closedDirectory = process.getuid?.() === 0 ? '/proc' : undefined;

let release: SmallRelease;
let server: ReleaseServer;

beforeAll(async () => {
  release = await makeSmallRelease(['1.2.3', '1.3.0']);
  server = await ReleaseServer.start(release.directory);
});

afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.reset());

interface Options {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly home?: string;
  readonly script?: string;
}

/** Runs the published installer of 1.2.3. */
function install(shell: Shell, options: Options = {}): Promise<InstallerRun> {
  const { args = [], env = {}, path = makePath(usual, linux), home = makeTempDir('user') } = options;
  const base: Record<string, string> = { PATH: path, HOME: home, SERENA_BASE_URL: server.url };
  return runScript(shell, [options.script ?? release.installer('1.2.3'), ...args], { ...base, ...env });
}

const programIn = (home: string) => join(home, '.local/bin/serena');
const versionOf = (program: string) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout;

/** Expects an empty installation directory. */
function expectNothing(home: string): void {
  const directory = join(home, '.local/bin');
  expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([]);
}

const posix = process.platform === 'win32' ? 'Windows has install.ps1' : undefined;

for (const shell of shells) {
  const checkWithoutCurl = (name: string, body: () => Promise<void>, whyNot?: string) =>
    testUnless(posix ?? shell.whyNot ?? whyNot)(`${shell.name}: ${name}`, body, timeoutMs);
  const check = (name: string, body: () => Promise<void>, whyNot?: string) =>
    checkWithoutCurl(name, body, whyNoProgram('curl') ?? whyNot);

  describe('install.sh', () => {
    check('installs, explains how to extend PATH, and leaves nothing else', async () => {
      const home = makeTempDir('user');
      const { code, stdout, stderr } = await install(shell, { home });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Installed Serena 1.2.3: ${programIn(home)}\n`);
      expect(stdout).toContain(`${join(home, '.local/bin')} is not on your PATH`);
      expect(versionOf(programIn(home))).toBe('Serena 1.2.3\n');
      expect(statSync(programIn(home)).mode & 0o777).toBe(0o755);
      expect(readdirSync(home)).toEqual(['.local']);
      expect(readdirSync(join(home, '.local/bin'))).toEqual(['serena']);
      // The script contains the hashes of its own version.
      expect(server.requests).toEqual(['/v1.2.3/serena-linux-x64.tar.gz']);
    });

    checkWithoutCurl(
      'uses wget if curl is missing',
      async () => {
        const home = makeTempDir('user');
        const path = makePath(['wget', 'sha256sum'], linux);
        expect(await install(shell, { home, path })).toMatchObject({ code: 0 });
        expect(versionOf(programIn(home))).toBe('Serena 1.2.3\n');
        server.answers.set('serena-linux-x64.tar.gz', sendTampered);
        const other = makeTempDir('user');
        expect(await install(shell, { home: other, path })).toMatchObject({ code: 1 });
        expectNothing(other);
      },
      whyNoProgram('wget'),
    );

    check(
      'takes the smaller archive if the machine can unpack it, and otherwise the other one',
      async () => {
        const home = makeTempDir('user');
        const path = makePath([...usual, 'xz'], linux);
        expect(await install(shell, { home, path })).toMatchObject({ code: 0, stderr: '' });
        expect(versionOf(programIn(home))).toBe('Serena 1.2.3\n');
        expect(server.requests).toEqual(['/v1.2.3/serena-linux-x64.tar.xz']);
        server.reset();
        server.answers.set('SHA256SUMS', (response, sums) => {
          response.end(readFileSync(sums, 'utf8').replace(/^.*\.tar\.xz\n/gm, ''));
        });
        expect(await install(shell, { home, path, args: ['1.3.0'] })).toMatchObject({ code: 0, stderr: '' });
        expect(server.requests).toEqual(['/v1.3.0/SHA256SUMS', '/v1.3.0/serena-linux-x64.tar.gz']);
      },
      whyNoProgram('xz'),
    );

    check('installs another version by argument or variable, and downgrades, verified with SHA256SUMS', async () => {
      const home = makeTempDir('user');
      expect(await install(shell, { home, args: ['v1.3.0'] })).toMatchObject({ code: 0 });
      expect(server.requests).toEqual(['/v1.3.0/SHA256SUMS', '/v1.3.0/serena-linux-x64.tar.gz']);
      expect(versionOf(programIn(home))).toBe('Serena 1.3.0\n');
      expect(await install(shell, { home })).toMatchObject({ code: 0 });
      expect(versionOf(programIn(home))).toBe('Serena 1.2.3\n');
      expect(await install(shell, { home, env: { SERENA_VERSION: '1.3.0' } })).toMatchObject({ code: 0 });
      expect(versionOf(programIn(home))).toBe('Serena 1.3.0\n');
    });

    check('runs from a pipe, as in `curl … | sh`', async () => {
      const home = makeTempDir('user');
      const env = { PATH: makePath(usual, linux), HOME: home, SERENA_BASE_URL: server.url };
      const piped = `cat "$0" | ${shell.command.join(' ')} -s -- 1.3.0`;
      const { code, stderr } = await runScript(shell, ['-c', piped, release.installer('1.2.3')], env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(versionOf(programIn(home))).toBe('Serena 1.3.0\n');
    });

    check('downloads nothing if the version is already installed', async () => {
      const home = makeTempDir('user');
      await install(shell, { home });
      server.reset();
      const path = `${makePath(usual, linux)}:${join(home, '.local/bin')}`;
      const { code, stdout } = await install(shell, { home, path });
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `Serena 1.2.3 is already installed: ${programIn(home)}\n`,
      });
      expect(server.requests).toEqual([]);
    });

    check('replaces a program that fails its self-check', async () => {
      const home = makeTempDir('user');
      await install(shell, { home });
      writeFileSync(programIn(home), '#!/bin/sh\n[ "$1" = --version ] && echo "Serena 1.2.3"\n');
      expect(await install(shell, { home })).toMatchObject({ code: 0 });
      expect(readFileSync(programIn(home), 'utf8')).toContain('self-check');
    });

    check('installs nothing whose hash does not match', async () => {
      for (const answer of [sendTampered, sendHalf, breakOff]) {
        server.answers.set('serena-linux-x64.tar.gz', answer);
        const home = makeTempDir('user');
        const { code, stderr } = await install(shell, { home });
        expect(code).toBe(1);
        if (answer !== breakOff) {
          expect(stderr).toMatch(
            /^error: the hash of serena-linux-x64\.tar\.gz does not match: nothing was installed$/m,
          );
          expect(stderr).toMatch(/^expected sha256 [0-9a-f]{64}\nfound {4}sha256 [0-9a-f]{64}$/m);
        } else {
          expect(stderr).toContain('nothing was installed');
        }
        expectNothing(home);
      }
    });

    check('keeps the installed program if the new one is not valid', async () => {
      const home = makeTempDir('user');
      await install(shell, { home });
      server.answers.set('serena-linux-x64.tar.gz', sendTampered);
      expect(await install(shell, { home, args: ['1.3.0'] })).toMatchObject({ code: 1 });
      expect(versionOf(programIn(home))).toBe('Serena 1.2.3\n');
      expect(readdirSync(join(home, '.local/bin'))).toEqual(['serena']);
    });

    check(
      'fails without a program that computes hashes, and accepts any of three',
      async () => {
        const home = makeTempDir('user');
        const without = await install(shell, { home, path: makePath(['curl'], linux) });
        expect(without.code).toBe(1);
        expect(without.stderr).toContain('sha256sum, shasum and openssl are missing');
        expect(server.requests).toEqual([]);
        expectNothing(home);
        for (const name of ['shasum', 'openssl']) {
          if (Bun.which(name) === null) continue;
          // shasum needs Perl.
          const path = makePath(['curl', name, 'perl'], linux);
          expect(await install(shell, { path })).toMatchObject({ code: 0, stderr: '' });
        }
      },
      hasOwnHash(shell),
    );

    check('reports a version that does not exist', async () => {
      const home = makeTempDir('user');
      const { code, stderr } = await install(shell, { home, args: ['9.9.9'] });
      expect(code).toBe(1);
      expect(stderr).toContain(`cannot download ${server.url}/v9.9.9/SHA256SUMS`);
      expectNothing(home);
      expect(await install(shell, { home, args: ['../1.2.3'] })).toMatchObject({ code: 2 });
    });

    checkWithoutCurl(
      'fails if the directory is not writable',
      async () => {
        const home = makeTempDir('user');
        const directory = closedDirectory ?? join(home, 'closed');
        if (closedDirectory === undefined) mkdirSync(directory, { mode: 0o500 });
        const { code, stderr } = await install(shell, { env: { SERENA_INSTALL_DIR: directory } });
        expect(code).toBe(1);
        expect(stderr).toContain(`cannot write to ${directory}`);
        expect(stderr).toContain('SERENA_INSTALL_DIR');
      },
      closedDirectory === undefined || existsSync(closedDirectory) ? undefined : 'nothing is closed to root here',
    );

    checkWithoutCurl('fails if the directory is a file, or the program is a directory', async () => {
      const home = makeTempDir('user');
      writeFileSync(join(home, 'file'), '');
      const under = await install(shell, { env: { SERENA_INSTALL_DIR: join(home, 'file/bin') } });
      expect(under.code).toBe(1);
      expect(under.stderr).toContain(`cannot create the directory ${join(home, 'file/bin')}`);
      mkdirSync(join(home, 'bin/serena'), { recursive: true });
      const instead = await install(shell, { env: { SERENA_INSTALL_DIR: join(home, 'bin') } });
      expect(instead.code).toBe(1);
      expect(instead.stderr).toContain('is a directory');
      expect(readdirSync(join(home, 'bin/serena'))).toEqual([]);
    });

    check('installs into a directory with spaces, and removes what it installed', async () => {
      const directory = join(makeTempDir('user'), 'my programs');
      const env = { SERENA_INSTALL_DIR: directory };
      expect(await install(shell, { env })).toMatchObject({ code: 0, stderr: '' });
      expect(versionOf(join(directory, 'serena'))).toBe('Serena 1.2.3\n');
      const removed = await install(shell, { env, args: ['--uninstall'] });
      expect(removed).toMatchObject({ code: 0, stderr: '' });
      expect(removed.stdout).toContain(`Removed ${directory}/serena`);
      expect(readdirSync(directory)).toEqual([]);
      expect(await install(shell, { env, args: ['--uninstall'] })).toMatchObject({ code: 0 });
    });

    checkWithoutCurl('does not remove a different program of the same name', async () => {
      const home = makeTempDir('user');
      mkdirSync(join(home, '.local/bin'), { recursive: true });
      writeFileSync(programIn(home), '#!/bin/sh\necho other\n');
      chmodSync(programIn(home), 0o755);
      const { code, stderr } = await install(shell, { home, args: ['--uninstall'] });
      expect(code).toBe(1);
      expect(stderr).toContain('is a different program');
      expect(existsSync(programIn(home))).toBe(true);
    });

    check('detects the platform', async () => {
      const machines: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        'linux-x64-musl': { ...linux, ldd: 'echo "musl libc (x86_64)" >&2; exit 1' },
        'linux-arm64': { ...linux, uname: 'case "$1" in -m) echo aarch64 ;; *) echo Linux ;; esac' },
        'darwin-x64': { uname: 'case "$1" in -m) echo x86_64 ;; *) echo Darwin ;; esac', sysctl: 'echo 0' },
        // Under Rosetta.
        'darwin-arm64': { uname: 'case "$1" in -m) echo x86_64 ;; *) echo Darwin ;; esac', sysctl: 'echo 1' },
      };
      for (const [target, scripts] of Object.entries(machines)) {
        const home = makeTempDir('user');
        expect(await install(shell, { home, path: makePath(usual, scripts) })).toMatchObject({ code: 0, stderr: '' });
        expect(readFileSync(programIn(home), 'utf8')).toContain(`# ${target}\n`);
      }
      const strange = { uname: 'case "$1" in -m) echo riscv64 ;; *) echo Linux ;; esac' };
      const { code, stderr } = await install(shell, { path: makePath(usual, strange) });
      expect(code).toBe(1);
      expect(stderr).toContain('unsupported processor: riscv64');
    });

    check('names the signature if macOS does not run the program', async () => {
      const mac = { uname: 'case "$1" in -m) echo arm64 ;; *) echo Darwin ;; esac', sysctl: 'echo 0' };
      const home = makeTempDir('user');
      const options = { home, path: makePath(usual, mac), env: { SMALL_PROGRAM_ENDS: '1' } };
      const { code, stderr } = await install(shell, options);
      expect(code).toBe(1);
      expect(stderr).toContain('error: the program does not run on this machine: it cannot be started');
      expect(stderr).toContain('codesign --force --sign - serena');
      expect(existsSync(programIn(home))).toBe(false);
    });

    checkWithoutCurl('requires a version, a base URL, and HTTPS', async () => {
      const noBase = await install(shell, { env: { SERENA_BASE_URL: '' } });
      expect(noBase.code).toBe(1);
      expect(noBase.stderr).toContain('set SERENA_BASE_URL');
      const noVersion = await install(shell, { script: 'scripts/install.sh' });
      expect(noVersion.code).toBe(1);
      expect(noVersion.stderr).toContain('no version to install');
      const open = await install(shell, { args: ['1.3.0'], env: { SERENA_BASE_URL: 'http://mirror.invalid' } });
      expect(open.code).toBe(1);
      expect(open.stderr).toContain('over plain HTTP');
      expect(await install(shell, { args: ['--frobnicate'] })).toMatchObject({ code: 2 });
      expect(await install(shell, { args: ['--help'] })).toMatchObject({ code: 0, stderr: '' });
      expect(server.requests).toEqual([]);
    });

    checkWithoutCurl('does nothing if the script is truncated', async () => {
      const text = readFileSync(release.installer('1.2.3'), 'utf8');
      const home = makeTempDir('user');
      for (const part of [0.3, 0.6, 0.9]) {
        const script = join(makeTempDir('cut'), 'install.sh');
        writeFileSync(script, text.slice(0, text.length * part));
        await install(shell, { home, script });
      }
      expect(server.requests).toEqual([]);
      expectNothing(home);
    });
  });
}

/** BusyBox may run its built-in programs regardless of `PATH`. */
function hasOwnHash({ command: [program, ...args] }: Shell): string | undefined {
  const found = spawnSync(program, [...args, '-c', 'command -v sha256sum'], { env: { PATH: '/nonexistent' } });
  return found.status === 0 ? 'this shell has sha256sum built in' : undefined;
}
