// Another program writes a file after its content was checked and before it is replaced.
import { describe, expect, test } from 'bun:test';
import { existsSync, linkSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { isExpected } from '../../src/base/errors.ts';
import { type PreparedStep, putInPlace } from '../../src/edits/commit.ts';
import { hashOf } from '../../src/edits/content-hash.ts';
import type { JournalStep } from '../../src/edits/journal.ts';
import { temporaryPath } from '../../src/edits/temporary.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const id = '1-aaaaaaaaaaaa';
const hash = (text: string) => hashOf(Buffer.from(text));

/** Prepares one step for `a.txt`, whose content is `before`; the new content is `new`. */
function prepared(what: JournalStep['do'], before: string | undefined): { workspace: Workspace; step: PreparedStep } {
  const workspace = makeWorkspace(before === undefined ? {} : { 'a.txt': before });
  const target = workspace.path('a.txt');
  const staged = temporaryPath(target, { id, index: 0, role: 'new' });
  const backup = temporaryPath(target, { id, index: 0, role: 'old' });
  const known = { target, before: before === undefined ? undefined : hash(before) };
  if (what === 'remove') return { workspace, step: { step: { do: what, ...known }, path: 'a.txt', backup } };
  writeFileSync(staged, 'new');
  return { workspace, step: { step: { do: what, ...known, staged, after: hash('new') }, path: 'a.txt', backup } };
}

function conflictOf(step: PreparedStep): boolean {
  try {
    putInPlace(step);
    return false;
  } catch (error) {
    if (isExpected(error, 'edit.conflict')) return true;
    throw error;
  }
}

describe('putInPlace()', () => {
  test('replaces, adds and removes a file', () => {
    for (const [what, before, after] of [
      ['write', 'old', 'new'],
      ['write', undefined, 'new'],
      ['remove', 'old', undefined],
    ] as const) {
      const { workspace, step } = prepared(what, before);
      putInPlace(step);
      expect(existsSync(workspace.path('a.txt')) ? workspace.read('a.txt') : undefined).toBe(after);
    }
  });

  test.each([
    ['write', 'written in place', (path: string) => writeFileSync(path, 'theirs')],
    ['remove', 'written in place', (path: string) => writeFileSync(path, 'theirs')],
    ['write', 'replaced', replace],
    ['remove', 'replaced', replace],
  ] as const)('keeps what another program wrote: %s, %s', (what, _, interfere) => {
    const { workspace, step } = prepared(what, 'old');
    interfere(workspace.path('a.txt'));
    expect(conflictOf(step)).toBe(true);
    expect(workspace.read('a.txt')).toBe('theirs');
  });

  test('keeps a file that another program created at the path of a new one', () => {
    const { workspace, step } = prepared('write', undefined);
    workspace.write('a.txt', 'theirs');
    expect(conflictOf(step)).toBe(true);
    expect(workspace.read('a.txt')).toBe('theirs');
  });

  test('does not follow a link that replaced the directory', () => {
    const outside = makeWorkspace({ 'a.txt': 'old' });
    const { workspace, step } = prepared('write', 'old');
    linkSync(`${workspace.root}/.serena-${id}-0-new`, outside.path(`.serena-${id}-0-new`));
    renameSync(workspace.root, `${workspace.root}-moved`);
    symlinkSync(outside.root, workspace.root);
    expect(() => putInPlace(step)).toThrow('its path contains a symbolic link');
    expect([outside.read('a.txt'), readdirSync(`${workspace.root}-moved`)]).toEqual([
      'old',
      [`.serena-${id}-0-new`, 'a.txt'],
    ]);
  });
});

function replace(path: string): void {
  writeFileSync(`${path}.theirs`, 'theirs');
  renameSync(`${path}.theirs`, path);
}
