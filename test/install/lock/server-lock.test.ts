import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  embeddedLock,
  installKey,
  type LockedPackage,
  lockedServer,
  type NpmLock,
  packagesFor,
  parseServerLock,
} from '../../../src/install/lock/server-lock.ts';
import { servers } from '../../../src/languages/servers.ts';
import { pinnedSource } from '../../../src/servers/runtime/resolve.ts';

const root = join(import.meta.dirname, '../../..');
const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const;
const mac = { os: 'darwin', cpu: 'arm64' } as const;

const part: LockedPackage = {
  name: 'part',
  version: '1.0.0',
  integrity: `sha512-${'A'.repeat(86)}==`,
  dest: 'node_modules/part',
  sizeBytes: 1,
  unpackedBytes: 1,
};
const entry: NpmLock = { source: 'npm', version: '1.0.0', packages: [part] };

describe('the embedded lock', () => {
  test('pins the installable servers', () => {
    const pinned = servers.filter((spec) => pinnedSource(spec) !== undefined).map(({ id }) => id);
    expect(Object.keys(embeddedLock().servers)).toEqual(pinned.sort());
    expect(lockedServer(embeddedLock(), 'python').version).toBe('1.1.414');
    expect(lockedServer(embeddedLock(), 'typescript').version).toBe('6.0.2+typescript-6.0.3');
  });

  test('contains no download addresses', () => {
    const text = readFileSync(join(root, 'resources/server-lock.json'), 'utf8');
    // A package can have the name of such a key.
    expect(text).not.toMatch(/:\/\/|"(registry|proxy|resolved)":/);
  });

  test('matches the sources in the script that writes it', () => {
    const script = join(root, 'scripts/update-server-lock.ts');
    const checked = Bun.spawnSync([process.execPath, script, '--check'], { env: { PATH: '' } });
    expect(checked.stderr.toString()).toBe('');
    expect(checked.exitCode).toBe(0);
  });

  test('has one pyright package for Linux, and one more for macOS', () => {
    const python = lockedServer(embeddedLock(), 'python');
    if (python.source !== 'npm') throw new Error('Python is no longer from npm');
    expect(packagesFor(python, linux).map(({ name }) => name)).toEqual(['pyright']);
    expect(packagesFor(python, mac).map(({ name }) => name)).toEqual(['fsevents', 'pyright']);
  });
});

describe('installKey()', () => {
  test('changes with every installed package and with nothing else', () => {
    const key = installKey(entry, linux);
    const changed = (change: Partial<LockedPackage>) =>
      installKey({ ...entry, packages: [{ ...part, ...change }] }, linux);
    expect(key).toMatch(/^[0-9a-f]{12}$/);
    expect(installKey(entry, mac)).toBe(key);
    expect(changed({ sizeBytes: 5 })).toBe(key);
    const others = [
      changed({ integrity: `sha512-${'B'.repeat(86)}==` }),
      changed({ version: '1.0.1' }),
      changed({ dest: 'node_modules/other' }),
      installKey({ ...entry, packages: [part, { ...part, dest: 'node_modules/x/node_modules/part' }] }, linux),
    ];
    expect(new Set([key, ...others]).size).toBe(5);
  });

  test('differs by platform for servers that are built', () => {
    const go = lockedServer(embeddedLock(), 'go');
    expect(installKey(go, linux)).not.toBe(installKey(go, mac));
  });
});

describe('parseServerLock()', () => {
  const parse = (change: object) =>
    parseServerLock({ generatedBy: 'test', servers: { demo: { ...entry, packages: [{ ...part, ...change }] } } });

  test('returns a valid lock unchanged', () => {
    expect(parse({}).servers.demo).toEqual(entry);
  });

  test.each([
    { dest: '../evil' },
    { dest: 'node_modules/../../evil' },
    { dest: '/node_modules/x' },
    { dest: 'node_modules' },
    { integrity: 'sha1-abc' },
    { integrity: undefined },
    { version: '1.0.0/../../x' },
    { name: 'https://example.com/x.tgz' },
    { sizeBytes: 0 },
    { unknown: 1 },
  ])('rejects a package with %j', (change) => {
    expect(() => parse(change)).toThrow();
  });
});
