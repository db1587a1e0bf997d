import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isExpected } from '../../src/base/errors.ts';
import { commitSteps } from '../../src/edits/commit.ts';
import { recoverEdits } from '../../src/edits/journal.ts';
import { noteStrays, placeNear } from '../../src/edits/stage.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { openForEdits, otherFileSystem, unlimited, whyNoOtherFileSystem } from './planned.ts';

async function caught(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return error;
  }
}

testUnless(process.platform === 'win32' ? 'there are no named pipes on disk' : undefined)(
  'a pipe is refused, and not waited for, where a file is to be replaced',
  async () => {
    const workspace = makeWorkspace({});
    execFileSync('mkfifo', [workspace.path('pipe')]);
    const { plan } = await openForEdits(workspace);
    const error = await caught(() => plan().write('pipe', 'x', { mayReplace: true }));
    expect(isExpected(error, 'file.unreadable')).toBe(true);
  },
);

test('a file is not changed by two of its paths at once: the second would undo the first', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'one two', 'b.txt': 'one' });
  symlinkSync('a.txt', workspace.path('link.txt'));
  const { plan } = await openForEdits(workspace);
  const edits = plan();
  edits.open('b.txt').replace(0, 3, '1');
  edits.open('a.txt').replace(0, 3, '1');
  edits.open('link.txt').replace(4, 7, '2');
  const error = await caught(() => edits.commit(unlimited));
  expect(isExpected(error, 'edit.refused') && error.message).toContain('a.txt`');
  expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['one two', 'one']);
});

test('a path below a file is refused by name', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'a' });
  const { plan } = await openForEdits(workspace);
  const edits = plan();
  edits.write('a.txt/b/c.txt', 'x', { mayReplace: true });
  const error = await caught(() => edits.commit(unlimited));
  expect(isExpected(error, 'file.not-directory') && error.message).toContain('`a.txt/b/c.txt`');
});

describe('files on another file system than our own folder for the project', () => {
  const testThere = testUnless(whyNoOtherFileSystem);
  const signal = unlimited;
  const bytes = (text: string) => Buffer.from(text);
  const write = (path: string, before: string, after: string) =>
    ({ do: 'write', path, before: bytes(before), after: bytes(after), modeOf: path }) as const;

  async function inFolders(run: (root: string, folder: string) => Promise<void>): Promise<void> {
    const root = mkdtempSync(join(otherFileSystem, 'serena-test-'));
    try {
      writeFileSync(join(root, 'a.txt'), 'a');
      writeFileSync(join(root, 'b.txt'), 'b');
      await run(root, join(makeTempDir('data'), 'edits'));
    } finally {
      rmSync(root, { recursive: true });
    }
  }

  testThere('are changed and removed, and nothing is left beside them', async () => {
    await inFolders(async (root, folder) => {
      const steps = [write('a.txt', 'a', 'A'), { do: 'remove', path: 'b.txt', before: bytes('b') }] as const;
      await commitSteps(steps, { root, folder, signal });
      expect([readdirSync(root), readdirSync(folder)]).toEqual([['a.txt'], ['lock']]);
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('A');
    });
  });

  testThere('are left as they were by a conflict, with nothing beside them', async () => {
    await inFolders(async (root, folder) => {
      const steps = [write('a.txt', 'a', 'A'), write('b.txt', 'other', 'B')];
      const error = await caught(() => commitSteps(steps, { root, folder, signal }));
      expect(isExpected(error, 'edit.conflict')).toBe(true);
      expect([readdirSync(root).sort(), readdirSync(folder)]).toEqual([['a.txt', 'b.txt'], ['lock']]);
    });
  });

  testThere('keep nothing of a commit that was killed while it was prepared', async () => {
    await inFolders(async (root, folder) => {
      const own = join(folder, '1-a');
      mkdirSync(own, { recursive: true });
      const stray = placeNear(join(root, 'a.txt'), { own, name: 'new-0' });
      const kept = join(root, '.a.txt.1-b-new-0');
      const outside = join(makeTempDir('outside'), '.a.txt.1-a-new-0');
      noteStrays([stray, kept, outside, join(own, 'new-1')], own);
      for (const path of [stray, kept, outside]) writeFileSync(path, 'x');
      expect(await recoverEdits(folder, root)).toEqual([]);
      // A list that names what another commit made, or a file outside, is not believed.
      expect(existsSync(outside)).toBe(true);
      expect([readdirSync(root).sort(), readdirSync(folder)]).toEqual([
        ['.a.txt.1-b-new-0', 'a.txt', 'b.txt'],
        ['lock'],
      ]);
    });
  });
});
