import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import { isExpected } from '../../../src/base/errors.ts';
import { unpackTarball } from '../../../src/install/unpack/npm-tarball.ts';
import { rejection } from '../../support/rejection.ts';
import { makeTempDir } from '../../support/temp.ts';
import { fileEntry, tarballOf } from '../registry.ts';

const signal = new AbortController().signal;

describe('unpackTarball()', () => {
  test('strips the top directory, whatever its name, and writes empty and long-named files', async () => {
    const directory = join(makeTempDir(), 'new');
    const long = `${'long-name/'.repeat(20)}file.js`;
    const entries: TarEntry[] = [
      { header: { name: 'node/', size: 0, type: 'directory' } },
      fileEntry('node/a.js', 'a'),
      fileEntry('node/empty', ''),
      fileEntry('node/./empty', ''),
      fileEntry(`node/${long}`, 'deep'),
      fileEntry('node/ünïcode.txt', 'u'),
    ];
    const written = await unpackTarball(await tarballOf(entries), { what: 'x@1', directory, signal });
    expect(written).toEqual({ files: 4, sizeBytes: 6 });
    expect(readFileSync(join(directory, 'a.js'), 'utf8')).toBe('a');
    expect(readFileSync(join(directory, 'empty'), 'utf8')).toBe('');
    expect(readFileSync(join(directory, long), 'utf8')).toBe('deep');
    expect(readFileSync(join(directory, 'ünïcode.txt'), 'utf8')).toBe('u');
  });

  test('reports progress and yields', async () => {
    const entries = Array.from({ length: 3000 }, (_, index) => fileEntry(`p/d${index % 50}/f${index}`, 'x'));
    const seen: number[] = [];
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 1);
    await unpackTarball(await tarballOf(entries), {
      what: 'x@1',
      directory: makeTempDir(),
      signal,
      onFiles: (written, total) => void (total === 3000 && seen.push(written)),
    });
    clearInterval(ticking);
    expect(seen.at(-1)).toBe(3000);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(ticks).toBeGreaterThanOrEqual(seen.length - 1);
  });

  const refused: readonly (readonly [string, TarEntry])[] = [
    ['goes up', fileEntry('p/../../evil', '')],
    ['goes up at its end', fileEntry('p/lib/..', '')],
    ['starts with the parent', fileEntry('../p/evil', '')],
    ['is absolute', fileEntry('/etc/evil', '')],
    ['names a drive', fileEntry('C:/evil', '')],
    ['uses backslashes', fileEntry('p\\..\\evil', '')],
    ['has an empty component', fileEntry('p//evil', '')],
    ['goes up after a dot', fileEntry('p/./../../evil', '')],
    ['repeats another with a dot', fileEntry('p/./ok.js', 'x')],
    ['is a device on Windows', fileEntry('p/lib/NUL.js', '')],
    ['ends with a dot', fileEntry('p/lib./a', '')],
    ['ends with a space', fileEntry('p/a ', '')],
    ['is beside the top directory', fileEntry('evil', '')],
    ['repeats another', fileEntry('p/ok.js', 'x')],
    ['repeats another in upper case', fileEntry('p/OK.js', '')],
    ['is a symbolic link', { header: { name: 'p/l', size: 0, type: 'symlink', linkname: 'ok.js' } }],
    ['is a hard link', { header: { name: 'p/l', size: 0, type: 'link', linkname: 'p/ok.js' } }],
    ['is a device', { header: { name: 'p/d', size: 0, type: 'character-device' } }],
    ['is a pipe', { header: { name: 'p/f', size: 0, type: 'fifo' } }],
    ['is a directory that goes up', { header: { name: 'p/../../d/', size: 0, type: 'directory' } }],
    ['hides its path in an extended header', { header: { name: 'p/x', size: 0, pax: { path: '../../evil' } } }],
  ];

  test.each(refused)('refuses an archive in which an entry %s, before anything is written', async (_what, entry) => {
    const directory = makeTempDir();
    const tarball = await tarballOf([fileEntry('p/ok.js', ''), entry]);
    const error = await unpackTarball(tarball, { what: 'x@1', directory, signal }).catch((reason: unknown) => reason);
    expect(isExpected(error, 'install.failed')).toBe(true);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('refuses a name with a NUL', async () => {
    const directory = makeTempDir();
    const tarball = await tarballOf([{ header: { name: 'p/x', size: 0, pax: { path: 'p/a\0b' } } }]);
    expect(await rejection(unpackTarball(tarball, { what: 'x@1', directory, signal }))).toContain('x@1');
    expect(readdirSync(directory)).toEqual([]);
  });

  test.each([
    ['a file that is not a gzip', async () => Buffer.from('junk')],
    ['a truncated gzip', async () => (await tarballOf([fileEntry('p/a', 'a'.repeat(5000))])).subarray(0, 60)],
    ['a truncated archive', async () => gzipSync((await packTar([fileEntry('p/a', 'abc')])).subarray(0, 514))],
    [
      'a truncated file in an archive',
      async () => gzipSync((await packTar([fileEntry('p/a', 'x'.repeat(2000))])).subarray(0, 1024)),
    ],
  ])('refuses %s', async (_what, make) => {
    const directory = makeTempDir();
    const unpacked = unpackTarball(await make(), { what: 'x@1', directory, signal });
    expect(await rejection(unpacked)).toContain('cannot unpack `x@1`');
    expect(readdirSync(directory)).toEqual([]);
  });
});
