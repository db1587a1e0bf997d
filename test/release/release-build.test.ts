import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { archiveName, fetchRuntime, runtimePackage } from '../../scripts/release/fetch-runtime.ts';
import { packTarGz, packZip } from '../../scripts/release/pack-archive.ts';
import { productionPackages } from '../../scripts/release/production-packages.ts';
import { releaseBase } from '../../scripts/release/release-base.ts';
import { releaseTargets } from '../../scripts/release/targets.ts';
import { root } from '../../scripts/support/paths.ts';
import { run } from '../../scripts/support/run.ts';
import { currentTarget } from '../../src/install/target.ts';
import { rejection } from '../support/rejection.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { ReleaseServer } from './release-server.ts';
import { makePath, runScript, type Shell } from './shells.ts';

/** Includes the download of a runtime, and two builds. */
const timeoutMs = 240_000;
const { os, cpu, libc } = currentTarget();
const here = releaseTargets.find((target) => target.os === os && target.cpu === cpu && target.libc === libc);
const whyNot = here === undefined ? `there are no releases for ${os}-${cpu}` : undefined;
const whyNotPosix = process.platform === 'win32' ? 'Windows has install.ps1' : whyNot;
const base = 'https://downloads.example.invalid/serena';

const Release = z.object({
  version: z.string(),
  artifacts: z.array(
    z.object({
      file: z.string(),
      kind: z.string(),
      target: z.string().optional(),
      sizeBytes: z.number(),
      sha256: z.string(),
      programSha256: z.string().optional(),
    }),
  ),
});

let directory: string;
let published: string;

/** Builds a release for this platform and returns its directory. */
async function makeRelease(): Promise<string> {
  const out = makeTempDir('release');
  const args = ['--target', here?.id ?? '', '--out', out, '--base-url', `${base}/`];
  const made = await run(process.execPath, [join(root, 'scripts/release-build.ts'), ...args]);
  if (made.exitCode !== 0) throw new Error(`${made.stdout}${made.stderr}`);
  return out;
}

const versionDirectory = (release: string) =>
  join(release, readdirSync(release).find((name) => name.startsWith('v')) ?? '');
const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const read = (file: string) => readFileSync(join(published, file), 'utf8');

beforeAll(async () => {
  if (whyNot !== undefined) return;
  directory = await makeRelease();
  published = versionDirectory(directory);
}, timeoutMs);

// About 200 MB, which later tests do not need.
afterAll(() => whyNot !== undefined || rmSync(directory, { recursive: true, force: true }));

describe('a release', () => {
  testUnless(whyNot)('lists its files with their hashes, in SHA256SUMS and in release.json', () => {
    const sums = read('SHA256SUMS').trimEnd().split('\n');
    const listed = sums.map((line) => line.split('  ')[1] ?? '');
    expect([...listed, 'SHA256SUMS'].sort()).toEqual(readdirSync(published).sort());
    for (const line of sums) expect(line).toBe(`${sha256Of(join(published, line.slice(66)))}  ${line.slice(66)}`);
    const { artifacts, version } = Release.parse(JSON.parse(read('release.json')));
    expect(`v${version}`).toBe(published.split('/').at(-1) ?? '');
    expect(artifacts.map(({ kind, target }) => [kind, target])).toEqual([
      ['program', here?.id],
      ['notices', undefined],
      ['sbom', undefined],
    ]);
    for (const { file, sha256 } of artifacts) expect(sums).toContain(`${sha256}  ${file}`);
  });

  testUnless(whyNot)(
    'is reproducible',
    async () => {
      const again = await makeRelease();
      expect(readFileSync(join(versionDirectory(again), 'SHA256SUMS'), 'utf8')).toBe(read('SHA256SUMS'));
      rmSync(again, { recursive: true, force: true });
    },
    timeoutMs,
  );

  testUnless(whyNot)('names the license of everything that npm installs for production, and of the runtime', () => {
    const notices = read('THIRD-PARTY-NOTICES.txt');
    for (const name of ['Bun 1.', '@modelcontextprotocol/server 2.', 'zod 4.', 'pacote 22.', 'yaml 2.']) {
      expect(notices).toContain(`\n${name}`);
    }
    expect(notices).toContain('Permission is hereby granted, free of charge');
    // A development dependency.
    expect(notices).not.toContain('\ntypescript ');
    expect(notices).not.toContain(root);
  });

  testUnless(whyNot)('lists its parts as CycloneDX, with hashes and without anything about this machine', () => {
    const text = read('serena.cdx.json');
    const bom = JSON.parse(text);
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'serena-in-one-file', type: 'application' } },
    });
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const refs: string[] = bom.components.map((component: { 'bom-ref': string }) => component['bom-ref']);
    expect(refs).toEqual([...refs].sort());
    expect(refs.some((ref) => ref.startsWith(`@oven/bun-${here?.bun}@`))).toBe(true);
    for (const { ref } of productionPackages()) expect(refs).toContain(ref);
    for (const name of ['zod@', '@modelcontextprotocol/server@', 'yaml@', 'pacote@']) {
      expect(refs.filter((ref) => ref.startsWith(name)).length).toBe(1);
    }
    expect(refs.filter((ref) => ref.startsWith('typescript@'))).toEqual([]);
    for (const component of bom.components) expect(component.hashes[0]).toMatchObject({ alg: 'SHA-512' });
    // Every dependency is listed.
    const known = new Set([...refs, bom.metadata.component['bom-ref']]);
    for (const { ref, dependsOn } of bom.dependencies) {
      for (const name of [ref, ...dependsOn]) expect(known).toContain(name);
    }
    expect(text).not.toContain(root);
    expect(text).not.toMatch(/https?:\/\/registry/);
  });

  testUnless(whyNot)('holds no path of the machine that built it', () => {
    const program = join(directory, 'programs', here?.id ?? '', os === 'win32' ? 'serena.exe' : 'serena');
    expect(readFileSync(program).includes(root)).toBe(false);
  });

  testUnless(whyNotPosix ?? whyNoProgram('curl'))(
    'is installed by its script, and the installed program passes its self-check',
    async () => {
      await using server = await ReleaseServer.start(directory);
      const home = makeTempDir('user');
      const shell: Shell = { name: 'sh', command: ['sh'], whyNot: undefined };
      const path = makePath(['curl', 'wget', 'sha256sum', 'shasum', 'sysctl']);
      const env = { PATH: path, HOME: home, SERENA_BASE_URL: server.url };
      const installed = await runScript(shell, [join(published, 'install.sh')], env);
      expect(installed).toMatchObject({ code: 0, stderr: '' });
      const program = join(home, '.local/bin/serena');
      const { status, stdout } = spawnSync(program, ['self-check'], { encoding: 'utf8', env: { HOME: home } });
      expect({ status, failed: stdout.split('\n').filter((line) => line.startsWith('FAILED')) }).toEqual({
        status: 0,
        failed: [],
      });
      expect(read('install.sh')).toContain(`release_base='${base}'`);
    },
    timeoutMs,
  );

  test('has a name for each platform, and fails for an unknown one', async () => {
    expect(releaseTargets.map(({ id }) => id).sort()).toEqual([
      'darwin-arm64',
      'darwin-x64',
      'linux-arm64',
      'linux-arm64-musl',
      'linux-x64',
      'linux-x64-musl',
      'windows-x64',
    ]);
    const out = join(makeTempDir('release'), 'none');
    const args = [join(root, 'scripts/release-build.ts'), '--target', 'linux-x86', '--out', out];
    const { exitCode, stderr } = await run(process.execPath, args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Unknown target `linux-x86`: use linux-x64,');
    expect(existsSync(out)).toBe(false);
  });
});

describe('building', () => {
  test('rejects a runtime that is not the pinned one, and deletes it', async () => {
    const cache = makeTempDir('cache');
    const [target] = releaseTargets;
    if (target === undefined) throw new Error('There are no targets');
    const archive = join(cache, archiveName(runtimePackage(target)));
    writeFileSync(archive, 'another');
    const message = await rejection(fetchRuntime(target, join(cache, 'runtime'), cache));
    expect(message).toMatch(/does not match its pinned hash\nexpected sha512-.{88}\nfound {4}sha512-.{88}$/);
    expect(readdirSync(cache)).toEqual([]);
  });

  test('packs compiled programs, and explains how to compile missing ones', async () => {
    const args = ['--stage', 'pack', '--target', 'linux-x64', '--out', makeTempDir('release')];
    const { exitCode, stderr } = await run(process.execPath, [join(root, 'scripts/release-build.ts'), ...args]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('compile it first, with `--stage compile`');
  });

  test('uses the time of the commit, or SOURCE_DATE_EPOCH', async () => {
    const dateWith = async (env: Readonly<Record<string, string>>) => {
      const facts = JSON.stringify(join(root, 'scripts/support/build-facts.ts'));
      const script = `import { buildFacts } from ${facts}; console.log((await buildFacts()).date);`;
      return await run(process.execPath, ['-e', script], { env });
    };
    const { stdout: made } = await run('git', ['log', '-1', '--format=%ct']);
    const ofCommit = `${new Date(Number(made) * 1000).toISOString().slice(0, 19)}Z\n`;
    expect(await dateWith({ SOURCE_DATE_EPOCH: '' })).toMatchObject({ stdout: ofCommit });
    expect(await dateWith({ SOURCE_DATE_EPOCH: '86400' })).toMatchObject({ stdout: '1970-01-02T00:00:00Z\n' });
    expect((await dateWith({ SOURCE_DATE_EPOCH: 'now' })).stderr).toContain('not a number of seconds: now');
  });
});

describe('archives', () => {
  const files = [{ name: 'serena', bytes: Buffer.from('program'), isProgram: true }];
  const modified = new Date('2026-03-29T01:30:00Z');

  test('are identical in every time zone', () => {
    const script = `
      import { packZip } from ${JSON.stringify(join(root, 'scripts/release/pack-archive.ts'))};
      const files = [{ name: 'serena', bytes: Buffer.from('program'), isProgram: true }];
      console.log(Buffer.from(packZip(files, new Date('${modified.toISOString()}'))).toString('hex'));`;
    const expected = Buffer.from(packZip(files, modified)).toString('hex');
    for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
      const { stdout } = spawnSync(process.execPath, ['-e', script], {
        encoding: 'utf8',
        env: { ...process.env, TZ: zone },
      });
      expect(stdout.trim()).toBe(expected);
    }
  });

  testUnless(whyNoProgram('tar'))('preserve the executable permission', async () => {
    const at = makeTempDir('archive');
    await Bun.write(join(at, 'a.tar.gz'), await packTarGz(files, modified));
    expect(spawnSync('tar', ['-tvzf', join(at, 'a.tar.gz')], { encoding: 'utf8' }).stdout).toMatch(/^-rwxr-xr-x /);
  });
});

describe('the base URL of releases', () => {
  test('is the given one, without the trailing slash', () => {
    expect(releaseBase('https://example.invalid/serena//')).toBe('https://example.invalid/serena');
    expect(() => releaseBase('example.invalid')).toThrow('is not a valid URL');
    expect(() => releaseBase("https://example.invalid/'; rm -rf /")).toThrow('is not a valid URL');
  });
});
