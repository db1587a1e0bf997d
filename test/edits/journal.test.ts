import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type JournalStep, noteTemporary, recoverEdits, writeJournal } from '../../src/edits/journal.ts';
import { type CommitScope, projectScope } from '../../src/edits/scope.ts';
import { temporaryPath } from '../../src/edits/temporary.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { giveToNobody, openForEdits, runAsNobody, unlimited } from './planned.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const id = '1-aaaaaaaaaaaa';

interface Interrupted {
  readonly workspace: Workspace;
  readonly scope: CommitScope;
  /** Absolute path of the commit's own directory. */
  readonly own: string;
}

const scopeOf = ({ root }: Workspace, directory = join(makeTempDir('state'), 'edits')) =>
  projectScope({ root, directory, mayLeave: false });

/** Creates the state of a process that ended after `done` steps of four: two files changed, one new, one removed. */
function interrupted(done: number, scopeIn: (workspace: Workspace) => CommitScope = scopeOf): Interrupted {
  const workspace = makeWorkspace({ 'a.txt': 'a', 'b.txt': 'b', 'd.txt': 'd', 'new/.keep': '' });
  const scope = scopeIn(workspace);
  const own = join(scope.directory, id);
  mkdirSync(own, { recursive: true });
  const writing = (name: string, before: string | undefined, after: string, index: number): JournalStep => {
    const target = workspace.path(name);
    const staged = temporaryPath(target, { id, index, role: 'new' });
    workspace.write(staged.slice(workspace.root.length), after);
    return { do: 'write', target, staged, after: sha256(after), ...(before ? { before: sha256(before) } : {}) };
  };
  const steps: JournalStep[] = [
    writing('a.txt', 'a', 'A', 0),
    writing('b.txt', 'b', 'B', 1),
    writing('new/c.txt', undefined, 'C', 2),
    { do: 'remove', target: workspace.path('d.txt'), before: sha256('d') },
  ];
  noteTemporary(
    own,
    steps.flatMap((step) => (step.do === 'write' ? [step.staged] : [])),
  );
  writeJournal(own, steps);
  for (const step of steps.slice(0, done)) {
    if (step.do === 'write') renameSync(step.staged, step.target);
    else rmSync(step.target);
  }
  return { workspace, scope, own };
}

const read = (workspace: Workspace) =>
  ['a.txt', 'b.txt', 'new/c.txt', 'd.txt'].map((path) =>
    existsSync(workspace.path(path)) ? workspace.read(path) : undefined,
  );

/** Returns the files that edits left in the project or in their own directory. */
const leftovers = ({ workspace, scope }: Interrupted) => [
  ...readdirSync(scope.directory).filter((name) => name !== 'lock'),
  ...readdirSync(workspace.root, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.serena-')),
];

describe('recoverEdits()', () => {
  for (const done of [0, 1, 2, 3, 4]) {
    test(`finishes a commit that was interrupted after ${done} of 4 steps`, async () => {
      const left = interrupted(done);
      const said = await recoverEdits(left.scope);
      expect(said).toHaveLength(done === 4 ? 0 : 1);
      expect(read(left.workspace)).toEqual(['A', 'B', 'C', undefined]);
      expect(leftovers(left)).toEqual([]);
      expect(await recoverEdits(left.scope)).toEqual([]);
    });
  }

  test('discards a commit that was only prepared', async () => {
    const left = interrupted(0);
    const { workspace, scope, own } = left;
    rmSync(join(own, 'journal.json'));
    expect(await recoverEdits(scope)).toEqual([]);
    expect(read(workspace)).toEqual(['a', 'b', undefined, 'd']);
    expect(leftovers(left)).toEqual([]);
  });

  test('does not overwrite a file that changed in the meantime, and names it', async () => {
    const left = interrupted(1);
    const { workspace, scope } = left;
    workspace.write('b.txt', 'somebody');
    const [said = ''] = await recoverEdits(scope);
    expect(said).toContain(workspace.path('b.txt'));
    expect(read(workspace)).toEqual(['A', 'somebody', 'C', undefined]);
  });

  test('abandons a commit that changed nothing yet if a file has changed since', async () => {
    const left = interrupted(0);
    const { workspace, scope } = left;
    workspace.write('b.txt', 'somebody');
    const [said = ''] = await recoverEdits(scope);
    expect(said).toContain('was abandoned');
    expect(said).toContain(workspace.path('b.txt'));
    expect(read(workspace)).toEqual(['a', 'somebody', undefined, 'd']);
    expect(leftovers(left)).toEqual([]);
  });

  test('treats a file that became a directory, and a deleted directory, as changed', async () => {
    const left = interrupted(1);
    const { workspace, scope } = left;
    workspace.remove('b.txt');
    workspace.write('b.txt/x', '');
    workspace.remove('new');
    const [said = ''] = await recoverEdits(scope);
    expect(said).toContain(`${workspace.path('b.txt')}\`, \`${workspace.path('new/c.txt')}\``);
    expect([workspace.read('a.txt'), existsSync(workspace.path('d.txt'))]).toEqual(['A', false]);
    expect(leftovers(left)).toEqual([]);
  });

  test('reports a commit that cannot be finished now, and finishes it later', () => {
    const { workspace, scope } = interrupted(1);
    const recover = () => runAsNobody('recover-child.ts', [workspace.root, scope.directory]);
    giveToNobody(workspace.root);
    giveToNobody(dirname(scope.directory));
    chmodSync(workspace.root, 0o555);
    expect(recover()).toContain('cannot be finished yet');
    expect(read(workspace)).toEqual(['A', 'b', undefined, 'd']);
    chmodSync(workspace.root, 0o755);
    expect(recover()).toContain('has been finished');
    expect(read(workspace)).toEqual(['A', 'B', 'C', undefined]);
  });

  test('keeps what belongs to an invalid journal, and says each time where it is and what to do', async () => {
    const left = interrupted(1);
    const { workspace, scope, own } = left;
    writeFileSync(join(own, 'journal.json'), '{');
    const kept = leftovers(left);
    expect(kept).toEqual([id, ...[1, 2].map((index) => expect.stringContaining(`${id}-${index}-new`))]);
    for (const _ of [1, 2]) {
      const [said = ''] = await recoverEdits(scope);
      expect(said).toContain(`\`${join(own, 'journal.json')}\` is invalid`);
      expect(said).toContain('2 files');
      expect(said).toContain(temporaryPath(workspace.path('b.txt'), { id, index: 1, role: 'new' }));
      expect(said).toContain(`then remove \`${own}\``);
    }
    expect(read(workspace)).toEqual(['A', 'b', undefined, 'd']);
    expect(leftovers(left)).toEqual(kept);
  });

  test('refuses a journal with files that edits must not change', async () => {
    const left = interrupted(0);
    const { workspace, scope } = left;
    const outside = makeWorkspace({ profile: 'mine', 'sub/profile': 'mine' });
    symlinkSync(outside.root, workspace.path('out'));
    for (const path of [
      '.git/hooks/x',
      '.GIT/x',
      'sub/.git/config',
      '.serena/project.yml',
      '.serena/cache/x',
      'notes',
    ]) {
      workspace.write(path, 'mine');
    }
    const other = '2-bbbbbbbbbbbb';
    const targets = [
      ...[
        outside.path('profile'),
        workspace.path('../x'),
        'notes',
        '.git/hooks/x',
        '/etc/../etc/hostname',
        workspace.root,
      ],
      ...['.git/hooks/x', '.GIT/x', 'sub/.git/config', '.serena/project.yml', '.serena/cache/x'].map((path) =>
        workspace.path(path),
      ),
    ];
    for (const target of targets) {
      for (const staged of [temporaryPath(target, { id: other, index: 0, role: 'new' }), workspace.path('a.txt')]) {
        const own = join(scope.directory, other);
        mkdirSync(own, { recursive: true });
        const step = { do: 'write', target, staged, after: sha256('theirs'), before: sha256('mine') } as const;
        writeJournal(own, [step]);
        expect((await recoverEdits(scope)).join()).toContain(`${other}/journal.json`);
      }
    }
    expect([outside.read('profile'), workspace.read('.git/hooks/x'), workspace.read('notes')]).toEqual(
      Array.from({ length: 3 }, () => 'mine'),
    );
  });

  test('refuses to put in place other content than the journal records, a link or a directory', async () => {
    const change: Record<string, (staged: string) => void> = {
      'other content': (staged) => writeFileSync(staged, 'theirs'),
      'a link': (staged) => {
        writeFileSync(`${staged}.away`, 'A');
        rmSync(staged);
        symlinkSync(`${staged}.away`, staged);
      },
      'a directory': (staged) => {
        rmSync(staged);
        mkdirSync(staged);
      },
    };
    for (const act of Object.values(change)) {
      const { workspace, scope } = interrupted(0);
      act(temporaryPath(workspace.path('a.txt'), { id, index: 0, role: 'new' }));
      expect((await recoverEdits(scope)).join()).toContain(
        `was abandoned, because these files changed since: \`${workspace.path('a.txt')}\``,
      );
      expect(read(workspace)).toEqual(['a', 'b', undefined, 'd']);
    }
  });

  test('does not follow a link that replaced a directory', async () => {
    const { workspace, scope } = interrupted(1);
    const outside = makeWorkspace({ '.keep': '' });
    renameSync(workspace.path('new'), outside.path('new'));
    symlinkSync(outside.path('new'), workspace.path('new'));
    expect((await recoverEdits(scope)).join()).toContain(`left unchanged: \`${workspace.path('new/c.txt')}\``);
    expect(readdirSync(outside.path('new')).sort()).toEqual(['.keep', `.serena-${id}-2-new`]);
  });

  test('removes only temporary files of the edit that recorded them', async () => {
    const { workspace, scope, own } = interrupted(4);
    const outside = makeWorkspace({ [`.serena-${id}-7-new`]: 'x' });
    const kept = ['a.txt', '.serena-1-bbbbbbbbbbbb-0-new', `.serena-${id}-0-newer`, `x.serena-${id}-0-new`];
    for (const path of kept) workspace.write(path, 'A');
    symlinkSync(outside.root, workspace.path('out'));
    mkdirSync(workspace.path(`.serena-${id}-8-new`));
    workspace.write(`.serena-${id}-9-new`, 'ours');
    const noted = [...kept, `.serena-${id}-8-new`, `.serena-${id}-9-new`, `out/.serena-${id}-7-new`];
    noteTemporary(
      own,
      noted.map((path) => workspace.path(path)),
    );
    await recoverEdits(scope);
    expect([...kept, `.serena-${id}-8-new`].every((path) => existsSync(workspace.path(path)))).toBe(true);
    expect(existsSync(outside.path(`.serena-${id}-7-new`))).toBe(true);
    expect(existsSync(workspace.path(`.serena-${id}-9-new`))).toBe(false);
  });

  test('reads journals only in a private directory, and ignores other directories there', async () => {
    const left = interrupted(1);
    mkdirSync(join(left.scope.directory, 'notes/deep'), { recursive: true });
    chmodSync(left.scope.directory, 0o755);
    expect(await recoverEdits(left.scope)).toHaveLength(1);
    expect(statSync(left.scope.directory).mode & 0o777).toBe(0o700);
    expect(readdirSync(left.scope.directory).sort()).toEqual(['lock', 'notes']);
    const linked = interrupted(1, (workspace) => scopeOf(workspace, join(makeTempDir('state'), 'real')));
    const link = join(dirname(linked.scope.directory), 'link');
    symlinkSync(linked.scope.directory, link);
    const said = await recoverEdits({ ...linked.scope, directory: link });
    expect(said.join()).toContain('is not a directory');
    expect(read(linked.workspace)).toEqual(['A', 'b', undefined, 'd']);
  });

  test('also runs before the next commit', async () => {
    const { workspace, own } = interrupted(2);
    const { plan, project } = await openForEdits(workspace);
    mkdirSync(project.state.edits, { recursive: true });
    renameSync(own, join(project.state.edits, id));
    const edits = plan();
    edits.write('z.txt', 'z', { mayReplace: false });
    await edits.commit(unlimited);
    expect(read(workspace)).toEqual(['A', 'B', 'C', undefined]);
    expect(workspace.read('z.txt')).toBe('z');
  });

  test('ignores journals in the project', async () => {
    const { workspace, own } = interrupted(0);
    for (const path of [`.serena/cache/edits/${id}`, `.serena/edits/${id}`]) {
      mkdirSync(dirname(workspace.path(path)), { recursive: true });
      cpSync(own, workspace.path(path), { recursive: true });
    }
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    edits.write('z.txt', 'z', { mayReplace: false });
    await edits.commit(unlimited);
    expect(read(workspace)).toEqual(['a', 'b', undefined, 'd']);
    expect(existsSync(workspace.path('.serena/cache/edits', id, 'journal.json'))).toBe(true);
  });
});
