import { expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { Scanner } from '../../src/search/scanner.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { settle } from './indexed-project.ts';

const query = { name: 'it', languages: { '.py': 'python', '.ts': 'typescript' } };

function scannerOf(root: string): Scanner {
  const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);
  const rules = { ignoredPaths: [], useGitignore: true };
  return new Scanner({ workerUrl, root, links: 'inside', ...rules, encoding: 'utf-8', deadlineMs: 60_000 });
}

test('identifiers() checks files again unless a request after `asOf` has checked them', async () => {
  await using workspace = makeWorkspace({ 'a.py': 'it = 1\n', 'sub/b.py': 'it = 2\n' });
  await using scanner = scannerOf(workspace.root);
  // Files that have just been written are read again in any case.
  settle();
  const find = async (asOf?: number) => (await scanner.identifiers({ ...query, asOf })).files.map(({ path }) => path);
  const begin = scanner.lastRequest;
  expect(await find(begin)).toEqual(['a.py', 'sub/b.py']);
  await scanner.changes({ cursor: undefined, extensions: ['.py'] });
  workspace.write('sub/b.py', 'that = 2\n');
  workspace.write('sub/c.py', 'it = 3\n');
  // As of the beginning: another request has checked these files since.
  expect(await find(begin)).toEqual(['a.py', 'sub/b.py']);
  expect(await find(scanner.lastRequest)).toEqual(['a.py', 'sub/c.py']);
  workspace.write('a.py', 'that = 1\n');
  expect(await find()).toEqual(['sub/c.py']);
});

test('identifiers() reflects the current files in repeated queries', async () => {
  await using workspace = makeWorkspace({
    'a.py': 'it = 1\n# it\n',
    'b.ts': "const a = 'it';\r\nit(a);\n",
    'c.py': 'items = 2\n',
    'd.txt': 'it\n',
  });
  symlinkSync('a.py', workspace.path('link.py'));
  await using scanner = scannerOf(workspace.root);
  const ask = async (name = 'it') => {
    const { files, unread } = await scanner.identifiers({ ...query, name });
    return { found: files.map(({ path, places }) => [path, places.map(({ line }) => line)]), unread };
  };
  const first = {
    found: [
      ['a.py', [0]],
      ['b.ts', [1]],
    ],
    unread: [],
  };
  expect(await ask()).toEqual(first);
  expect(await ask()).toEqual(first);
  for (const name of ['items', 'a', 'b', 'c', 'd']) await ask(name);
  workspace.write('c.py', 'x = it\n');
  workspace.write('a.py', '\n\nprint(it)\n');
  workspace.remove('b.ts');
  expect(await ask()).toEqual({
    found: [
      ['a.py', [2]],
      ['c.py', [0]],
    ],
    unread: [],
  });
  workspace.write('c.py', Buffer.from([0x69, 0x74, 0x3d, 0xff, 0x0a]));
  expect(await ask()).toEqual({ found: [['a.py', [2]]], unread: ['c.py'] });
  expect(await ask()).toEqual({ found: [['a.py', [2]]], unread: ['c.py'] });
});

test('identifiers() reads no further file at its limit, and later finds the rest', async () => {
  await using workspace = makeWorkspace({
    'a.py': 'it = it\n',
    'b.py': '# it\n',
    'c.py': 'it = 3\n',
    'd.py': 'x = 4\n',
  });
  await using scanner = scannerOf(workspace.root);
  settle();
  const ask = async (limit?: number) => {
    const { files, isCutOff } = await scanner.identifiers({ ...query, limit });
    return { paths: files.map(({ path }) => path), isCutOff };
  };
  expect(await ask(2)).toEqual({ paths: ['a.py'], isCutOff: true });
  expect(await ask()).toEqual({ paths: ['a.py', 'c.py'], isCutOff: false });
  expect(await ask(4)).toEqual({ paths: ['a.py', 'c.py'], isCutOff: false });
  workspace.write('d.py', 'it = 4\n');
  expect(await ask(4)).toEqual({ paths: ['a.py', 'c.py', 'd.py'], isCutOff: true });
});

test('identifiers() finds further names in a long file, also after it has changed', async () => {
  const long = `const a = 'it';\nit(other);\n/* ${'x'.repeat(200_000)} */\n`;
  await using workspace = makeWorkspace({ 'a.ts': long });
  await using scanner = scannerOf(workspace.root);
  settle();
  const linesOf = async (name: string) =>
    (await scanner.identifiers({ ...query, name })).files.flatMap(({ places }) => places.map(({ line }) => line));
  expect(await linesOf('it')).toEqual([1]);
  expect(await linesOf('other')).toEqual([1]);
  expect(await linesOf('x')).toEqual([]);
  workspace.write('a.ts', `/*\nit(other);\n*/\n${long}`);
  expect(await linesOf('other')).toEqual([4]);
});
