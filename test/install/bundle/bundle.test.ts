import { describe, expect, test } from 'bun:test';
import { cpSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { packTar, type TarEntry, unpackTar } from 'modern-tar';
import { type BundleManifest, renderManifest } from '../../../src/install/bundle/manifest.ts';
import { readLicenses, writeBundleDirectory, writeBundleFile } from '../../../src/install/bundle/pack.ts';
import { tailOf } from '../../../src/install/bundle/tar.ts';
import { blobName, ownBlobPath } from '../../../src/install/store/blobs.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { zipOf } from '../unpack/zip-writer.ts';
import { collectDemo, filesIn, makeDemo, packDemo, refusalOf, unpackDemo } from './bundles.ts';

const { signal } = new AbortController();

describe('a bundle', () => {
  test('is reproducible byte by byte', async () => {
    const [first, second] = [await packDemo(await makeDemo()), await packDemo(await makeDemo())];
    expect(Buffer.compare(readFileSync(first), readFileSync(second))).toBe(0);
  });

  test('contains the manifest, then the blobs of all requested platforms in order, then licenses', async () => {
    const demo = await makeDemo();
    const path = await packDemo(demo, 'b.tar', 'win32-x64', 'linux-x64');
    const entries = await unpackTar(readFileSync(path), { strict: true });
    const manifest: BundleManifest = JSON.parse(textOf(entries[0]));
    expect(manifest).toMatchObject({ schema: 1, tool: 'serena', toolVersion: '1.2.3' });
    expect(manifest).not.toHaveProperty('created');
    expect(manifest.platforms).toEqual(['linux-x64', 'win32-x64']);
    expect(manifest.servers.map(({ id, target }) => [id, target])).toEqual([
      ['demo', 'linux-x64'],
      ['demo', 'win32-x64'],
    ]);
    expect(manifest.blobs.length).toBe(3);
    const names = entries.map(({ header }) => header.name);
    const blobs = manifest.blobs.map((blob) => blob.path);
    expect(blobs).toEqual(blobs.toSorted());
    const licenses = ['LICENSES/demo@1.0.0/LICENSE', 'LICENSES/packages.tsv'];
    expect(names).toEqual(['bundle.json', ...blobs, ...licenses, 'SHA256SUMS']);
    expect(textOf(entries.at(-2)).split('\n')).toContain('demo@1.0.0\tMIT');
    for (const { header } of entries) {
      expect(header).toMatchObject({ type: 'file', mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) });
    }
  });

  test('contains only the blobs of one platform if only that is requested', async () => {
    const demo = await makeDemo();
    const { manifest } = await collectDemo(demo, ['win32-x64']);
    expect(manifest.blobs.length).toBe(2);
    expect(manifest.servers.map(({ target }) => target)).toEqual(['win32-x64']);
  });

  test.each(['b.tar', 'b.tar.gz', 'b.tgz'])(
    'is unpacked as %s, and again without storing anything twice',
    async (name) => {
      const demo = await makeDemo();
      const path = await packDemo(demo, name);
      expect(
        readFileSync(path)
          .subarray(0, 2)
          .equals(Buffer.from([0x1f, 0x8b])),
      ).toBe(name !== 'b.tar');
      const home = makeTempDir('home');
      const first = await unpackDemo(path, demo, home);
      expect(first.stored.length).toBe(2);
      expect({ ...first, manifest: undefined, stored: [] }).toMatchObject({ alreadyThere: [], ignored: [] });
      for (const integrity of first.stored) {
        expect(readFileSync(ownBlobPath(home, integrity))).toEqual(
          readFileSync(await demo.obtain(artifact(integrity))),
        );
        expect(statSync(ownBlobPath(home, integrity)).mode & 0o777).toBe(0o444);
      }
      const before = filesIn(home);
      const second = await unpackDemo(path, demo, home);
      expect({ stored: second.stored, alreadyThere: second.alreadyThere }).toEqual({
        stored: [],
        alreadyThere: [...first.stored],
      });
      expect(filesIn(home)).toEqual(before);
    },
  );

  test('made by another version: blobs that both versions pin are stored, the others are ignored', async () => {
    const newer = await makeDemo('run(2)');
    const mine = await makeDemo();
    const home = makeTempDir('home');
    const { stored, ignored } = await unpackDemo(await packDemo(newer), mine, home);
    // The server's own package has changed, its package for Linux has not.
    expect({ stored: stored.length, ignored: ignored.length }).toEqual({ stored: 1, ignored: 1 });
    expect(filesIn(home).sort()).toEqual(['sha512', blobName(stored[0] ?? '')]);
  });

  test('replaces a damaged blob', async () => {
    const demo = await makeDemo();
    const path = await packDemo(demo);
    const home = makeTempDir('home');
    const { stored } = await unpackDemo(path, demo, home);
    const blob = ownBlobPath(home, stored[0] ?? '');
    const whole = readFileSync(blob);
    rmSync(blob);
    writeFileSync(blob, 'broken');
    await unpackDemo(path, demo, home);
    expect(readFileSync(blob)).toEqual(whole);
  });
});

describe('the licenses in a bundle', () => {
  test('are read from npm packages and wheels; an unreadable package is not an error', async () => {
    const { obtain, lock } = await makeDemo();
    const [npm] = lock.servers.demo?.source === 'npm' ? lock.servers.demo.packages : [];
    const path = await obtain(artifact(npm?.integrity ?? ''));
    expect(await readLicenses('npm', path)).toMatchObject({ license: 'MIT', texts: { LICENSE: expect.anything() } });
    const wheel = join(makeTempDir('wheel'), 'x-1.0-py3-none-any.whl');
    const about = { 'x-1.0.dist-info/METADATA': 'Name: x\nLicense-Expression: BSD-3-Clause\n\nLicense: none\n' };
    const texts = {
      'x-1.0.dist-info/licenses/LICENSE.txt': 'Do.\n',
      'x-1.0.dist-info/COPYING': 'Do not.\n',
      'x/LICENSE': '',
    };
    writeFileSync(wheel, zipOf(Object.entries({ ...about, ...texts }).map(([name, data]) => ({ name, data }))));
    const found = await readLicenses('pypi', wheel);
    expect(found.license).toBe('BSD-3-Clause');
    expect(Object.keys(found.texts).sort()).toEqual(['COPYING', 'LICENSE.txt']);
    expect(await readLicenses('pypi', path)).toEqual({ license: undefined, texts: {} });
    expect(await readLicenses('url', path)).toEqual({ license: undefined, texts: {} });
  });
});

describe('unpacking rejects, and stores nothing of,', () => {
  test('a bundle with any one byte changed', async () => {
    const demo = await makeDemo();
    const whole = readFileSync(await packDemo(demo));
    const path = join(makeTempDir('changed'), 'b.tar');
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (position, change) => {
        const changed = Buffer.from(whole);
        changed[position] = (changed[position] ?? 0) ^ change;
        writeFileSync(path, changed);
        const { code, left } = await refusalOf(path, demo);
        expect(code).toBeOneOf(['install.bad-bundle', 'install.hash-mismatch']);
        expect(left).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('a bundle cut anywhere', async () => {
    const demo = await makeDemo();
    const whole = readFileSync(await packDemo(demo));
    const path = join(makeTempDir('cut'), 'b.tar');
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
        writeFileSync(path, whole.subarray(0, length));
        expect((await refusalOf(path, demo)).left).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('a compressed bundle that is cut, or whose content has changed', async () => {
    const demo = await makeDemo();
    const path = await packDemo(demo, 'b.tgz');
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length - 20));
    expect((await refusalOf(path, demo)).left).toEqual([]);
    const changed = gunzipSync(whole);
    changed[changed.length - 3000] = 1;
    writeFileSync(path, gzipSync(changed));
    expect((await refusalOf(path, demo)).left).toEqual([]);
  });

  test('bytes after its end', async () => {
    const demo = await makeDemo();
    const path = await packDemo(demo);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(512)]));
    expect(await refusalOf(path, demo)).toMatchObject({ code: 'install.bad-bundle', left: [] });
  });

  test.each([
    ['a file that is not a bundle', Buffer.from('hello')],
    ['an empty file', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(10_240)],
  ])('%s', async (_what, bytes) => {
    const path = join(makeTempDir('none'), 'b.tar');
    writeFileSync(path, bytes);
    expect(await refusalOf(path, await makeDemo())).toMatchObject({ code: 'install.bad-bundle', left: [] });
  });

  const forged: readonly [string, RegExp, (entries: TarEntry[], manifest: BundleManifest) => TarEntry[]][] = [
    ['an entry that is not listed', /evil/, (entries) => [...entries, entryOf('evil', 'x')]],
    ['an entry that leads out', /\.\.\/evil/, (entries) => [entries, entryOf('../../evil', 'x')].flat()],
    [
      'a link in place of a blob',
      /where|link/,
      ([first, second, ...others]) => [
        first ?? missing(),
        { header: { ...(second ?? missing()).header, size: 0, type: 'symlink', linkname: '/etc/passwd' } },
        ...others,
      ],
    ],
    ['entries in another order', /in place of/, ([first, ...others]) => [first ?? missing(), ...others.toReversed()]],
    [
      'a blob that is missing',
      /in place of|ends before/,
      ([first, _second, ...others]) => [first ?? missing(), ...others],
    ],
    [
      'other bytes under the hash of a pinned blob',
      /expected: sha512-/,
      ([first, second, ...others]) => {
        const { header } = second ?? missing();
        return [first ?? missing(), { header, body: 'x'.repeat(header.size ?? 0) }, ...others];
      },
    ],
    [
      'a manifest with a size that is not the pinned one',
      /bytes/,
      ([_first, ...others], manifest) => [
        manifestEntry({ ...manifest, blobs: manifest.blobs.map((blob) => ({ ...blob, size: blob.size + 1 })) }),
        ...others,
      ],
    ],
    [
      'a manifest whose paths lead out',
      /`bundle.json` is invalid/,
      ([_first, ...others], manifest) => [
        manifestEntry({ ...manifest, files: [{ ...(manifest.files[0] ?? missing()), path: 'bin/../../evil' }] }),
        ...others,
      ],
    ],
    [
      'a manifest of another schema',
      /`bundle.json` is invalid/,
      ([_first, ...others], manifest) => [
        { ...entryOf('bundle.json', JSON.stringify({ ...manifest, schema: 2 })) },
        ...others,
      ],
    ],
  ];

  test.each(forged)('%s, even with correct sums', async (_what, message, forge) => {
    const demo = await makeDemo();
    const whole = await unpackTar(readFileSync(await packDemo(demo)), { strict: true });
    const manifest: BundleManifest = JSON.parse(textOf(whole[0]));
    const entries = whole.slice(0, -1).map(({ header, data }): TarEntry => ({ header, body: data ?? '' }));
    const forgedEntries = forge(entries, manifest);
    const archive = (await packTar(forgedEntries)).subarray(0, -1024);
    const tail = await tailOf(
      String(await bodyOf(forgedEntries[0])),
      new Bun.CryptoHasher('sha256').update(archive).digest('hex'),
    );
    const path = join(makeTempDir('forged'), 'b.tar');
    writeFileSync(path, Buffer.concat([archive, tail]));
    const refusal = await refusalOf(path, demo);
    expect(refusal.message).toMatch(message);
    expect(refusal.left).toEqual([]);
  });

  test('a path that is neither a file nor a directory', async () => {
    const { code, message } = await refusalOf('/dev/null', await makeDemo());
    expect({ code, message }).toEqual({ code: 'file.not-found', message: 'cannot find the bundle `/dev/null`' });
  });
});

describe('a bundle as a directory', () => {
  async function makeDirectory() {
    const demo = await makeDemo();
    const directory = makeTempDir('directory');
    writeBundleDirectory(await collectDemo(demo), directory, signal);
    return { demo, directory };
  }

  test('is unpacked, also after it was written twice', async () => {
    const { demo, directory } = await makeDirectory();
    writeBundleDirectory(await collectDemo(demo), directory, signal);
    const { stored } = await unpackDemo(directory, demo);
    expect(stored.length).toBe(2);
  });

  testUnless(whyNoProgram('tar'))('can be a bundle extracted by tar', async () => {
    const demo = await makeDemo();
    const directory = makeTempDir('directory');
    const file = join(directory, 'b.tar');
    await writeBundleFile(await collectDemo(demo), file, signal);
    const { exitCode } = Bun.spawnSync(['tar', '-xf', file], { cwd: directory });
    expect(exitCode).toBe(0);
    expect((await unpackDemo(directory, demo)).stored.length).toBe(2);
  });

  test.each([
    ['a manifest that was changed', 'bundle.json', (text: string) => text.replace('1.2.3', '1.2.4')],
    ['sums that were changed', 'SHA256SUMS', () => 'nothing'],
  ])('is rejected with %s', async (_what, name, change) => {
    const { demo, directory } = await makeDirectory();
    writeFileSync(join(directory, name), change(readFileSync(join(directory, name), 'utf8')));
    expect(await refusalOf(directory, demo)).toMatchObject({ code: 'install.bad-bundle', left: [] });
  });

  test('is rejected with a blob that was changed, truncated or removed, or is a link', async () => {
    const { demo, directory } = await makeDirectory();
    const { manifest } = await collectDemo(demo);
    const name = manifest.blobs[1]?.path ?? '';
    const whole = readFileSync(join(directory, name));
    const damage: readonly ((path: string) => void)[] = [
      (path) => writeFileSync(path, Buffer.concat([whole.subarray(1), Buffer.alloc(1)])),
      (path) => writeFileSync(path, whole.subarray(1)),
      () => undefined,
      (path) => symlinkSync(join(directory, name), path),
    ];
    for (const change of damage) {
      const copy = makeTempDir('copy');
      cpSync(directory, copy, { recursive: true });
      rmSync(join(copy, name));
      change(join(copy, name));
      expect((await refusalOf(copy, demo)).left).toEqual([]);
    }
  });
});

function textOf(entry: { readonly data?: Uint8Array | undefined } | undefined): string {
  return Buffer.from(entry?.data ?? []).toString('utf8');
}

function entryOf(name: string, text: string): TarEntry {
  return { header: { name, size: Buffer.byteLength(text), type: 'file', mtime: new Date(0) }, body: text };
}

function manifestEntry(manifest: BundleManifest): TarEntry {
  return entryOf('bundle.json', renderManifest(manifest));
}

async function bodyOf(entry: TarEntry | undefined): Promise<string> {
  return entry?.body instanceof Uint8Array ? Buffer.from(entry.body).toString('utf8') : String(entry?.body);
}

function missing(): never {
  throw new Error('There is no such entry');
}

function artifact(integrity: string) {
  return { title: '', integrity, sizeBytes: undefined, origin: { kind: 'url', url: '' } } as const;
}
