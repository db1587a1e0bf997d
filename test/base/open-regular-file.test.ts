import { describe, expect, test } from 'bun:test';
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inDirectory } from '../../src/base/in-directory.ts';
import {
  type LinkRule,
  openRegularFile,
  RefusedFile,
  readingFlags,
  readRegularFile,
  requireOpenedAt,
} from '../../src/base/open-regular-file.ts';
import { isSamePath } from '../../src/base/paths.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const isWindows = process.platform === 'win32';

/** Returns the text of a file, or why it was refused. */
function read(root: string, path: string, links: LinkRule = 'none', maxBytes = 100): string {
  try {
    return readRegularFile({ root, path, links }, maxBytes).toString();
  } catch (error) {
    if (error instanceof RefusedFile) return `refused: ${error.reason}`;
    throw error;
  }
}

describe('readRegularFile()', () => {
  test('reads regular files up to the limit', () => {
    const { root } = makeWorkspace({ 'a.txt': 'a', 'sub/b.txt': '0123456789', empty: '' });
    expect([read(root, 'a.txt'), read(root, 'empty'), read(root, 'sub/b.txt', 'none', 10)]).toEqual([
      'a',
      '',
      '0123456789',
    ]);
    expect(read(root, 'sub/b.txt', 'none', 9)).toBe('refused: too-large');
    expect(read(root, 'sub')).toBe('refused: directory');
    expect(() => read(root, 'none')).toThrow('ENOENT');
  });

  test.each([
    ['a link to a file', 'link.txt', ['refused: link', 'inside', 'inside']],
    ['a file below a linked directory', 'directory/a.txt', ['refused: link', 'inside', 'inside']],
    ['a link out of the root', 'out.txt', ['refused: link', 'refused: outside', 'outside']],
    ['a file below a directory outside', 'away/a.txt', ['refused: link', 'refused: outside', 'outside']],
    ['a path that leaves the root', '../elsewhere/a.txt', ['refused: outside', 'refused: outside', 'outside']],
  ])('follows no links, links inside the root, or all links: %s', (_, path, expected) => {
    const { root } = makeWorkspace({ 'project/real/a.txt': 'inside', 'elsewhere/a.txt': 'outside' });
    const project = join(root, 'project');
    symlinkSync('real/a.txt', join(project, 'link.txt'));
    symlinkSync('real', join(project, 'directory'));
    symlinkSync('../elsewhere/a.txt', join(project, 'out.txt'));
    symlinkSync(join(root, 'elsewhere'), join(project, 'away'));
    expect((['none', 'inside', 'any'] as const).map((links) => read(project, path, links))).toEqual(expected);
  });

  testUnless(isWindows ? 'Windows has no such files' : undefined)('refuses pipes, devices and sockets', async () => {
    const root = makeTempDir();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    symlinkSync('/dev/zero', join(root, 'zero'));
    const server = createServer().listen(join(root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect([read(root, 'pipe'), read(root, 'zero', 'any'), read(root, 'socket'), read('/', 'dev/zero')]).toEqual(
      Array.from({ length: 4 }, () => 'refused: special'),
    );
    server.close();
  });

  testUnless(process.platform === 'linux' ? undefined : 'only Linux has such files')(
    'stops at the limit in a file that reports no size',
    () => {
      expect(read('/', `proc/${process.pid}/mountinfo`, 'none', 10)).toBe('refused: too-large');
      expect(read('/', 'proc/self/comm', 'any', 1000)).not.toBe('');
    },
  );

  testUnless(isWindows ? 'it needs POSIX rename semantics' : undefined)(
    'never leaves the root while a directory is swapped with a link out of it',
    async () => {
      const { root } = makeWorkspace({ 'project/dir/a.txt': 'inside', 'elsewhere/a.txt': 'outside' });
      const project = join(root, 'project');
      symlinkSync(join(root, 'elsewhere'), join(project, 'link'));
      const flip = `const { renameSync: r } = require('node:fs'); process.chdir(${JSON.stringify(project)});
        for (;;) { r('dir', 'aside'); r('link', 'dir'); r('dir', 'link'); r('aside', 'dir'); process.stdout.write('.'); }`;
      const child = spawn(process.execPath, ['-e', flip], { stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      child.stdout.resume();
      const seen = new Map<string, number>();
      const wasRefused = () => [...seen.keys()].some((key) => key.startsWith('refused'));
      // On a busy machine the other process may stand still for a long time.
      for (let index = 0; index < 20_000 || !seen.has('inside') || !wasRefused(); index++) {
        for (const links of ['none', 'inside'] as const) {
          const found = tryRead(project, links);
          seen.set(found, (seen.get(found) ?? 0) + 1);
        }
      }
      child.kill('SIGKILL');
      expect(seen.get('outside')).toBeUndefined();
    },
  );
});

function tryRead(root: string, links: LinkRule): string {
  try {
    return read(root, 'dir/a.txt', links);
  } catch (error) {
    return String(error);
  }
}

test('openRegularFile() opens a file with several names, even if it is renamed afterwards', () => {
  const root = makeTempDir();
  mkdirSync(join(root, 'sub'));
  writeFileSync(join(root, 'a'), 'text');
  linkSync(join(root, 'a'), join(root, 'sub/b'));
  const { fd, realPath, stats } = openRegularFile({ root, path: 'sub/b', links: 'none' });
  renameSync(join(root, 'sub/b'), join(root, 'c'));
  expect([realPath, stats.size]).toEqual([join(root, 'sub/b'), 4]);
  closeSync(fd);
});

describe('readingFlags()', () => {
  /** Of Darwin; its kernel refuses to open anything with `O_NOFOLLOW_ANY` and either of the others: EINVAL. */
  const darwin = { O_NOFOLLOW: 0x100, O_SYMLINK: 0x20_0000, O_NOFOLLOW_ANY: 0x2000_0000 };
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

  testUnless(isWindows ? 'Windows has no such flags' : undefined)('are those of the platform', () => {
    expect(readingFlags('darwin')).toBe(O_RDONLY | O_NONBLOCK | darwin.O_NOFOLLOW_ANY);
    expect(readingFlags('linux')).toBe(O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    expect(readingFlags('win32')).toBe(O_RDONLY);
  });

  test('never combine `O_NOFOLLOW_ANY` with `O_NOFOLLOW` or `O_SYMLINK`', () => {
    for (const platform of ['darwin', 'linux', 'win32', 'freebsd'] as const) {
      const flags = readingFlags(platform);
      const hasAny = (flags & darwin.O_NOFOLLOW_ANY) !== 0;
      expect([platform, hasAny]).toEqual([platform, platform === 'darwin']);
      if (hasAny) expect(flags & (O_NOFOLLOW | darwin.O_NOFOLLOW | darwin.O_SYMLINK)).toBe(0);
    }
  });
});

describe.each(['linux', 'darwin', 'win32'] as const)('requireOpenedAt() as on %s', (platform) => {
  test('accepts the file at its path, and refuses another one and a path through a link', () => {
    const { root } = makeWorkspace({ 'dir/a.txt': 'a', 'dir/b.txt': 'b' });
    symlinkSync('dir', join(root, 'link'));
    const { fd } = openRegularFile({ root, path: 'dir/a.txt', links: 'none' });
    requireOpenedAt(fd, join(root, 'dir/a.txt'), platform);
    expect(() => requireOpenedAt(fd, join(root, 'dir/b.txt'), platform)).toThrow(RefusedFile);
    expect(() => requireOpenedAt(fd, join(root, 'link/a.txt'), platform)).toThrow(RefusedFile);
    closeSync(fd);
  });
});

describe.each(['linux', 'darwin', 'win32'] as const)('inDirectory() as on %s', (platform) => {
  test('gives the paths of entries, and refuses a link', () => {
    const { root } = makeWorkspace({ 'dir/a.txt': 'a' });
    symlinkSync('dir', join(root, 'link'));
    const readIn = (directory: string) =>
      inDirectory(join(root, directory), (pathOf) => readFileSync(pathOf('a.txt'), 'utf8'), platform);
    expect(readIn('dir')).toBe('a');
    expect(() => readIn('link')).toThrow(RefusedFile);
  });
});

test('isSamePath() ignores case and normalization, as the file system of macOS does', () => {
  expect(isSamePath('/p/caf\u00e9.py', '/p/Cafe\u0301.PY')).toBe(true);
  expect(isSamePath('/p/cafe.py', '/p/caf\u00e9.py')).toBe(false);
});
