import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, findInstalled } from '../../../src/install/install.ts';
import { installationDirectory, serverDirectories } from '../../../src/install/store/layout.ts';
import { makeTempDir } from '../../support/temp.ts';
import { demoRequest, failureOf, leftovers } from '../demo.ts';
import { fileEntry, lockOf, packageTarball, Registry, tarballOf } from '../registry.ts';

describe('ensureInstalled() from npm', () => {
  test('installs every pinned package in its directory and reports progress', async () => {
    await using registry = await Registry.start();
    const lock = lockOf(
      await registry.publish('demo', { 'main.js': 'run()', 'empty.txt': '', 'lib/deep/x.js': 'x' }),
      await registry.publish('@scope/part', { 'index.js': 'part' }, '2.1.0'),
    );
    const messages: string[] = [];
    const request = demoRequest(lock, registry.url, { onProgress: ({ message }) => messages.push(message) });

    const installed = await ensureInstalled(request);

    expect(installed.version).toBe('1.0.0');
    expect(installed.directory).toBe(
      installationDirectory(serverDirectories(request.home).root, 'demo', `1.0.0-${installed.key}`),
    );
    expect(readFileSync(installed.program, 'utf8')).toBe('run()');
    expect(readFileSync(join(installed.directory, 'node_modules/demo/empty.txt'), 'utf8')).toBe('');
    expect(readFileSync(join(installed.directory, 'node_modules/demo/lib/deep/x.js'), 'utf8')).toBe('x');
    expect(readFileSync(join(installed.directory, 'node_modules/@scope/part/index.js'), 'utf8')).toBe('part');
    expect(messages.some((message) => message.startsWith('Downloading demo 1.0.0'))).toBe(true);
    expect(messages.some((message) => message.startsWith('Unpacking @scope/part@2.1.0'))).toBe(true);
    expect(leftovers(request.home).staging).toEqual([]);
  });

  test('makes no request for an existing installation', async () => {
    await using registry = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' })), registry.url);
    expect(findInstalled(request)).toBeUndefined();
    const first = await ensureInstalled(request);
    const asked = registry.requests.length;

    expect(await ensureInstalled(request)).toEqual(first);
    expect(findInstalled(request)).toEqual(first);
    expect(registry.requests.length).toBe(asked);
  });

  test('finds an installation in a read-only store, before our home directory', async () => {
    await using registry = await Registry.start();
    const lock = lockOf(await registry.publish('demo', { 'main.js': '' }));
    const elsewhere = demoRequest(lock, registry.url);
    const stored = await ensureInstalled(elsewhere);
    const store = serverDirectories(elsewhere.home).root;

    const request = demoRequest(lock, registry.url);
    const env = { ...request.env, SERENA_STORE: `/nonexistent:${store}`, SERENA_OFFLINE: '1' };
    expect(await ensureInstalled({ ...request, env })).toEqual(stored);
    expect(leftovers(request.home).installed).toEqual([]);
  });

  test('passes over packages for other machines', async () => {
    await using registry = await Registry.start();
    const foreign = { ...(await registry.publish('foreign', { 'x.js': '' })), os: ['plan9'], optional: true };
    const installed = await ensureInstalled(
      demoRequest(lockOf(await registry.publish('demo', { 'main.js': '' }), foreign), registry.url),
    );
    expect(existsSync(join(installed.directory, 'node_modules/foreign'))).toBe(false);
    expect(registry.downloads).toEqual(['/demo/-/1.0.0.tgz']);
  });

  test('runs no install script', async () => {
    await using registry = await Registry.start();
    const mark = join(makeTempDir(), 'mark');
    const script = {
      name: 'demo',
      version: '1.0.0',
      scripts: { install: `touch ${mark}`, postinstall: `touch ${mark}` },
    };
    const content = { 'main.js': '', 'package.json': JSON.stringify(script) };
    await ensureInstalled(demoRequest(lockOf(await registry.publish('demo', content)), registry.url));
    expect(existsSync(mark)).toBe(false);
  });

  test('keeps only the execute bit of a mode', async () => {
    await using registry = await Registry.start();
    const entries = [fileEntry('package/main.js', '', 0o100), fileEntry('package/plain', '', 0o4600)];
    const lock = lockOf(await registry.publish('demo', await tarballOf(entries)));
    const { program, directory } = await ensureInstalled(demoRequest(lock, registry.url));
    const umask = process.umask();
    expect(statSync(program).mode & 0o7777).toBe(0o755 & ~umask);
    expect(statSync(join(directory, 'node_modules/demo/plain')).mode & 0o7777).toBe(0o644 & ~umask);
  });
});

describe('ensureInstalled() refuses content that is not pinned', () => {
  test('when registry and archive agree on another hash', async () => {
    await using registry = await Registry.start();
    const pinned = await registry.publish('demo', { 'main.js': '' });
    const expected = `sha512-${'A'.repeat(86)}==`;
    const request = demoRequest(lockOf({ ...pinned, integrity: expected }), registry.url);
    const error = await failureOf(request);
    expect(error.code).toBe('install.hash-mismatch');
    expect(error.message.split('\n')).toEqual([
      expect.stringContaining('`demo@1.0.0`'),
      `  expected: ${expected}`,
      `  found:    ${pinned.integrity}`,
    ]);
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test('when the archive differs from what the registry says of it, without asking again', async () => {
    await using registry = await Registry.start();
    const pinned = await registry.publish('demo', { 'main.js': '' });
    const forged = await packageTarball({ 'main.js': 'evil()' });
    registry.serve = (response) => response.end(forged);
    const request = demoRequest(lockOf(pinned), registry.url);
    const error = await failureOf(request);
    expect(error.code).toBe('install.hash-mismatch');
    expect(error.message).toContain(`expected: ${pinned.integrity}`);
    expect(error.message).toMatch(/found: {4}sha512-/);
    expect(registry.downloads.length).toBe(1);
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test('when the archive never ends', async () => {
    await using registry = await Registry.start();
    const pinned = await registry.publish('demo', { 'main.js': '' });
    const junk = Buffer.alloc(1e6, 'junk');
    registry.serve = (response) => {
      const more = () => response.write(junk) && setImmediate(more);
      response.on('drain', more);
      more();
    };
    const request = demoRequest(lockOf(pinned), registry.url);
    const error = await failureOf(request);
    expect(error.code).toBe('install.hash-mismatch');
    expect(error.message).toMatch(/found: {4}more than \d+ bytes/);
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test('and installs nothing of the other packages', async () => {
    await using registry = await Registry.start();
    const good = await registry.publish('demo', { 'main.js': '' });
    const bad = { ...(await registry.publish('bad', { 'x.js': '' })), integrity: good.integrity };
    const request = demoRequest(lockOf(good, bad), registry.url);
    expect((await failureOf(request)).code).toBe('install.hash-mismatch');
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });

  test.each([
    ['leads out of its directory', fileEntry('package/../../evil.js', '')],
    ['is absolute', fileEntry('/tmp/evil.js', '')],
    ['is a symbolic link', { header: { name: 'package/l', size: 0, type: 'symlink', linkname: '/etc' } } as const],
    ['is a hard link', { header: { name: 'package/l', size: 0, type: 'link', linkname: '../../x' } } as const],
  ])('when an entry %s', async (_what, entry) => {
    await using registry = await Registry.start();
    const tarball = await tarballOf([fileEntry('package/main.js', ''), entry]);
    const request = demoRequest(lockOf(await registry.publish('demo', tarball)), registry.url);
    const error = await failureOf(request);
    expect(error.code).toBe('install.failed');
    expect(error.message).toContain(JSON.stringify(entry.header.name));
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });
});

describe('ensureInstalled() of a server', () => {
  test('without a pin names the pinned servers', async () => {
    const error = await failureOf({ ...demoRequest({ servers: {} }, ''), lock: undefined });
    expect(error.code).toBe('install.not-pinned');
    expect(error.hints[0]).toContain('`python`');
  });

  test('whose packages differ from the pinned ones is an error', async () => {
    await using registry = await Registry.start();
    const request = demoRequest(lockOf(await registry.publish('other', { 'main.js': '' })), registry.url);
    expect((await failureOf(request)).code).toBe('install.not-pinned');
    expect(registry.requests).toEqual([]);
  });
});
