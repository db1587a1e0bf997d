import { expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { isExpected } from '../../src/base/errors.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { openForEdits, unlimited } from './planned.ts';

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
