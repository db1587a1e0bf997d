import { expect, test } from 'bun:test';
import { utimesSync, writeFileSync } from 'node:fs';
import { Scanner } from '../../src/search/scanner.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);
const none = { created: [], changed: [], deleted: [], isLost: false };

function scannerOf({ root }: Workspace): Scanner {
  return new Scanner({
    workerUrl,
    root,
    links: 'inside',
    ignoredPaths: [],
    useGitignore: true,
    encoding: 'utf-8',
    deadlineMs: 10_000,
  });
}

test('changes() reports what was created, changed and deleted since the cursor', async () => {
  const workspace = makeWorkspace({ 'a.py': '1', 'b.py': '1', 'c.py': '1', 'd.txt': '1' });
  await using scanner = scannerOf(workspace);
  const query = { extensions: ['.py'] };
  const start = await scanner.changes({ cursor: undefined, ...query });
  expect(start).toMatchObject(none);
  workspace.write('a.py', '2');
  workspace.remove('b.py');
  workspace.write('new/e.py', '1');
  workspace.write('d.txt', '2');
  const next = await scanner.changes({ cursor: start.cursor, ...query });
  expect(next).toMatchObject({ created: ['new/e.py'], changed: ['a.py'], deleted: ['b.py'], isLost: false });
  expect(await scanner.changes({ cursor: next.cursor, ...query })).toMatchObject(none);
});

test('changes() detects an older time, a move and a file that became ignored', async () => {
  const workspace = makeWorkspace({ 'a.py': '1', 'b.py': '1', 'c.py': '1' });
  await using scanner = scannerOf(workspace);
  const query = { extensions: ['.py'] };
  const { cursor } = await scanner.changes({ cursor: undefined, ...query });
  utimesSync(workspace.path('a.py'), 1, 1);
  workspace.move('b.py', 'd.py');
  workspace.write('.gitignore', 'c.py\n');
  const next = await scanner.changes({ cursor, ...query });
  expect(next).toMatchObject({ created: ['d.py'], changed: ['a.py'], deleted: ['b.py', 'c.py'] });
});

test('changes() detects every one of several immediate writes of the same size', async () => {
  const workspace = makeWorkspace({ 'a.py': '00' });
  await using scanner = scannerOf(workspace);
  let { cursor } = await scanner.changes({ cursor: undefined, extensions: ['.py'] });
  for (let round = 10; round < 40; round++) {
    writeFileSync(workspace.path('a.py'), String(round));
    const next = await scanner.changes({ cursor, extensions: ['.py'] });
    expect(next.changed).toEqual(['a.py']);
    cursor = next.cursor;
  }
});

test('changes() supports several independent cursors, each with its own extensions', async () => {
  const workspace = makeWorkspace({ 'a.py': '1', 'b.ts': '1', 'go.mod': '1' });
  await using scanner = scannerOf(workspace);
  const python = await scanner.changes({ cursor: undefined, extensions: ['.py'] });
  workspace.write('a.py', '2');
  const others = await scanner.changes({ cursor: undefined, extensions: ['.ts', 'go.mod'] });
  workspace.write('go.mod', '2');
  expect(await scanner.changes({ cursor: others.cursor, extensions: ['.ts', 'go.mod'] })).toMatchObject({
    changed: ['go.mod'],
  });
  expect(await scanner.changes({ cursor: python.cursor, extensions: ['.py'] })).toMatchObject({ changed: ['a.py'] });
});

test('changes() answers the same cursor twice, in case the first answer got lost', async () => {
  const workspace = makeWorkspace({ 'a.py': '1' });
  await using scanner = scannerOf(workspace);
  const query = { extensions: ['.py'] };
  const { cursor } = await scanner.changes({ cursor: undefined, ...query });
  workspace.write('a.py', '2');
  expect(await scanner.changes({ cursor, ...query })).toMatchObject({ changed: ['a.py'] });
  const again = await scanner.changes({ cursor, ...query });
  expect(again).toMatchObject({ changed: ['a.py'] });
  expect(await scanner.changes({ cursor: again.cursor, ...query })).toMatchObject(none);
});

test('changes() reports an unknown cursor', async () => {
  await using scanner = scannerOf(makeWorkspace({ 'a.py': '1' }));
  expect(await scanner.changes({ cursor: 99, extensions: ['.py'] })).toMatchObject({ ...none, isLost: true });
});
