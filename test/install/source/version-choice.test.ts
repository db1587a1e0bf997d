import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, findInstalled, type InstallRequest } from '../../../src/install/install.ts';
import { missingDependency } from '../../../src/install/installation.ts';
import type { VersionChoice } from '../../../src/install/source/version-choice.ts';
import { versionSettings } from '../../../src/servers/runtime/resolve.ts';
import { makeHome } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';
import { demoRequest, failureOf, leftovers } from '../demo.ts';
import { FakeTools } from '../fake-tool.ts';
import { FileServer, mirrorPath, releaseRequest, sha256Of } from '../file-server.ts';
import { lockOf, Registry } from '../registry.ts';

const pinned = new Uint8Array(Buffer.from('pinned'));
const chosen = new Uint8Array(Buffer.from('chosen'));
const choice: VersionChoice = { key: 'demo_version', version: '2.0.0' };
const hexOf = (integrity: string) => Buffer.from(integrity.split('-')[1] ?? '', 'base64').toString('hex');

describe('another version of a release', () => {
  const given: readonly (readonly [string, Partial<VersionChoice>])[] = [
    ['its hash', { integrity: sha256Of(chosen) }],
    ['its hash in hexadecimal digits', { integrity: hexOf(sha256Of(chosen)) }],
    ['its hash by file', { integrity: { 'demo-2.0.0': sha256Of(chosen) } }],
    ['permission to skip verification', { isUnverified: true }],
  ];

  test.each(given)('is installed beside the pinned one, given %s', async (_what, more) => {
    await using server = await FileServer.start();
    server.files.set('/1.0.0/demo-1.0.0', pinned).set('/2.0.0/demo-2.0.0', chosen);
    const request = releaseRequest(`${server.url}{version}/{file}`, pinned, { file: 'demo-1.0.0' });
    const first = await ensureInstalled(request);
    const second = await ensureInstalled({ ...request, choice: { ...choice, ...more } });
    expect(second).toMatchObject({ version: '2.0.0' });
    expect(second.key).not.toBe(first.key);
    expect(readFileSync(second.program, 'utf8')).toBe('chosen');
    expect(findInstalled(request)).toEqual(first);
    expect(findInstalled({ ...request, choice: { ...choice, ...more } })).toEqual(second);
  });

  test('with another hash is rejected', async () => {
    await using server = await FileServer.start();
    server.files.set('/demo-2.0.0', chosen);
    const request = releaseRequest(`${server.url}{file}`, pinned, { file: 'demo-1.0.0' });
    const error = await failureOf({ ...request, choice: { ...choice, integrity: sha256Of(pinned) } });
    expect(error.code).toBe('install.hash-mismatch');
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test('without verification is fetched from its origin and not kept as a blob', async () => {
    await using server = await FileServer.start();
    await using mirror = await FileServer.start();
    server.files.set('/demo-2.0.0', chosen);
    const request = releaseRequest(`${server.url}{file}`, pinned, { file: 'demo-1.0.0' });
    const env = { ...request.env, SERENA_MIRROR: mirror.url };
    await ensureInstalled({ ...request, env, choice: { ...choice, isUnverified: true } });
    expect(mirror.requests).toEqual([]);
  });

  const bad: readonly (readonly [string, Partial<VersionChoice>, string])[] = [
    ['no hash', {}, 'the settings have no hash for it'],
    ['the hash of another file', { integrity: { 'demo-3.0.0': sha256Of(chosen) } }, 'the settings have no hash for it'],
    ['an invalid hash', { integrity: 'sha256-abc' }, 'is not a valid hash'],
    ['a hash with another algorithm', { integrity: `sha1-${'A'.repeat(27)}=` }, 'is not a valid hash'],
    ['a version that leads to another directory', { version: '../../x', isUnverified: true }, 'is not a valid version'],
    ['a version that is an option', { version: '--help', isUnverified: true }, 'is not a valid version'],
  ];

  test.each(bad)('with %s is an error that names the settings', async (_what, more, problem) => {
    await using server = await FileServer.start();
    const request = releaseRequest(`${server.url}{file}`, pinned, { file: 'demo-1.0.0' });
    const error = await failureOf({ ...request, choice: { ...choice, ...more } });
    expect(error.code).toBe('config.invalid');
    expect(error.message).toContain('ls_specific_settings.demo.demo_version');
    expect(error.message).toContain(problem);
    if (problem.startsWith('no hash')) expect(error.hints.join('\n')).toMatch(/`integrity[\s\S]*`verify: false`/);
    expect(server.requests).toEqual([]);
  });
});

describe('another version of an npm package', () => {
  async function published(registry: Registry, dependencies: Record<string, string>): Promise<InstallRequest> {
    const manifest = (version: string) => JSON.stringify({ name: 'demo', version, dependencies });
    const demo = await registry.publish('demo', { 'main.js': 'one', 'package.json': manifest('1.0.0') });
    const part = await registry.publish('part', { 'package.json': '{"version": "1.4.0"}' }, '1.4.0');
    const next = await registry.publish('demo', { 'main.js': 'two', 'package.json': manifest('2.0.0') }, '2.0.0');
    const request = demoRequest(lockOf(demo, part), registry.url);
    return { ...request, choice: { ...choice, integrity: next.integrity } };
  }

  test('replaces the pinned one and keeps the other packages', async () => {
    await using registry = await Registry.start();
    const installed = await ensureInstalled(await published(registry, { part: '^1.2.0' }));
    expect(installed.version).toBe('2.0.0');
    expect(readFileSync(installed.program, 'utf8')).toBe('two');
    expect(readFileSync(join(installed.directory, 'node_modules/part/package.json'), 'utf8')).toContain('1.4.0');
  });

  test.each([{ part: '^2.0.0' }, { other: '*' }, { part: 'npm:else@3' }])(
    'is rejected if it needs %j',
    async (needs) => {
      await using registry = await Registry.start();
      const request = await published(registry, needs);
      const error = await failureOf(request);
      expect(error.code).toBe('install.not-pinned');
      expect(error.message).toContain(Object.entries(needs)[0]?.join('@') ?? '');
      expect(error.hints.join('\n')).toContain('ls_path');
      expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
    },
  );

  test('is not checked for dependencies if it is the pinned one', async () => {
    await using registry = await Registry.start();
    const request = await published(registry, { other: '*' });
    await ensureInstalled({ ...request, choice: { ...choice, version: '1.0.0' } });
  });
});

test('missingDependency() searches like Node', async () => {
  const directory = makeTempDir();
  const put = (path: string, manifest: object) =>
    Bun.write(join(directory, path, 'package.json'), JSON.stringify(manifest));
  await put('node_modules/a', { dependencies: { b: '^1', c: '1.x' }, optionalDependencies: { gone: '*', odd: '^1' } });
  await put('node_modules/a/node_modules/b', { version: '1.5.0' });
  await put('node_modules/b', { version: '2.0.0' });
  await put('node_modules/c', { version: '1.0.0-beta.1' });
  expect(missingDependency(directory, 'node_modules/a')).toBe('c@1.x');
  await put('node_modules/c', { version: '1.0.0' });
  expect(missingDependency(directory, 'node_modules/a')).toBeUndefined();
  await put('node_modules/odd', { version: '2.0.0' });
  expect(missingDependency(directory, 'node_modules/a')).toBe('odd@^1');
});

describe('a Go program', () => {
  const sum = `h1:${'A'.repeat(43)}=`;
  const content = new Uint8Array(Buffer.from('#!/bin/sh\necho ready\n'));
  const names = ['linux-x64', 'linux-x64-musl', 'linux-arm64', 'darwin-arm64', 'win32-x64'] as const;
  const file = { integrity: sha256Of(content), sizeBytes: content.length };
  const binaries = Object.fromEntries(names.map((name) => [name, file]));
  const modules = [{ name: 'example.org/demo', version: 'v1.0.0', sum }];
  const entry = {
    source: 'go',
    version: 'v1.0.0',
    module: 'example.org/demo',
    modules,
    toolchain: 'go1.26.8',
    binaries,
  } as const;
  const source = { from: 'go', module: 'example.org/demo', version: 'v1.0.0', bin: 'demo' } as const;
  const requestOf = (env: Record<string, string>): InstallRequest => {
    const home = makeTempDir('home');
    return { id: 'demo', source, home, env: { HOME: home, PATH: '', ...env }, lock: { servers: { demo: entry } } };
  };
  const go = (lines: string) =>
    new FakeTools().add(
      'go',
      `if [ "$1" = install ]; then printf built > "$GOBIN/demo"; exit 0; fi; printf '${lines}'`,
    );

  test('that a mirror has prebuilt needs no Go', async () => {
    await using mirror = await FileServer.start();
    mirror.files.set(mirrorPath(file.integrity), content);
    const installed = await ensureInstalled(requestOf({ SERENA_MIRROR: mirror.url }));
    expect(Bun.spawnSync([installed.program]).stdout.toString()).toBe('ready\n');
  });

  test('that the mirror does not have is built', async () => {
    await using mirror = await FileServer.start();
    const tools = go(`\\tmod\\texample.org/demo\\tv1.0.0\\t${sum}\\n`);
    const installed = await ensureInstalled(requestOf({ SERENA_MIRROR: mirror.url, PATH: tools.directory }));
    expect(readFileSync(installed.program, 'utf8')).toBe('built');
    expect(mirror.requests.length).toBe(1);
  });

  test.each([
    ['its sum', { integrity: sum }, undefined],
    ['permission to skip verification', { isUnverified: true }, undefined],
    ['another sum', { integrity: sum.replace('h1:A', 'h1:B') }, 'install.hash-mismatch'],
    ['a hash with another algorithm', { integrity: sha256Of(content) }, 'config.invalid'],
    ['no hash', {}, 'config.invalid'],
  ])('in another version is built, given %s', async (_what, more, code) => {
    const tools = go(`\\tmod\\texample.org/demo\\tv2.0.0\\t${sum}\\n\\tdep\\texample.org/any\\tv1.0.0\\t${sum}\\n`);
    const request = { ...requestOf({ PATH: tools.directory }), choice: { ...choice, version: 'v2.0.0', ...more } };
    if (code !== undefined) return void expect<string>((await failureOf(request)).code).toBe(code);
    expect((await ensureInstalled(request)).version).toBe('v2.0.0');
    expect(tools.log).toContain('install -trimpath -buildvcs=false -ldflags=-s -w example.org/demo@v2.0.0');
  });
});

describe('versionSettings()', () => {
  const spec = { id: 'demo', versionKey: 'demo_version' };

  test.each([
    [{}, undefined, false],
    [{ demo_version: '2.0' }, { key: 'demo_version', version: '2.0', isUnverified: false }, false],
    [{ demo_version: ' 2.0 ', verify: false }, { key: 'demo_version', version: '2.0', isUnverified: true }, true],
    [
      { demo_version: '2.0', integrity: { a: 'b' } },
      { key: 'demo_version', version: '2.0', integrity: { a: 'b' }, isUnverified: false },
      false,
    ],
    [{ demo_version: 2.1 }, undefined, false],
    [{ demo_version: '' }, undefined, false],
    [{ other_version: '2.0', verify: true }, undefined, false],
    [{ demo_version: '2.0', verify: 'no' }, { key: 'demo_version', version: '2.0', isUnverified: false }, false],
  ])('of %j are %j', (settings, wanted, allowsUnverified) => {
    const found = versionSettings(spec, settings);
    expect(found.allowsUnverified).toBe(allowsUnverified);
    expect<unknown>(found.choice).toEqual(wanted);
  });
});

describe('the settings of a user', () => {
  const integrity = `sha512-${'A'.repeat(86)}==`;

  async function ask(own: object, projects: object): Promise<string> {
    const home = makeHome({ ls_specific_settings: own });
    const cwd = makeTempDir('project');
    await Bun.write(join(cwd, 'main.py'), 'def x(): pass\n');
    const project = { project_name: 'demo', symbol_source: 'server', languages: ['python'] };
    const config = { ...project, ls_specific_settings: projects };
    await Bun.write(join(cwd, '.serena/project.yml'), JSON.stringify(config));
    const call = ['tools', 'call', 'find_symbol', '{"name_path_pattern": "x"}', '--project', '.', '--offline'];
    const { stdout, stderr } = await runProgram(call, { cwd, env: { SERENA_HOME: home } });
    return stdout + stderr;
  }

  test('select the version', async () => {
    const said = await ask({ python: { pyright_version: '1.1.400', integrity } }, {});
    expect(said).toContain(`pyright@1.1.400 ${integrity}`);
  });

  test('without a hash cause an error that names the keys to add', async () => {
    const said = await ask({ python: { pyright_version: '1.1.400' } }, {});
    expect(said).toContain('ls_specific_settings.python.pyright_version');
    expect(said).toContain('integrity');
  });

  test('are not taken from an untrusted project', async () => {
    const said = await ask({}, { python: { pyright_version: '1.1.400', verify: false } });
    expect(said).toContain('pyright@1.1.414 sha512-');
    expect(said).not.toContain('pyright@1.1.400');
  });
});
