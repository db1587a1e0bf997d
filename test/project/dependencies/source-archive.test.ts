import { expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SourceArchive } from '../../../src/project/dependencies/source-archive.ts';
import { makeZip } from '../../support/archives.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';

const signal = new AbortController().signal;
const files = { 'a/A.java': 'class A {}\n', 'a/b/B.java': 'class B extends A {}\n', 'a/notes.txt': 'class A' };

const root = makeTempDir('archive');

function open(bytes: Uint8Array): SourceArchive {
  writeFileSync(join(root, 'a.zip'), bytes);
  return new SourceArchive({ root, path: 'a.zip', links: 'inside' }, 'a test');
}

async function expectContent(archive: SourceArchive): Promise<void> {
  const find = (literal: string, below = '') => archive.containing(literal, { below, extensions: ['.java'] }, signal);
  expect(await find('class')).toEqual(['a/A.java', 'a/b/B.java']);
  expect(await find('extends')).toEqual(['a/b/B.java']);
  expect(await find('class', 'a/b')).toEqual(['a/b/B.java']);
  expect(await find('class', 'a/A')).toEqual([]);
  expect(archive.read('a/A.java').toString()).toBe(files['a/A.java']);
  expect([archive.has('a/b'), archive.hasDirectory('a/b'), archive.hasDirectory('a/B')]).toEqual([false, true, false]);
}

test('files of an archive are found and read', () => expectContent(open(makeZip(files))));

const whyNoJar = whyNoProgram('jar');

testUnless(whyNoJar)('also of one that `jar` compressed', async () => {
  const directory = makeTempDir('jar');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  execFileSync('jar', ['cf', 'a.jar', 'a'], { cwd: directory });
  await expectContent(new SourceArchive({ root: directory, path: 'a.jar', links: 'inside' }, 'a test'));
});

test('names that could not be parts of addresses are left out', () => {
  const names = ['../A.java', '/A.java', 'a//A.java', './A.java', 'a\\A.java', 'a\nA.java', '<A>.java', 'a/'];
  const archive = open(makeZip({ ...files, ...Object.fromEntries(names.map((name) => [name, 'class A {}'])) }));
  expect(names.filter((name) => archive.has(name))).toEqual([]);
});

test('a broken archive is refused, wherever it is broken', async () => {
  const whole = makeZip(files);
  let accepted = 0;
  for (let at = 0; at < whole.length; at++) {
    for (const change of [0xff, 0x00]) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = change;
      try {
        const archive = open(bytes);
        for (const name of Object.keys(files)) if (archive.has(name)) archive.read(name);
        await archive.containing('class', { below: '', extensions: ['.java'] }, signal);
        accepted++;
      } catch (error) {
        expect(error).toMatchObject({ code: 'file.unreadable' });
      }
    }
  }
  // Most bytes are those of names, texts and dates.
  expect(accepted).toBeGreaterThan(0);
  for (const bytes of [new Uint8Array(0), whole.slice(0, 40), whole.slice(-22)]) {
    expect(() => open(bytes)).toThrow('cannot read the sources of a test: the archive is broken');
  }
});
