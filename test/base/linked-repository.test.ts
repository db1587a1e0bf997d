import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkedRepository } from '../../src/base/linked-repository.ts';
import { projectState } from '../../src/config/data-directory.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

/** Returns a repository with a worktree at `tree`. */
function withWorktree(): { main: Workspace; tree: string } {
  const main = makeWorkspace({ 'a.py': '' });
  main.initGit();
  const tree = join(makeTempDir(), 'tree');
  main.git('worktree', 'add', '--quiet', tree);
  return { main, tree };
}

describe('linkedRepository()', () => {
  test('of a linked worktree is the repository of its main worktree', () => {
    const { main, tree } = withWorktree();
    expect(linkedRepository(tree)).toBe(main.path('.git'));
  });

  test('follows relative paths and links', () => {
    const { main, tree } = withWorktree();
    mkdirSync(join(tree, 'in'));
    symlinkSync(main.path('.git', 'worktrees', 'tree'), join(tree, 'in', 'own'));
    writeFileSync(join(tree, '.git'), 'gitdir: in/own\n');
    expect(linkedRepository(tree)).toBe(main.path('.git'));
  });

  test('of a worktree of a bare repository is that repository', () => {
    const { main } = withWorktree();
    const bare = join(makeTempDir(), 'bare.git');
    const tree = join(makeTempDir(), 'tree');
    execFileSync('git', ['clone', '--quiet', '--bare', main.root, bare]);
    execFileSync('git', ['-C', bare, 'worktree', 'add', '--quiet', tree], { stdio: 'pipe' });
    expect(linkedRepository(tree)).toBe(bare);
  });

  // `git submodule` is a script that needs more than Git.
  const whyNoSubmodule = whyNoProgram('git', 'submodule', 'status');
  testUnless(whyNoSubmodule)(
    'is undefined for a main worktree, a submodule and a directory without a repository',
    () => {
      const { main } = withWorktree();
      const outer = makeWorkspace({ 'b.py': '' });
      outer.initGit();
      outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', main.root, 'inner');
      expect([main.root, outer.path('inner'), makeTempDir()].map(linkedRepository)).toEqual(Array(3).fill(undefined));
    },
  );

  test('is undefined for a directory that claims a worktree of another repository', () => {
    const { tree } = withWorktree();
    const hostile = makeTempDir();
    writeFileSync(join(hostile, '.git'), readFileSync(join(tree, '.git')));
    expect(linkedRepository(hostile)).toBeUndefined();
  });

  test('is undefined for a directory that brings the files of a worktree and names another repository', () => {
    const { main } = withWorktree();
    const hostile = makeWorkspace({});
    hostile.write('.git', 'gitdir: own\n');
    hostile.write('own/commondir', `${main.path('.git')}\n`);
    hostile.write('own/gitdir', `${hostile.path('.git')}\n`);
    expect(linkedRepository(hostile.root)).toBeUndefined();
  });

  test('is undefined for a worktree that was moved', () => {
    const { tree } = withWorktree();
    renameSync(tree, `${tree}-moved`);
    expect(linkedRepository(`${tree}-moved`)).toBeUndefined();
  });
});

test('all worktrees of a repository have the same cache for what depends on contents, and caches and journals of their own', () => {
  const { main, tree } = withWorktree();
  const home = makeTempDir();
  const [first, second] = [projectState(home, main.root), projectState(home, tree)];
  expect(first.contentCache).toBe(first.cache);
  expect(second.contentCache).toBe(first.cache);
  expect([second.cache, second.edits]).not.toEqual([first.cache, first.edits]);
});
