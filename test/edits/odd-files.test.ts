import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isExpected } from '../../src/base/errors.ts';
import { commitSteps } from '../../src/edits/commit.ts';
import { noteTemporary, recoverEdits } from '../../src/edits/journal.ts';
import { projectScope } from '../../src/edits/scope.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
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

test('a file cannot be changed through two of its paths in one edit: the second would overwrite the first', async () => {
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

test('a path below a file is refused, and the error names it', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'a' });
  const { plan } = await openForEdits(workspace);
  const edits = plan();
  edits.write('a.txt/b/c.txt', 'x', { mayReplace: true });
  const error = await caught(() => edits.commit(unlimited));
  expect(isExpected(error, 'file.not-directory') && error.message).toContain('`a.txt/b/c.txt`');
});

test('the temporary files of an edit that was killed during preparation are removed', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'a' });
  const directory = join(makeTempDir('state'), 'edits');
  const own = join(directory, '1-aaaaaaaaaaaa');
  const staged = workspace.path('.serena-1-aaaaaaaaaaaa-0-new');
  mkdirSync(own, { recursive: true });
  noteTemporary(own, [staged, workspace.path('.serena-1-aaaaaaaaaaaa-0-old')]);
  writeFileSync(staged, 'x');
  expect(await recoverEdits(projectScope({ root: workspace.root, directory, mayLeave: false }))).toEqual([]);
  expect([readdirSync(workspace.root), readdirSync(directory)]).toEqual([['a.txt'], ['lock']]);
});

const protectedPaths = ['.git/config', '.serena/project.yml', 'sub/.git/hooks/pre-commit'];

test.each(protectedPaths)('%s is changed alone only: nobody else may finish an edit of it', async (path) => {
  const workspace = makeWorkspace({ 'a.txt': 'a', [path]: '' });
  const { plan } = await openForEdits(workspace);
  const both = plan();
  for (const each of ['a.txt', path]) both.write(each, 'changed: 1\n', { mayReplace: true });
  const error = await caught(() => both.commit(unlimited));
  expect(isExpected(error, 'edit.refused') && error.message).toContain(`\`${path}\` together with other files`);
  expect([workspace.read('a.txt'), workspace.read(path)]).toEqual(['a', '']);
  const alone = plan();
  alone.write(path, 'changed: 1\n', { mayReplace: true });
  expect(await alone.commit(unlimited)).toEqual([path]);
});

test('memories of the project can be changed together with other files', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'a', '.serena/memories/core.md': 'a' });
  const { plan } = await openForEdits(workspace);
  const edits = plan();
  for (const path of ['a.txt', '.serena/memories/core.md']) edits.write(path, 'b', { mayReplace: true });
  expect(await edits.commit(unlimited)).toHaveLength(2);
});

describe('a project whose `.serena` is', () => {
  test.each([
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a dangling link', (path: string) => symlinkSync('nowhere', path)],
  ])('%s: edits work all the same', async (_, make) => {
    const workspace = makeWorkspace({ 'a.txt': 'a', 'b.txt': 'b' });
    make(workspace.path('.serena'));
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    for (const path of ['a.txt', 'b.txt']) edits.open(path).replace(0, 1, 'x');
    expect(await edits.commit(unlimited)).toHaveLength(2);
    expect(readdirSync(workspace.root).sort()).toEqual(['.serena', 'a.txt', 'b.txt']);
  });
});

test('without a directory for journals, an edit of one file works and an edit of several files is refused', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'a', 'b.txt': 'b' });
  const directory = join(makeTempDir('state'), 'file', 'edits');
  writeFileSync(dirname(directory), '');
  const scope = projectScope({ root: workspace.root, directory, mayLeave: false });
  const step = (path: string) =>
    ({ do: 'write', path, before: Buffer.from(path.slice(0, 1)), after: Buffer.from('x'), modeOf: path }) as const;
  const error = await caught(() => commitSteps([step('a.txt'), step('b.txt')], scope, unlimited));
  expect(isExpected(error, 'edit.failed') && error.hints.join()).toContain('`SERENA_HOME`');
  expect(await commitSteps([step('a.txt')], scope, unlimited)).toContain(dirname(directory));
  expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['x', 'b']);
  expect(readdirSync(workspace.root)).toHaveLength(2);
});
