import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalStep, recoverEdits, writeJournal } from '../../src/edits/journal.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { openForEdits, otherFileSystem, unlimited, whyNoOtherFileSystem } from './planned.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Leaves what a process leaves that ends after `done` of the steps: two files changed, one new, one removed. */
function interrupted(done: number): { workspace: Workspace; folder: string } {
  const workspace = makeWorkspace({ 'a.txt': 'a', 'b.txt': 'b', 'd.txt': 'd', 'new/.keep': '' });
  const folder = workspace.path('.serena/cache/edits');
  const own = '.serena/cache/edits/1-a';
  const writing = (name: string, before: string | undefined, after: string): JournalStep => {
    const file = name.replace('/', '-');
    workspace.write(`${own}/${file}`, after);
    const target = workspace.path(name);
    const staged = workspace.path(own, file);
    return { do: 'write', target, staged, after: sha256(after), ...(before ? { before: sha256(before) } : {}) };
  };
  const steps: JournalStep[] = [
    writing('a.txt', 'a', 'A'),
    writing('b.txt', 'b', 'B'),
    writing('new/c.txt', undefined, 'C'),
    { do: 'remove', target: workspace.path('d.txt'), before: sha256('d') },
  ];
  writeJournal(workspace.path(own, 'journal.json'), steps);
  for (const step of steps.slice(0, done)) {
    if (step.do === 'write') renameSync(step.staged, step.target);
    else rmSync(step.target);
  }
  return { workspace, folder };
}

const read = (workspace: Workspace) =>
  ['a.txt', 'b.txt', 'new/c.txt', 'd.txt'].map((path) =>
    existsSync(workspace.path(path)) ? workspace.read(path) : undefined,
  );

describe('recoverEdits()', () => {
  for (const done of [0, 1, 2, 3, 4]) {
    test(`finishes a commit that was interrupted after ${done} of 4 steps`, async () => {
      const { workspace, folder } = interrupted(done);
      const said = await recoverEdits(folder, workspace.root);
      expect(said).toHaveLength(done === 4 ? 0 : 1);
      expect(read(workspace)).toEqual(['A', 'B', 'C', undefined]);
      expect(readdirSync(folder)).toEqual(['lock']);
      expect(await recoverEdits(folder, workspace.root)).toEqual([]);
    });
  }

  test('drops what was only prepared', async () => {
    const { workspace, folder } = interrupted(0);
    workspace.remove('.serena/cache/edits/1-a/journal.json');
    expect(await recoverEdits(folder, workspace.root)).toEqual([]);
    expect(read(workspace)).toEqual(['a', 'b', undefined, 'd']);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('leaves a file alone that somebody changed meanwhile, and names it', async () => {
    const { workspace, folder } = interrupted(1);
    workspace.write('b.txt', 'somebody');
    const [said = ''] = await recoverEdits(folder, workspace.root);
    expect(said).toContain(workspace.path('b.txt'));
    expect(read(workspace)).toEqual(['A', 'somebody', 'C', undefined]);
  });

  test('changes nothing where nothing was changed yet and somebody has changed a file since', async () => {
    const { workspace, folder } = interrupted(0);
    workspace.write('b.txt', 'somebody');
    const [said = ''] = await recoverEdits(folder, workspace.root);
    expect(said).toContain('given up');
    expect(said).toContain(workspace.path('b.txt'));
    expect(read(workspace)).toEqual(['a', 'somebody', undefined, 'd']);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('takes a file that became a folder, and a folder that is gone, for a change by somebody', async () => {
    const { workspace, folder } = interrupted(1);
    workspace.remove('b.txt');
    workspace.write('b.txt/x', '');
    workspace.remove('new');
    const [said = ''] = await recoverEdits(folder, workspace.root);
    expect(said).toContain(`${workspace.path('b.txt')}\`, \`${workspace.path('new/c.txt')}\``);
    expect([workspace.read('a.txt'), existsSync(workspace.path('d.txt'))]).toEqual(['A', false]);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  testUnless(whyNoOtherFileSystem)('keeps what cannot be done now, says so, and does it when it can', async () => {
    const { workspace, folder } = interrupted(1);
    // A folder that cannot be written to would not stop root; a rename to another file system stops everybody.
    const far = mkdtempSync(join(otherFileSystem, 'serena-test-'));
    try {
      cpSync(folder, far, { recursive: true });
      renameSync(folder, `${folder}-near`);
      symlinkSync(far, folder);
      const [said = ''] = await recoverEdits(folder, workspace.root);
      expect(said).toContain('cannot be finished yet');
      expect(read(workspace)).toEqual(['A', 'b', undefined, 'd']);
      rmSync(folder);
      renameSync(`${folder}-near`, folder);
      expect(await recoverEdits(folder, workspace.root)).toEqual([expect.stringContaining('has been finished')]);
      expect(read(workspace)).toEqual(['A', 'B', 'C', undefined]);
    } finally {
      rmSync(far, { recursive: true });
    }
  });

  test('a broken journal is reported and stops nothing', async () => {
    const { workspace, folder } = interrupted(0);
    workspace.write('.serena/cache/edits/1-a/journal.json', '{');
    const [said = ''] = await recoverEdits(folder, workspace.root);
    expect(said).toContain('journal.json');
    expect(read(workspace)).toEqual(['a', 'b', undefined, 'd']);
    expect(await recoverEdits(folder, workspace.root)).toEqual([]);
  });

  test('refuses a journal that reaches out of the project', async () => {
    const { workspace, folder } = interrupted(0);
    const outside = makeWorkspace({ profile: 'mine' });
    symlinkSync(outside.root, workspace.path('out'));
    for (const target of [outside.path('profile'), workspace.path('../x'), workspace.path('out/profile')]) {
      const own = '.serena/cache/edits/2-b';
      workspace.write(`${own}/x`, 'theirs');
      const step = { do: 'write', target, staged: workspace.path(own, 'x'), after: sha256('theirs') } as const;
      writeJournal(workspace.path(own, 'journal.json'), [{ ...step, before: sha256('mine') }]);
      expect((await recoverEdits(folder, workspace.root)).join()).toContain('2-b/journal.json');
      expect(outside.read('profile')).toBe('mine');
    }
  });

  test('happens before the next commit, too', async () => {
    const { workspace } = interrupted(2);
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    edits.write('z.txt', 'z', { mayReplace: false });
    await edits.commit(unlimited);
    expect(read(workspace)).toEqual(['A', 'B', 'C', undefined]);
    expect(workspace.read('z.txt')).toBe('z');
  });
});
