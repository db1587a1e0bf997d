import { describe, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { planMove } from '../../src/edits/moved-files.ts';
import { makeWorkspace } from '../support/workspace.ts';

function project() {
  const workspace = makeWorkspace({
    'a/b.txt': 'b',
    'a/c/d.txt': 'd',
    'linked/e.txt': 'e',
    'repository/.git/HEAD': '',
  });
  symlinkSync('b.txt', workspace.path('a-link'));
  symlinkSync('/etc/hostname', workspace.path('linked/out'));
  symlinkSync('/etc', workspace.path('etc'));
  return { root: workspace.root, links: 'inside' as const };
}

describe('planMove()', () => {
  test('returns each file of a directory, and the directories, inner ones first', () => {
    const { files, directories } = planMove(project(), { from: 'a', to: 'x/y' });
    expect(files).toEqual([
      { from: 'a/b.txt', to: 'x/y/b.txt' },
      { from: 'a/c/d.txt', to: 'x/y/c/d.txt' },
    ]);
    expect(directories).toEqual(['a/c', 'a']);
  });

  const refusals = [
    ['a-link', 'other', 'it is a symbolic link'],
    ['linked', 'other', '`linked/out` is a symbolic link'],
    ['repository', 'other', '`repository/.git` is a Git repository'],
    ['a', 'a/inner', 'is inside it'],
    ['a', 'a', 'the new path is the old one'],
    ['.', 'other', 'the root of the project'],
    ['a/b.txt', 'a/c', 'already exists'],
    ['a/b.txt', 'a/c/d.txt', 'already exists'],
    ['a/b.txt', '../out.txt', 'outside the project'],
    ['a/b.txt', 'etc/out.txt', 'outside the project'],
    ['etc/hostname', 'own.txt', 'outside the project'],
    ['missing', 'other', 'does not exist'],
  ] as const;
  for (const [from, to, reason] of refusals) {
    test(`refuses ${from} to ${to}`, () => {
      expect(() => planMove(project(), { from, to })).toThrow(reason);
    });
  }
});
