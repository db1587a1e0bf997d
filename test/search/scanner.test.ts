import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isExpected } from '../../src/base/errors.ts';
import type { ScanScope } from '../../src/search/scan-protocol.ts';
import { Scanner, type ScannerOptions } from '../../src/search/scanner.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);

function scannerOf(workspace: Workspace, options: Partial<ScannerOptions> = {}): Scanner {
  const defaults = {
    links: 'inside' as const,
    ignoredPaths: [],
    useGitignore: true,
    encoding: 'utf-8',
    deadlineMs: 10_000,
  };
  return new Scanner({ workerUrl, root: workspace.root, ...defaults, ...options });
}

async function paths(scanner: Scanner, scope: ScanScope = {}): Promise<string[]> {
  return (await scanner.listFiles(scope)).map(({ path }) => path);
}

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
  } catch (error) {
    return isExpected(error) ? error.code : String(error);
  }
}

describe('Scanner.listFiles()', () => {
  const files = {
    '.gitignore': 'build/\n',
    'a.py': '',
    'a-b/c.py': '',
    'a/b.py': '',
    'a/b.ts': '',
    'build/gen.py': '',
    'node_modules/m/index.js': '',
    'web/tsconfig.json': '',
    '.git/HEAD': '',
  };

  test('sorts by code units and omits ignored files', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    const expected = [
      '.gitignore',
      'a-b/c.py',
      'a.py',
      'a/b.py',
      'a/b.ts',
      'node_modules/m/index.js',
      'web/tsconfig.json',
    ];
    expect(await paths(scanner)).toEqual(expected);
  });

  test('respects extensions, `under` and pruned directories', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    expect(await paths(scanner, { extensions: ['.py', 'tsconfig.json'] })).toEqual([
      'a-b/c.py',
      'a.py',
      'a/b.py',
      'web/tsconfig.json',
    ]);
    expect(await paths(scanner, { under: 'a' })).toEqual(['a/b.py', 'a/b.ts']);
    expect(await paths(scanner, { pruneDirectories: ['node_modules', 'a'], extensions: ['.js', '.ts'] })).toEqual([]);
  });

  test('includes an explicit path whatever the ignore rules are', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    expect(await paths(scanner, { under: 'build' })).toEqual(['build/gen.py']);
    expect(await paths(scanner, { under: 'build/gen.py', extensions: ['.ts'] })).toEqual(['build/gen.py']);
    expect(await paths(scanner, { under: 'node_modules', pruneDirectories: ['node_modules'] })).toEqual([
      'node_modules/m/index.js',
    ]);
    expect(await paths(scanner, { includeIgnored: true })).toContain('.git/HEAD');
  });

  test('reports a path that does not exist', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    expect(await codeOf(scanner.listFiles({ under: 'nope' }))).toBe('file.not-found');
    expect(await codeOf(scanner.listFiles({ under: 'a.py/x' }))).toBe('file.not-found');
  });

  test('finds nothing in an empty project', async () => {
    await using scanner = scannerOf(makeWorkspace({}));
    expect(await paths(scanner)).toEqual([]);
    expect(await scanner.extensionCounts()).toEqual({});
  });

  const isRoot = process.getuid?.() === 0;
  testUnless(isRoot ? 'permissions do not bind root' : undefined)('skips a directory that cannot be read', async () => {
    const workspace = makeWorkspace({ 'a/x': '', 'b/y': '' });
    chmodSync(workspace.path('a'), 0);
    await using scanner = scannerOf(workspace);
    expect(await paths(scanner)).toEqual(['b/y']);
    chmodSync(workspace.path('a'), 0o755);
  });

  test('detects files that are created, moved, removed and ignored between two requests', async () => {
    const workspace = makeWorkspace({ 'a/x.py': '', 'b/y.py': '' });
    await using scanner = scannerOf(workspace);
    expect(await paths(scanner)).toEqual(['a/x.py', 'b/y.py']);
    workspace.write('a/new/z.py', '');
    expect(await paths(scanner)).toEqual(['a/new/z.py', 'a/x.py', 'b/y.py']);
    workspace.move('a', 'c');
    expect(await paths(scanner)).toEqual(['b/y.py', 'c/new/z.py', 'c/x.py']);
    workspace.write('c/.gitignore', 'new/\n');
    expect(await paths(scanner, { extensions: ['.py'] })).toEqual(['b/y.py', 'c/x.py']);
    workspace.write('c/.gitignore', '*.py\n');
    expect(await paths(scanner, { extensions: ['.py'] })).toEqual(['b/y.py']);
    workspace.remove('c/.gitignore');
    workspace.remove('b');
    expect(await paths(scanner)).toEqual(['c/new/z.py', 'c/x.py']);
  });

  test('detects that a directory replaces a file and vice versa', async () => {
    const workspace = makeWorkspace({ a: '', 'b/x': '' });
    await using scanner = scannerOf(workspace);
    expect(await paths(scanner)).toEqual(['a', 'b/x']);
    workspace.remove('a');
    workspace.remove('b');
    workspace.write('a/y', '');
    workspace.write('b', '');
    expect(await paths(scanner)).toEqual(['a/y', 'b']);
  });
});

describe('fingerprints', () => {
  async function fingerprint(scanner: Scanner): Promise<string | undefined> {
    return (await scanner.listFiles({}))[0]?.fingerprint;
  }

  test('differ after an older time was restored', async () => {
    const workspace = makeWorkspace({ a: 'one' });
    await using scanner = scannerOf(workspace);
    const before = await fingerprint(scanner);
    utimesSync(workspace.path('a'), 1_000_000, 1_000_000);
    const older = await fingerprint(scanner);
    expect(older).not.toBe(before);
    expect(await fingerprint(scanner)).toBe(older);
  });

  test('differ after each of many immediate writes of the same size', async () => {
    const workspace = makeWorkspace({ a: '00' });
    await using scanner = scannerOf(workspace);
    const seen = new Set<string | undefined>();
    for (let round = 10; round < 60; round++) {
      writeFileSync(workspace.path('a'), String(round));
      seen.add(await fingerprint(scanner));
    }
    expect(seen.size).toBe(50);
  });

  test('stay the same while a new file becomes old', async () => {
    const workspace = makeWorkspace({ a: 'x' });
    await using scanner = scannerOf(workspace);
    const first = await fingerprint(scanner);
    const { ctimeMs } = statSync(workspace.path('a'));
    while (Date.now() < ctimeMs + 150) expect(await fingerprint(scanner)).toBe(first);
    expect(await fingerprint(scanner)).toBe(first);
  });
});

describe('symlinks in a trusted project', () => {
  const trusted = { links: 'any' } as const;

  test('in a circle do not cause endless walks, and every file is found once', async () => {
    const workspace = makeWorkspace({ 'a/x.py': 'find me', 'b/y.py': 'find me' });
    symlinkSync('..', workspace.path('a/up'));
    symlinkSync('../b', workspace.path('a/b'));
    symlinkSync('../a', workspace.path('b/a'));
    symlinkSync('self', workspace.path('self'));
    symlinkSync('nowhere', workspace.path('broken'));
    await using scanner = scannerOf(workspace, trusted);
    expect(await paths(scanner)).toEqual(['a/x.py', 'b/y.py']);
    expect((await scanner.filesContaining({ literal: 'find me' })).map(({ path }) => path)).toEqual([
      'a/x.py',
      'b/y.py',
    ]);
    const listing = await scanner.listDirectory('', { recursive: true, includeIgnored: false });
    expect(listing).toEqual({
      dirs: ['a', 'a/b', 'a/up', 'b', 'b/a'],
      files: ['a/x.py', 'b/y.py'],
      unreadable: [],
    });
  });

  test('are followed to files without another path', async () => {
    const workspace = makeWorkspace({ '.gitignore': 'store/\n', 'store/lib/x.py': '', 'store/f.py': '' });
    mkdirSync(workspace.path('src'));
    symlinkSync('../store/lib', workspace.path('src/lib'));
    symlinkSync('../store/f.py', workspace.path('src/g.py'));
    symlinkSync('../store/f.py', workspace.path('src/h.py'));
    await using scanner = scannerOf(workspace, trusted);
    expect(await paths(scanner, { extensions: ['.py'] })).toEqual(['src/g.py', 'src/lib/x.py']);
    expect(await paths(scanner, { extensions: ['.py'], includeLinks: true })).toEqual([
      'src/g.py',
      'src/h.py',
      'src/lib/x.py',
    ]);
    expect(await paths(scanner, { under: 'src/lib' })).toEqual(['src/lib/x.py']);
    expect(await paths(scanner, { under: 'src/g.py' })).toEqual(['src/g.py']);
  });

  test('are followed out of the project, each file once, and not back into it', async () => {
    const around = makeWorkspace({ 'other/s.py': 'shared', 'other/deep/t.py': 'shared', 'project/a.py': '' });
    const root = around.path('project');
    symlinkSync('../other', join(root, 'out'));
    symlinkSync('../other/deep', join(root, 'twice'));
    symlinkSync('../other/s.py', join(root, 's.py'));
    symlinkSync('..', join(root, 'up'));
    await using scanner = scannerOf(around, { ...trusted, root });
    expect(await paths(scanner)).toEqual(['a.py', 'out/deep/t.py', 'out/s.py']);
    const inLink = await scanner.filesContaining({ literal: 'shared', under: 'out' });
    expect(inLink.map(({ path }) => path)).toEqual(['out/deep/t.py', 'out/s.py']);
    const listing = await scanner.listDirectory('', { recursive: true, includeIgnored: true });
    expect(listing).toEqual({
      dirs: ['out', 'out/deep', 'twice', 'up', 'up/other', 'up/project'],
      files: ['a.py', 'out/deep/t.py', 'out/s.py', 's.py'],
      unreadable: [],
    });
  });

  test('to a directory are ignored by a directory pattern', async () => {
    const workspace = makeWorkspace({ '.gitignore': 'node_modules/\n', 'pkg/x.js': '' });
    symlinkSync('pkg', workspace.path('node_modules'));
    await using scanner = scannerOf(workspace, trusted);
    expect(await scanner.isIgnored('node_modules')).toBe(true);
    expect(await paths(scanner, { under: 'node_modules' })).toEqual(['node_modules/x.js']);
  });
});

describe('symlinks in an untrusted project', () => {
  test('are omitted, also those that stay inside', async () => {
    const outside = makeWorkspace({ 'secret.py': 'secret' });
    const workspace = makeWorkspace({ '.gitignore': 'store/\n', 'a.py': '', 'store/lib/x.py': 'secret' });
    symlinkSync(outside.root, workspace.path('out'));
    symlinkSync(outside.path('secret.py'), workspace.path('s.py'));
    symlinkSync('store/lib', workspace.path('lib'));
    symlinkSync('store/lib/x.py', workspace.path('x.py'));
    await using scanner = scannerOf(workspace);
    expect(await paths(scanner)).toEqual(['.gitignore', 'a.py']);
    expect(await paths(scanner, { includeLinks: true, includeIgnored: true })).toEqual([
      '.gitignore',
      'a.py',
      'store/lib/x.py',
    ]);
    expect(await scanner.filesContaining({ literal: 'secret' })).toEqual([]);
    const listing = await scanner.listDirectory('', { recursive: true, includeIgnored: false });
    expect(listing).toEqual({ dirs: [], files: ['.gitignore', 'a.py'], unreadable: [] });
  });

  test('are followed if the request names them and they stay inside', async () => {
    const workspace = makeWorkspace({ 'store/lib/x.py': 'secret', 'store/f.py': '' });
    symlinkSync('store/lib', workspace.path('lib'));
    symlinkSync('../f.py', workspace.path('store/lib/f.py'));
    await using scanner = scannerOf(workspace);
    expect(await paths(scanner, { under: 'lib' })).toEqual(['lib/x.py']);
    expect(await paths(scanner, { under: 'lib/f.py' })).toEqual(['lib/f.py']);
    expect((await scanner.filesContaining({ literal: 'secret', under: 'lib/x.py' })).length).toBe(1);
    const listing = await scanner.listDirectory('lib', { recursive: true, includeIgnored: false });
    expect(listing).toEqual({ dirs: [], files: ['lib/x.py'], unreadable: [] });
  });

  test('count as missing if they lead out of the project', async () => {
    const outside = makeWorkspace({ 'secret.py': 'secret' });
    const workspace = makeWorkspace({ 'a.py': '' });
    symlinkSync(outside.root, workspace.path('out'));
    symlinkSync(outside.path('secret.py'), workspace.path('s.py'));
    await using scanner = scannerOf(workspace);
    for (const under of ['out', 'out/secret.py', 's.py']) {
      expect(await codeOf(scanner.filesContaining({ literal: 'secret', under }))).toBe('file.not-found');
    }
  });

  test('to the project itself do not matter', async () => {
    const workspace = makeWorkspace({ 'a/x.py': 'find me' });
    const link = `${makeTempDir()}/link`;
    symlinkSync(workspace.root, link);
    await using scanner = scannerOf(workspace, { root: link });
    expect((await scanner.filesContaining({ literal: 'find me' })).map(({ path }) => path)).toEqual(['a/x.py']);
  });
});

describe('Scanner.listDirectory()', () => {
  const files = {
    '.gitignore': 'build/\n*.log\n',
    'a/b/c.py': '',
    'a/z.py': '',
    'a-b/d.py': '',
    'build/gen.py': '',
    'x.log': '',
  };

  test('lists directories before their content', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    expect(await scanner.listDirectory('', { recursive: true, includeIgnored: false })).toEqual({
      dirs: ['a', 'a/b', 'a-b'],
      files: ['.gitignore', 'a-b/d.py', 'a/b/c.py', 'a/z.py'],
      unreadable: [],
    });
    expect(await scanner.listDirectory('a', { recursive: false, includeIgnored: false })).toEqual({
      dirs: ['a/b'],
      files: ['a/z.py'],
      unreadable: [],
    });
  });

  test('lists ignored entries with `includeIgnored`, or if the directory itself is ignored', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    expect(await scanner.listDirectory('', { recursive: false, includeIgnored: true })).toEqual({
      dirs: ['a', 'a-b', 'build'],
      files: ['.gitignore', 'x.log'],
      unreadable: [],
    });
    expect(await scanner.listDirectory('build', { recursive: true, includeIgnored: false })).toEqual({
      dirs: [],
      files: ['build/gen.py'],
      unreadable: [],
    });
  });

  test('rejects a path that is not a directory', async () => {
    await using scanner = scannerOf(makeWorkspace(files));
    const options = { recursive: false, includeIgnored: false };
    expect(await codeOf(scanner.listDirectory('x.log', options))).toBe('file.not-directory');
    expect(await codeOf(scanner.listDirectory('nope', options))).toBe('file.not-found');
  });
});

describe('Scanner.filesContaining()', () => {
  async function containing(scanner: Scanner, literal: string): Promise<string[]> {
    return (await scanner.filesContaining({ literal })).map(({ path }) => path);
  }

  test('finds exact texts, also after a rewrite of the same size', async () => {
    const workspace = makeWorkspace({ 'a.py': 'def grüße(): pass', 'b.py': 'def other(): pass' });
    await using scanner = scannerOf(workspace);
    expect(await containing(scanner, 'grüße')).toEqual(['a.py']);
    expect(await containing(scanner, 'GRÜSSE')).toEqual([]);
    workspace.write('b.py', 'def OTHER(): pass');
    expect(await containing(scanner, 'other')).toEqual([]);
    expect(await containing(scanner, 'OTHER')).toEqual(['b.py']);
  });

  test.each([
    ['latin-1', Buffer.from('x = "größe"', 'latin1')],
    ['utf-16', Buffer.from('\ufeffx = "größe"', 'utf16le')],
    ['utf-16', Buffer.from('\ufeffx = "größe"', 'utf16le').swap16()],
    // A BOM shows that the file is not in the project's encoding.
    ['utf-8', Buffer.from('\ufeffx = "größe"', 'utf16le')],
    ['utf-8', Buffer.from('\ufeffx = "größe"', 'utf16le').swap16()],
  ])('finds the text in %s', async (encoding, bytes) => {
    const workspace = makeWorkspace({});
    workspace.write('a.txt', bytes);
    await using scanner = scannerOf(workspace, { encoding });
    expect(await containing(scanner, 'größe')).toEqual(['a.txt']);
    expect(await containing(scanner, 'x = ')).toEqual(['a.txt']);
    expect(await containing(scanner, 'grösse')).toEqual([]);
  });
});

test('Scanner.extensionCounts() counts the last extensions of files that are not ignored', async () => {
  const files = {
    '.gitignore': '*.log\n',
    'a.py': '',
    'b.py': '',
    'c.d.ts': '',
    Makefile: '',
    'x.log': '',
    '.bashrc': '',
  };
  await using scanner = scannerOf(makeWorkspace(files));
  expect(await scanner.extensionCounts()).toEqual({ '': 3, '.py': 2, '.ts': 1 });
});

test('Scanner() rejects an unknown encoding', () => {
  const workspace = makeWorkspace({});
  expect(() => scannerOf(workspace, { encoding: 'klingon' })).toThrow('`klingon`');
});
