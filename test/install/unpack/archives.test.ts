import { describe, expect, test } from 'bun:test';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import { ExpectedError } from '../../../src/base/errors.ts';
import type { UnpackKind } from '../../../src/install/source/artifact.ts';
import { place } from '../../../src/install/unpack/place.ts';
import { Tree } from '../../../src/install/unpack/tree.ts';
import { rejection } from '../../support/rejection.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { fileEntry } from '../registry.ts';
import { type ZipEntry, zipOf } from './zip-writer.ts';

const file = 0o100644;
const program = 0o100755;
const symlink = 0o120777;

/** Unpacks `archive` into a new directory inside a new directory, and returns both. */
async function unpacked(
  archive: Uint8Array,
  unpack: UnpackKind,
  { strip = 0, dest = '', isProgram = false, isWheel = false } = {},
): Promise<{ directory: string; outside: string }> {
  const { outside, directory, failure } = await tried(archive, unpack, { strip, dest, isProgram, isWheel });
  if (failure !== undefined) throw failure;
  return { directory, outside };
}

async function tried(
  archive: Uint8Array,
  unpack: UnpackKind,
  { strip = 0, dest = '', isProgram = false, isWheel = false } = {},
): Promise<{ directory: string; outside: string; failure: unknown }> {
  const outside = makeTempDir('outside');
  const directory = join(outside, 'in', 'directory');
  const path = join(makeTempDir(), 'archive');
  writeFileSync(path, archive);
  const { signal } = new AbortController();
  const job = {
    id: 'demo',
    title: 'demo 1',
    home: outside,
    staging: directory,
    scratch: directory,
    directory,
    env: {},
    signal,
  };
  const origin = isWheel
    ? ({ kind: 'pypi', name: 'demo', version: '1', file: 'demo.whl' } as const)
    : ({ kind: 'url', url: 'https://example.org/demo' } as const);
  const artifact = { title: 'demo.archive', integrity: '', sizeBytes: undefined, origin };
  const placing = place({ artifact, unpack, dest, strip, isProgram }, path, { ...job, report: () => undefined });
  const failure = await placing.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { directory, outside, failure };
}

async function tarGz(entries: readonly TarEntry[]): Promise<Uint8Array> {
  return gzipSync(await packTar(entries));
}

function link(name: string, linkname: string, type: 'symlink' | 'link' = 'symlink'): TarEntry {
  return { header: { name, size: 0, type, linkname } };
}

/** Returns everything below `directory`, by relative path. */
function list(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory, { recursive: true }).map(String).sort() : [];
}

describe.each(['zip', 'tar', 'tar.gz'] as const)('a %s archive', (kind) => {
  const make = async (names: readonly (readonly [name: string, text: string, mode?: number])[]) => {
    if (kind === 'zip') return zipOf(names.map(([name, data, mode = file]) => ({ name, data, mode })));
    const tar = await packTar(names.map(([name, text, mode]) => fileEntry(name, text, (mode ?? file) & 0o7777)));
    return kind === 'tar' ? tar : gzipSync(tar);
  };

  test('is unpacked without its top directories, and keeps only the execute bits of modes', async () => {
    const archive = await make([
      ['top/bin/run', 'run', 0o104711],
      ['top/lib/deep/ünï.txt', 'text', 0o100666],
      ['top/empty', ''],
      ['readme', 'left away'],
    ]);
    const { directory } = await unpacked(archive, kind, { strip: 1, dest: 'sub/directory' });
    const at = (path: string) => join(directory, 'sub/directory', path);
    expect(readFileSync(at('lib/deep/ünï.txt'), 'utf8')).toBe('text');
    expect(statSync(at('bin/run')).mode & 0o7777).toBe(0o755 & ~process.umask());
    expect(statSync(at('lib/deep/ünï.txt')).mode & 0o7777).toBe(0o644 & ~process.umask());
    expect(statSync(at('empty')).size).toBe(0);
    expect(list(directory)).not.toContain('sub/directory/readme');
  });

  test.each([
    ['goes up', '../evil'],
    ['goes up from within', 'a/../../evil'],
    ['goes up at its end', 'a/..'],
    ['is absolute', '/tmp/evil-of-serena-tests'],
    ['names a drive', 'C:/evil'],
    ['names a drive without a slash', 'c:evil'],
    ['uses backslashes', '..\\evil'],
    ['has an empty component', 'a//evil'],
    ['is a device on Windows', 'a/NUL.txt'],
    ['is a port on Windows', 'com1'],
    ['ends with a dot', 'a./evil'],
    ['ends with a space', 'a/evil '],
    ['has a control character', 'a/ev\u0007il'],
    ['has a line break', 'a/ev\nil'],
    ['repeats another', 'ok'],
    ['repeats another in upper case', 'OK'],
    ['repeats another in another Unicode form', 'u\u0308'],
    ['is below a file', 'ok/evil'],
    ['is a file where a directory is', 'dir'],
  ])('is rejected if a name %s', async (_what, name) => {
    const archive = await make([
      ['ok', ''],
      ['ü', ''],
      ['dir/x', ''],
      [name, 'evil'],
    ]);
    const { directory, outside, failure } = await tried(archive, kind);
    expect(failure).toBeInstanceOf(ExpectedError);
    expect(String(failure)).toContain('demo.archive');
    expect(list(outside).filter((path) => path.includes('evil'))).toEqual([]);
    expect(existsSync('/tmp/evil-of-serena-tests')).toBe(false);
    // In a zip all names are known before the first file is written.
    if (kind === 'zip') expect(list(directory)).toEqual([]);
  });

  test('is rejected if it is truncated', async () => {
    const archive = await make([['a', 'x'.repeat(3000)]]);
    for (const length of [10, archive.length / 2, archive.length - (kind === 'tar' ? 1200 : 8)]) {
      expect((await tried(archive.subarray(0, length), kind)).failure).toBeInstanceOf(ExpectedError);
    }
  });

  test('is rejected if it has another format', async () => {
    const { failure } = await tried(Buffer.from('junk'.repeat(500)), kind);
    expect(failure).toBeInstanceOf(ExpectedError);
  });
});

describe('links', () => {
  const inZip = (name: string, target: string): ZipEntry => ({ name, data: target, mode: symlink });

  test('to entries of the archive are kept, also before their target and through other links', async () => {
    const entries = [
      link('jre/current', 'v1'),
      link('jre/bin/java', '../current/java'),
      link('jre/self', '.'),
      fileEntry('jre/v1/java', 'java', program),
      link('jre/nothing', 'missing'),
    ];
    const asZip = zipOf([
      inZip('jre/current', 'v1'),
      inZip('jre/bin/java', '../current/java'),
      inZip('jre/self', '.'),
      { name: 'jre/v1/java', data: 'java', mode: program },
      inZip('jre/nothing', 'missing'),
    ]);
    for (const { directory } of [await unpacked(await tarGz(entries), 'tar.gz'), await unpacked(asZip, 'zip')]) {
      expect(readlinkSync(join(directory, 'jre/bin/java'))).toBe('../current/java');
      expect(readFileSync(join(directory, 'jre/bin/java'), 'utf8')).toBe('java');
      expect(lstatSync(join(directory, 'jre/self')).isSymbolicLink()).toBe(true);
      expect(lstatSync(join(directory, 'jre/nothing'), { throwIfNoEntry: false })).toBeUndefined();
    }
  });

  test('that are hard become copies', async () => {
    const archive = await tarGz([fileEntry('top/a', 'text'), link('top/b', 'top/a', 'link')]);
    const { directory } = await unpacked(archive, 'tar.gz', { strip: 1 });
    expect(readFileSync(join(directory, 'b'), 'utf8')).toBe('text');
    expect(lstatSync(join(directory, 'b')).ino).not.toBe(lstatSync(join(directory, 'a')).ino);
  });

  test.each([
    ['up', [link('l', '../x')]],
    ['up from within', [link('a/l', '../../x')]],
    ['to an absolute path', [link('l', '/etc/passwd')]],
    ['to a drive', [link('l', 'c:\\x')]],
    ['to nowhere', [link('l', '')]],
    ['up through a second one', [fileEntry('a/b/c', ''), link('a/l', 'b'), link('m', 'a/l/../../../x')]],
    ['up in two steps', [fileEntry('a/b/c', ''), link('d', 'a/b'), link('e', 'd/../..'), link('f', 'e/../../outside')]],
    ['hard to a file outside', [link('l', '../../secret', 'link')]],
    ['hard to an absolute path', [link('l', '/etc/passwd', 'link')]],
    ['hard to a link', [fileEntry('a', ''), link('s', 'a'), link('l', 's', 'link')]],
    ['to a directory that a later file is in', [link('d', '..'), fileEntry('d/evil', 'x')]],
    ['in place of a file', [fileEntry('a', ''), link('a', 'b')]],
    ['in place of a directory', [fileEntry('a/b', ''), link('a', 'c')]],
  ])('that lead %s are rejected', async (_what, entries) => {
    const outside = makeTempDir();
    writeFileSync(join(outside, 'secret'), '');
    const { failure, outside: around } = await tried(await tarGz(entries), 'tar.gz');
    expect(failure).toBeInstanceOf(ExpectedError);
    expect(list(around).filter((path) => path.includes('evil'))).toEqual([]);
    const soft = entries.filter(({ header }) => header.type !== 'link');
    if (soft.length < entries.length) return;
    const zip = zipOf(
      soft.map(({ header }) => ({
        name: header.name,
        data: header.linkname ?? '',
        mode: header.linkname === undefined ? file : symlink,
      })),
    );
    expect((await tried(zip, 'zip')).failure).toBeInstanceOf(ExpectedError);
  });
});

test.each(['character-device', 'block-device', 'fifo'] as const)('a %s is rejected', async (type) => {
  const { failure, directory } = await tried(await tarGz([{ header: { name: 'd', size: 0, type } }]), 'tar.gz');
  expect(String(failure)).toContain(type);
  expect(list(directory)).toEqual([]);
});

describe('a zip archive with inconsistent or unsupported data', () => {
  test.each<readonly [string, ZipEntry]>([
    ['names', { name: 'a', localName: 'b', data: 'x' }],
    ['sizes', { name: 'a', localSize: 5, data: 'x' }],
    ['the size and the content', { name: 'a', claimedSize: 2, data: 'xxxxx' }],
    ['a size that is too large', { name: 'a', claimedSize: 50, data: 'xxxxx' }],
    ['the checksum and the content', { name: 'a', crc: 1, data: 'x' }],
    ['that it is encrypted', { name: 'a', flags: 1, data: 'x' }],
    ['an unknown compression method', { name: 'a', method: 99, data: 'x' }],
    ['a file that is a directory', { name: 'a', mode: 0o040755, data: 'x' }],
    ['a directory that is a file', { name: 'a/', mode: file, data: '' }],
    ['a device', { name: 'a', mode: 0o020666 }],
    ['a pipe', { name: 'a', mode: 0o010666 }],
  ])(': %s is rejected', async (_what, entry) => {
    const { failure, directory } = await tried(zipOf([entry]), 'zip');
    expect(failure).toBeInstanceOf(ExpectedError);
    expect(list(directory).filter((path) => statSync(join(directory, path)).size > 5)).toEqual([]);
  });
});

describe('a decompression bomb', () => {
  const zeros = Buffer.alloc(64e6);

  test.each([
    ['gzip', 'gz', () => gzipSync(zeros)],
    [
      'tar',
      'tar.gz',
      async () =>
        gzipSync(await packTar([fileEntry('a', 'x'), { header: { name: 'b', size: zeros.length }, body: zeros }])),
    ],
    ['zip', 'zip', () => zipOf([{ name: 'a', data: zeros }])],
    [
      'zip of many',
      'zip',
      () => zipOf(Array.from({ length: 40 }, (_, index) => ({ name: `a${index}`, data: zeros.subarray(0, 2e6) }))),
    ],
    ['zip with a wrong size', 'zip', () => zipOf([{ name: 'a', data: zeros, claimedSize: 100 }])],
  ] as const)('made of %s is refused before it has grown', async (_what, kind, make) => {
    const { failure, directory } = await tried(await make(), kind, { dest: kind === 'gz' ? 'a' : '' });
    expect(failure).toBeInstanceOf(ExpectedError);
    const written = list(directory).reduce((sum, path) => sum + statSync(join(directory, path)).size, 0);
    expect(written).toBeLessThan(32e6);
  });

  testUnless(whyNoProgram('bzip2') ?? whyNoProgram('xz'))('in bzip2 or xz is rejected before it expands', async () => {
    const tar = join(makeTempDir(), 'a.tar');
    writeFileSync(tar, await packTar([{ header: { name: 'b', size: zeros.length }, body: zeros }]));
    for (const [tool, kind] of [
      ['bzip2', 'tar.bz2'],
      ['xz', 'tar.xz'],
    ] as const) {
      const { failure, directory } = await tried(Bun.spawnSync([tool, '-c', tar]).stdout, kind);
      expect(String(failure)).toContain('bomb');
      expect(list(directory).reduce((sum, path) => sum + statSync(join(directory, path)).size, 0)).toBeLessThan(32e6);
    }
  });

  test('with too many entries or bytes is rejected', () => {
    const what = { what: 'demo', directory: makeTempDir(), strip: 0 };
    const few = new Tree({ ...what, limits: { maxEntries: 2, maxBytes: 100 } });
    few.claim('a', 'file');
    few.claim('b', 'file');
    expect(() => few.claim('c', 'file')).toThrow('more than 2 entries');
    const open = few.openFile('a', { isProgram: false });
    open.write(new Uint8Array(100));
    expect(() => open.write(new Uint8Array(1))).toThrow('more than 100 bytes');
    open.close();
  });
});

describe('other kinds', () => {
  testUnless(whyNoProgram('bzip2') ?? whyNoProgram('xz'))(
    'tar.xz and tar.bz2 are unpacked, and rejected if truncated',
    async () => {
      const tar = join(makeTempDir(), 'a.tar');
      const text = 'text '.repeat(40_000) + crypto.randomUUID();
      writeFileSync(tar, await packTar([fileEntry('bin/run', text, program)]));
      for (const [tool, kind] of [
        ['bzip2', 'tar.bz2'],
        ['xz', 'tar.xz'],
      ] as const) {
        const packed = Bun.spawnSync([tool, '-c', tar]).stdout;
        const { directory } = await unpacked(packed, kind);
        expect(readFileSync(join(directory, 'bin/run'), 'utf8')).toBe(text);
        expect((await tried(packed.subarray(0, packed.length / 2), kind)).failure).toBeInstanceOf(ExpectedError);
        expect((await tried(Buffer.from('junk'.repeat(99)), kind)).failure).toBeInstanceOf(ExpectedError);
      }
    },
  );

  test('a single file becomes the program', async () => {
    for (const [archive, kind] of [
      [gzipSync('run'), 'gz'],
      [Buffer.from('run'), 'raw'],
    ] as const) {
      const { directory } = await unpacked(archive, kind, { dest: 'bin/demo', isProgram: true });
      expect(readFileSync(join(directory, 'bin/demo'), 'utf8')).toBe('run');
      expect(statSync(join(directory, 'bin/demo')).mode & 0o111).not.toBe(0);
    }
  });

  test('a wheel is unpacked for importing, and its scripts are programs', async () => {
    const wheel = zipOf([
      { name: 'demo/__init__.py', data: 'x' },
      { name: 'demo-1.data/scripts/demo', data: '#!python' },
      { name: 'demo-1.data/purelib/more/a.py', data: 'a' },
      { name: 'demo-1.data/platlib/native.py', data: 'n' },
      { name: 'demo-1.data/headers/demo.h', data: 'h' },
      { name: 'demo-1.dist-info/RECORD', data: '' },
    ]);
    const { directory } = await unpacked(wheel, 'zip', { isWheel: true });
    const files = list(directory).filter((path) => statSync(join(directory, path)).isFile());
    expect(files).toEqual(['bin/demo', 'demo-1.dist-info/RECORD', 'demo/__init__.py', 'more/a.py', 'native.py']);
    expect(statSync(join(directory, 'bin/demo')).mode & 0o111).not.toBe(0);
    const sneaky = zipOf([
      { name: 'demo-1.data/purelib/x', data: 'x' },
      { name: 'x', data: 'y' },
    ]);
    expect(await rejection(unpacked(sneaky, 'zip', { isWheel: true }))).toContain('same name');
  });
});
