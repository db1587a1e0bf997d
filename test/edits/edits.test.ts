import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { isExpected } from '../../src/base/errors.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { giveToNobody, openForEdits, runAsNobody, unlimited } from './planned.ts';

const bytesOf = (path: string) => readFileSync(path).toString('latin1');

describe('Edits', () => {
  test('changes only the edited text, in files with any line break', async () => {
    const rows = [
      ['lf', 'a\nb\nc\n', 'a\nX\nY\nc\n'],
      ['crlf', 'a\r\nb\r\nc\r\n', 'a\r\nX\r\nY\r\nc\r\n'],
      ['cr', 'a\rb\rc', 'a\rX\rY\rc'],
      ['mixed, mostly crlf', 'a\nb\r\nc\r\n', 'a\nX\r\nY\r\nc\r\n'],
      ['mixed, mostly lf', 'a\r\nb\nc\n', 'a\r\nX\nY\nc\n'],
      ['a mark', '\ufeffa\nb', '\ufeffa\nX\nY'],
    ] as const;
    for (const [name, before, after] of rows) {
      const workspace = makeWorkspace({ 'a.txt': before });
      const { plan } = await openForEdits(workspace);
      const edits = plan();
      const draft = edits.open('a.txt');
      const at = draft.text.indexOf('b');
      draft.replace(at, at + 1, 'X\r\nY');
      expect(await edits.commit(unlimited)).toEqual(['a.txt']);
      expect([name, workspace.read('a.txt')]).toEqual([name, after]);
    }
  });

  test('converts all line breaks to the configured ones', async () => {
    const workspace = makeWorkspace({ 'a.txt': 'a\r\nb\nc\r' });
    const { plan } = await openForEdits(workspace, 'crlf');
    const edits = plan();
    edits.open('a.txt').replace(0, 1, 'A');
    await edits.commit(unlimited);
    expect(workspace.read('a.txt')).toBe('A\r\nb\r\nc\r\n');
  });

  test('applies several edits, and insertions at the same position in the given order', async () => {
    const workspace = makeWorkspace({ 'a.txt': 'one two three' });
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    const draft = edits.open('a.txt');
    draft.replace(8, 13, '3');
    draft.replace(4, 4, 'x');
    draft.replace(4, 4, 'y');
    draft.replace(4, 7, '2');
    expect(draft.edited()).toBe('one xy2 3');
    await edits.commit(unlimited);
    expect(workspace.read('a.txt')).toBe('one xy2 3');
  });

  test('refuses edits that overlap or reach beyond the text, and changes nothing', async () => {
    const workspace = makeWorkspace({ 'a.txt': 'abcdef', 'b.txt': 'b' });
    const { plan } = await openForEdits(workspace);
    for (const [code, spans] of [
      [
        'edit.overlap',
        [
          [0, 3],
          [2, 4],
        ],
      ],
      [
        'edit.overlap',
        [
          [0, 3],
          [1, 1],
        ],
      ],
      ['edit.out-of-range', [[5, 7]]],
      ['edit.out-of-range', [[3, 2]]],
    ] as const) {
      const edits = plan();
      edits.open('b.txt').replace(0, 1, 'B');
      for (const [start, end] of spans) edits.open('a.txt').replace(start, end, '-');
      const error = await edits.commit(unlimited).catch((reason: unknown) => reason);
      expect(isExpected(error, code)).toBe(true);
      expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['abcdef', 'b']);
    }
  });

  test('keeps mode and links, and does not write a file whose content stays the same', async () => {
    const workspace = makeWorkspace({ 'run.sh': 'a', 'same.txt': 'same' });
    chmodSync(workspace.path('run.sh'), 0o754);
    symlinkSync('run.sh', workspace.path('link.sh'));
    utimesSync(workspace.path('same.txt'), 1, 1);
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    edits.open('link.sh').replace(0, 1, 'b');
    edits.open('same.txt').replace(0, 4, 'same');
    expect(await edits.commit(unlimited)).toEqual(['link.sh']);
    expect(workspace.read('run.sh')).toBe('b');
    expect(lstatSync(workspace.path('link.sh')).isSymbolicLink()).toBe(true);
    expect(statSync(workspace.path('run.sh')).mode & 0o777).toBe(0o754);
    expect(statSync(workspace.path('same.txt')).mtimeMs).toBe(1000);
  });

  test('removes and moves a link without changing its target', async () => {
    const workspace = makeWorkspace({ 'real/a.txt': 'a', 'real/b.txt': 'b' });
    symlinkSync('real/a.txt', workspace.path('link.txt'));
    symlinkSync('real', workspace.path('directory'));
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    edits.remove('link.txt');
    edits.remove('directory/b.txt');
    expect((await edits.commit(unlimited)).sort()).toEqual(['directory/b.txt', 'link.txt']);
    expect(readdirSync(workspace.root).sort()).toEqual(['directory', 'real']);
    expect(readdirSync(workspace.path('real'))).toEqual(['a.txt']);
  });

  test('reports a conflict if a file was changed, deleted or created since it was read', async () => {
    const rows = [
      ['changed', (root: ReturnType<typeof makeWorkspace>) => root.write('b.txt', 'other')],
      ['disappeared', (root: ReturnType<typeof makeWorkspace>) => root.remove('b.txt')],
      ['appeared', (root: ReturnType<typeof makeWorkspace>) => root.write('new/c.txt', 'there')],
    ] as const;
    for (const [what, interfere] of rows) {
      const workspace = makeWorkspace({ 'a.txt': 'a', 'b.txt': 'b' });
      const { plan } = await openForEdits(workspace);
      const edits = plan();
      edits.open('a.txt').replace(0, 1, 'A');
      edits.open('b.txt').replace(0, 1, 'B');
      edits.write('new/c.txt', 'c', { mayReplace: true });
      interfere(workspace);
      const error = await edits.commit(unlimited).catch((reason: unknown) => reason);
      expect(isExpected(error, 'edit.conflict')).toBe(true);
      expect(String(error)).toContain(what);
      expect(workspace.read('a.txt')).toBe('a');
    }
  });

  test('writes, moves and removes files in one commit, even in a cycle', async () => {
    const workspace = makeWorkspace({ 'a.txt': 'a', 'b.txt': 'b', 'gone.txt': 'x', 'sub/m.txt': 'm' });
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    edits.move('a.txt', 'spare.txt', { mayReplace: false });
    edits.move('b.txt', 'a.txt', { mayReplace: false });
    edits.move('spare.txt', 'b.txt', { mayReplace: false });
    edits.open('b.txt');
    edits.remove('gone.txt');
    edits.open('sub/m.txt').replace(0, 1, 'moved');
    edits.move('sub/m.txt', 'deep/er/n.txt', { mayReplace: false });
    expect(edits.write('new.txt', 'new\n', { mayReplace: false })).toBe(false);
    await edits.commit(unlimited);
    expect(workspace.read('a.txt')).toBe('b');
    expect(workspace.read('b.txt')).toBe('a');
    expect(existsSync(workspace.path('gone.txt'))).toBe(false);
    expect(existsSync(workspace.path('sub/m.txt'))).toBe(false);
    expect(workspace.read('deep/er/n.txt')).toBe('moved');
    expect(workspace.read('new.txt')).toBe('new\n');
  });

  test('refuses to open a missing file and to overwrite an existing one', async () => {
    const workspace = makeWorkspace({ 'a.txt': 'a', 'b.txt': 'b', 'sub/c.txt': 'c' });
    const { plan } = await openForEdits(workspace);
    const rows = [
      ['file.exists', () => plan().write('a.txt', '', { mayReplace: false })],
      ['file.exists', () => plan().move('a.txt', 'b.txt', { mayReplace: false })],
      ['file.not-found', () => plan().open('no.txt')],
      ['file.not-found', () => plan().remove('no.txt')],
      ['file.is-directory', () => plan().remove('sub')],
      ['file.is-directory', () => plan().write('sub', '', { mayReplace: true })],
      ['file.outside-project', () => plan().write('../x', '', { mayReplace: true })],
      ['file.outside-project', () => plan().move('a.txt', '/tmp/x', { mayReplace: true })],
    ] as const;
    for (const [code, act] of rows) {
      let error: unknown;
      try {
        act();
      } catch (reason) {
        error = reason;
      }
      expect([code, isExpected(error, code)]).toEqual([code, true]);
    }
    const edits = plan();
    edits.remove('a.txt');
    expect(() => edits.open('a.txt')).toThrow('a.txt');
  });

  test('leaves only the lock behind, even after a conflict, and removes directories that it created', async () => {
    const workspace = makeWorkspace({ 'a.txt': 'a' });
    const { plan, project } = await openForEdits(workspace);
    const edits = plan();
    edits.open('a.txt').replace(0, 1, 'A');
    edits.write('made/up/x.txt', 'x', { mayReplace: false });
    workspace.write('a.txt', 'z');
    const error = await edits.commit(unlimited).catch((reason: unknown) => reason);
    expect(isExpected(error, 'edit.conflict')).toBe(true);
    expect(readdirSync(workspace.root)).toEqual(['a.txt']);
    expect(readdirSync(project.state.edits)).toEqual(['lock']);
  });

  test('refuses characters that the encoding of a file does not have', async () => {
    const workspace = makeWorkspace({ '.serena/project.yml': 'encoding: latin-1\n' });
    workspace.write('a.txt', Buffer.from('gr\xfc\xdfe', 'latin1'));
    const { plan } = await openForEdits(workspace);
    const edits = plan();
    edits.open('a.txt').replace(0, 0, 'ä ');
    await edits.commit(unlimited);
    expect(bytesOf(workspace.path('a.txt'))).toBe('\xe4 gr\xfc\xdfe');
    const other = plan();
    other.open('a.txt').replace(0, 0, 'π');
    const error = await other.commit(unlimited).catch((reason: unknown) => reason);
    expect(String(error)).toContain('`π` (U+03C0)');
  });

  test('undoes earlier steps if a later file cannot be changed', () => {
    const workspace = makeWorkspace({ 'a.txt': 'a', 'closed/b.txt': 'b', 'z.txt': 'z' });
    const state = makeTempDir('state');
    giveToNobody(workspace.root);
    giveToNobody(state);
    chmodSync(workspace.path('closed'), 0o555);
    const said = runAsNobody('commit-child.ts', [workspace.root, join(state, 'edits/p')]);
    expect(said).toContain('file.no-permission');
    expect(['a.txt', 'closed/b.txt', 'z.txt'].map((path) => workspace.read(path))).toEqual(['a', 'b', 'z']);
    expect(existsSync(workspace.path('fresh'))).toBe(false);
    expect(readdirSync(join(state, 'edits/p'))).toEqual(['lock']);
    expect(readdirSync(workspace.root).sort()).toEqual(['a.txt', 'closed', 'z.txt']);
  });
});
