import { describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, findInstalled, type InstallRequest } from '../../../src/install/install.ts';
import {
  collectGarbage,
  type GcRequest,
  listInstallations,
  removeInstallation,
  useLockPath,
} from '../../../src/install/store/installations.ts';
import { directoriesBelow, serverDirectories } from '../../../src/install/store/layout.ts';
import { verifyAll } from '../../../src/install/store/receipt.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTempDir } from '../../support/temp.ts';
import { demoRequest, leftovers } from '../demo.ts';
import { putBlob } from '../put-blob.ts';
import { integrityOf, lockOf, Registry } from '../registry.ts';

const dayMs = 24 * 3600 * 1000;
const useChild = join(import.meta.dirname, 'use-child.ts');

/** Installs in a separate process, because this one would hold the installation while it lives. */
async function installDemo(install: typeof ensureInstalled | typeof installElsewhere = installElsewhere) {
  await using registry = await Registry.start();
  const lock = lockOf(await registry.publish('demo', { 'main.js': 'run()', 'lib/x.js': 'x' }));
  const request = demoRequest(lock, registry.url);
  await install(request);
  return request;
}

async function installElsewhere(request: InstallRequest): Promise<void> {
  const child = useFrom(request);
  child.stdin.end();
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
}

function useFrom({ env, signal: _signal, ...request }: InstallRequest) {
  const defined = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return spawn(process.execPath, [useChild, JSON.stringify(request)], {
    env: Object.fromEntries(defined),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

function age(path: string, days: number): void {
  const time = new Date(Date.now() - days * dayMs);
  utimesSync(path, time, time);
}

function gc(home: string, more: Partial<GcRequest> = {}) {
  return collectGarbage({
    ...{ home, keepDays: 30, isAll: false, isBlobs: false, isDryRun: false },
    ...{ isCurrent: () => false, isPinned: () => false },
    ...more,
  });
}

test('several servers that run programs of the same packages share an installation, which is made once', async () => {
  await using registry = await Registry.start();
  const lock = lockOf(await registry.publish('demo', { 'main.js': 'run()', 'plugin.js': 'run()' }));
  const request = demoRequest(lock, registry.url);
  const { directory } = await ensureInstalled(request);
  const { ino } = statSync(directory);
  const source = { ...request.source, entry: 'node_modules/demo/plugin.js' } as const;
  const second = await ensureInstalled({ ...request, source });
  expect(second).toMatchObject({ directory, program: join(directory, 'node_modules/demo/plugin.js') });
  expect(await ensureInstalled(request)).toMatchObject({ directory });
  expect(statSync(directory).ino).toBe(ino);
});

describe('collectGarbage()', () => {
  test('removes an installation that is not current and was not used recently', async () => {
    const { home } = await installDemo();
    const [found] = listInstallations(serverDirectories(home).root);
    if (found === undefined) throw new Error('Nothing was installed');
    expect((await gc(home)).removed).toEqual([]);
    age(useLockPath(home, 'demo', found.key), 31);
    expect((await gc(home, { isCurrent: () => true })).removed).toEqual([]);
    const tried = await gc(home, { isDryRun: true });
    expect(tried.removed).toMatchObject([{ kind: 'installation', path: found.directory }]);
    expect(tried.removed[0]?.sizeBytes).toBeGreaterThan(5);
    expect(existsSync(found.directory)).toBe(true);
    expect(await gc(home)).toMatchObject({ removed: [{ path: found.directory }], inUse: [] });
    expect(leftovers(home)).toEqual({ installed: [], staging: [] });
  });

  test('removes a current installation only with `isAll`', async () => {
    const { home } = await installDemo();
    expect((await gc(home, { isCurrent: () => true, keepDays: 0 })).removed).toEqual([]);
    expect((await gc(home, { isCurrent: () => true, keepDays: 0, isAll: true })).removed.length).toBe(1);
  });

  test('keeps an installation until the process that uses it has ended or was killed', async () => {
    const request = await installDemo();
    const { home } = request;
    const child = useFrom(request);
    await once(child.stdout, 'data');
    const [directory] = listInstallations(serverDirectories(home).root).map((found) => found.directory);
    expect(await gc(home, { keepDays: 0 })).toEqual({ removed: [], inUse: [directory ?? ''] });
    expect(findInstalled(request)).toBeDefined();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await eventually('the lock to be free', async () => (await gc(home, { keepDays: 0 })).inUse.length === 0);
    expect(findInstalled(request)).toBeUndefined();
  });

  test('removes old blobs that are not pinned, or all blobs', async () => {
    const home = makeTempDir('home');
    const paths = ['old', 'pinned', 'new'].map((text) => keepBlob(home, text));
    for (const path of paths.slice(0, 2)) age(path, 31);
    const [old = '', pinned = '', fresh = ''] = paths;
    const isPinned = (name: string) => pinned.endsWith(name);
    expect((await gc(home, { isPinned })).removed.map(({ path }) => path)).toEqual([old]);
    expect([existsSync(pinned), existsSync(fresh)]).toEqual([true, true]);
    expect((await gc(home, { isPinned, isBlobs: true })).removed.length).toBe(2);
  });

  test('removes the unfinished installation of a dead process, and none of a living one', async () => {
    const home = makeTempDir('home');
    const { staging } = serverDirectories(home);
    const [dead, living] = [join(staging, '999999999-x'), join(staging, `${process.pid}-x`)];
    for (const path of [dead, living]) mkdirSync(path, { recursive: true });
    age(dead, 2);
    expect((await gc(home)).removed).toMatchObject([{ kind: 'staging', path: dead }]);
    expect(existsSync(living)).toBe(true);
  });
});

describe('removeInstallation()', () => {
  test('leaves nothing that looks like an installation', async () => {
    const request = await installDemo();
    const [found] = listInstallations(serverDirectories(request.home).root);
    if (found === undefined) throw new Error('Nothing was installed');
    expect(await removeInstallation(request.home, found)).toBe(true);
    expect(findInstalled(request)).toBeUndefined();
    expect(leftovers(request.home)).toEqual({ installed: [], staging: [] });
  });
});

describe('verifyAll()', () => {
  const problems = async (request: InstallRequest, isDeep = true) => {
    const { signal } = new AbortController();
    const verdicts = await verifyAll({ home: request.home, env: request.env, isDeep, signal });
    return verdicts.flatMap(({ problem }) => problem ?? []);
  };

  test('finds no problem in a new installation', async () => {
    const request = await installDemo(ensureInstalled);
    keepBlob(request.home, 'blob');
    expect(await problems(request)).toEqual([]);
  });

  const damage: readonly [string, RegExp, (directory: string) => void][] = [
    [
      'is changed',
      /main.js` is changed/,
      (directory) => writeFileSync(join(directory, 'node_modules/demo/main.js'), 'run!!'),
    ],
    ['is missing', /main.js` is missing/, (directory) => rmSync(join(directory, 'node_modules/demo/main.js'))],
    ['was added', /evil.js` is added/, (directory) => writeFileSync(join(directory, 'node_modules/evil.js'), '')],
    [
      'became a program',
      /x.js` is changed/,
      (directory) => chmodSync(join(directory, 'node_modules/demo/lib/x.js'), 0o755),
    ],
  ];
  test.each(damage)('reads every file and reports one that %s', async (_what, problem, change) => {
    const request = await installDemo(ensureInstalled);
    const { directory } = findInstalled(request) ?? { directory: '' };
    change(directory);
    expect(await problems(request, false)).toEqual([]);
    expect(await problems(request)).toEqual([expect.stringMatching(problem)]);
  });

  test('reports an installation without a receipt, and one with the receipt of another', async () => {
    const request = await installDemo(ensureInstalled);
    const { servers } = serverDirectories(request.home);
    mkdirSync(join(servers, 'demo', '2.0.0-000000000000'), { recursive: true });
    expect(await problems(request, false)).toEqual(['it is incomplete: it has no receipt']);
  });

  test('reports a changed blob, also in a store', async () => {
    const request = await installDemo(ensureInstalled);
    const store = makeTempDir('store');
    const blob = keepBlob(request.home, 'blob');
    chmodSync(blob, 0o644);
    writeFileSync(blob, 'blub');
    const stored = join(directoriesBelow(store).blobs, 'sha256', '0'.repeat(64));
    mkdirSync(join(stored, '..'), { recursive: true });
    writeFileSync(stored, 'not nothing');
    const wrong = 'its content does not match the hash in its name';
    expect(await problems({ ...request, env: { SERENA_STORE: store } }, false)).toEqual([wrong, wrong]);
  });
});

function keepBlob(home: string, text: string): string {
  const bytes = Buffer.from(text);
  return putBlob(home, integrityOf(bytes), bytes);
}
