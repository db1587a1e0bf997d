import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programName, releaseTargets } from '../../scripts/release/targets.ts';
import { root } from '../../scripts/support/paths.ts';
import { run } from '../../scripts/support/run.ts';
import { currentTarget } from '../../src/install/target.ts';
import { programCommand, startClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { canListProcesses, findDescendants, untilGone } from '../support/processes.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { Verdaccio } from '../support/verdaccio.ts';

const timeoutMs = 240_000;
/** Packs all packages, downloads Verdaccio and publishes: one of the longest steps on a busy machine. */
const setupTimeoutMs = 900_000;
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const name = 'serena-in-one-file';
const { os, cpu, libc } = currentTarget();
const here = releaseTargets.find((target) => target.os === os && target.cpu === cpu && target.libc === libc);
const other = releaseTargets.find((target) => target.os !== os && target.os !== 'win32');
const whyNot = here === undefined ? `there are no releases for ${os}-${cpu}` : undefined;
const whyNoProcesses = canListProcesses ? whyNot : 'processes cannot be listed here';
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

let registry: Verdaccio;
let packages: string;

/** The built program for this platform, and placeholder files for the others. */
function makePrograms(): string {
  const directory = makeTempDir('programs');
  for (const target of releaseTargets) {
    mkdirSync(join(directory, target.id));
    const path = join(directory, target.id, programName(target));
    if (target === here) copyFileSync(programCommand([])[0], path);
    else writeFileSync(path, target.id);
  }
  return directory;
}

beforeAll(async () => {
  if (whyNot !== undefined) return;
  const programs = makePrograms();
  packages = join(makeTempDir('npm'), 'packages');
  const args = [join(root, 'scripts/package-npm.ts'), '--programs', programs, '--out', packages];
  const made = await run(process.execPath, args);
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  rmSync(programs, { recursive: true });
  registry = await Verdaccio.start();
  for (const directory of made.stdout.trim().split('\n')) {
    writeFileSync(join(directory, '.npmrc'), registry.npmrc());
    expect(await run(npm, ['publish', '--loglevel=error'], { cwd: directory })).toMatchObject({ exitCode: 0 });
  }
}, setupTimeoutMs);

afterAll(async () => {
  if (whyNot !== undefined) return;
  await registry?.[Symbol.asyncDispose]();
  rmSync(packages, { recursive: true, force: true });
});

/** Installs the package into a new directory and returns the directory. */
async function install(...flags: readonly string[]): Promise<string> {
  const directory = makeTempDir('installed');
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  writeFileSync(join(directory, '.npmrc'), registry.npmrc({ hasToken: false }));
  const always = ['--no-audit', '--no-fund', '--loglevel=error', '--cache', join(directory, 'cache')];
  const made = await run(npm, ['install', ...always, ...flags, name], { cwd: directory });
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  // About 60 MB.
  rmSync(join(directory, 'cache'), { recursive: true });
  return directory;
}

const programIn = (directory: string) => join(directory, 'node_modules/.bin', os === 'win32' ? 'serena.cmd' : 'serena');
const installedIn = (directory: string) => readdirSync(join(directory, 'node_modules', `@${name}`));

function start(directory: string, ...args: readonly string[]) {
  const env = { ...process.env, SERENA_HOME: join(directory, 'home') };
  const { status, stdout, stderr } = spawnSync(programIn(directory), args, { cwd: directory, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('from an npm registry', () => {
  testUnless(whyNot)(
    'only the program for this platform is installed, and it runs',
    async () => {
      const directory = await install();
      expect(installedIn(directory)).toEqual([here?.id ?? '']);
      expect(start(directory, '--version')).toEqual({ status: 0, stdout: `Serena ${version}\n`, stderr: '' });
      const listed = start(directory, 'tools', 'list');
      expect(listed.status).toBe(0);
      expect(listed.stdout).toContain('find_symbol');
      expect(start(directory, 'no-such-command').status).toBe(2);
    },
    timeoutMs,
  );

  testUnless(whyNoProcesses)(
    'it serves a client, also if npm may run no scripts, and exits when the client stops it',
    async () => {
      const directory = await install('--ignore-scripts');
      {
        await using client = await startClient({ binary: programIn(directory) });
        expect((await client.tools()).map((tool) => tool.name)).toContain('find_symbol');
      }
      // Like a client that does not wait.
      const child = spawn(programIn(directory), ['start-mcp-server'], {
        env: { ...process.env, SERENA_HOME: join(directory, 'home'), SERENA_SERVICE: 'off' },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      const pid = child.pid ?? 0;
      await eventually('the program to start', () =>
        findDescendants(pid).some(({ command }) => /\/bin\/serena/.test(command)),
      );
      const started = findDescendants(pid);
      child.kill('SIGTERM');
      await ended;
      await untilGone(started);
    },
    timeoutMs,
  );

  testUnless(whyNot)(
    'without optional packages it reports what is missing and how to install it',
    async () => {
      const directory = await install('--omit=optional');
      expect(existsSync(join(directory, 'node_modules', `@${name}`))).toBe(false);
      const { status, stdout, stderr } = start(directory, '--version');
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toStartWith(
        `error: the program for this platform is missing: \`@${name}/${here?.id}\` is not installed\n\nhint: `,
      );
      expect(stderr).toContain('--omit=optional');
      expect(stderr).toContain(`npm install @${name}/${here?.id}@${version}`);
    },
    timeoutMs,
  );

  testUnless(whyNot)(
    'with the packages of another platform it names the installed ones',
    async () => {
      const directory = await install(`--os=${other?.os}`, `--cpu=${other?.cpu}`);
      expect(installedIn(directory)).toEqual([other?.id ?? '']);
      const { status, stderr } = start(directory, '--version');
      expect(status).toBe(1);
      expect(stderr).toContain(`is not installed, but @${name}/${other?.id} is\n`);
    },
    timeoutMs,
  );

  testUnless(whyNot)('on a machine that there is no program for it says which there are', () => {
    const launcher = join(packages, name, 'launcher.mjs');
    const pretend = 'data:text/javascript,Object.defineProperty(process, "arch", { value: "riscv64" })';
    const { status, stderr } = spawnSync('node', ['--import', pretend, launcher], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: unsupported platform: \w+-riscv64(-musl)?\n/);
    expect(stderr).toContain('linux-x64, linux-x64-musl, linux-arm64');
  });
});

test.each(releaseTargets.map(({ id }) => id))('the package for %s declares its platform, and has no scripts', (id) => {
  if (whyNot !== undefined) return;
  const manifest = JSON.parse(readFileSync(join(packages, id, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: `@${name}/${id}`, version, license: 'MIT' });
  expect(manifest.os).toEqual([id.startsWith('windows') ? 'win32' : id.split('-')[0]]);
  expect(manifest.cpu).toContain(id.split('-')[1]);
  expect(manifest.libc).toEqual(id.startsWith('linux') ? [id.endsWith('-musl') ? 'musl' : 'glibc'] : undefined);
  for (const key of ['scripts', 'bin', 'dependencies']) expect(manifest[key]).toBeUndefined();
});

testUnless(whyNot)('the package that people install has no scripts, and wants the others exactly', () => {
  const manifest = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
  expect(manifest.scripts).toBeUndefined();
  expect(manifest.dependencies).toBeUndefined();
  const wanted = releaseTargets.map(({ id }) => [`@${name}/${id}`, version]);
  expect(manifest.optionalDependencies).toEqual(Object.fromEntries(wanted));
});
