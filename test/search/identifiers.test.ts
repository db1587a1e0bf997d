import { expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { Scanner } from '../../src/search/scanner.ts';
import { makeWorkspace } from '../support/workspace.ts';

const query = { name: 'it', languages: { '.py': 'python', '.ts': 'typescript' } };

test('identifiers() reflects the current files in repeated queries', async () => {
  await using workspace = makeWorkspace({
    'a.py': 'it = 1\n# it\n',
    'b.ts': "const a = 'it';\r\nit(a);\n",
    'c.py': 'items = 2\n',
    'd.txt': 'it\n',
  });
  symlinkSync('a.py', workspace.path('link.py'));
  await using scanner = new Scanner({
    workerUrl: new URL('../../src/search/worker.ts', import.meta.url),
    root: workspace.root,
    links: 'inside',
    ignoredPaths: [],
    useGitignore: true,
    encoding: 'utf-8',
    deadlineMs: 60_000,
  });
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
