import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearError } from '../../support/clear.ts';
import { startClient } from '../../support/client.ts';
import { makeHome, noServers } from '../../support/homes.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const files = { 'a.txt': 'one\ntwo\n', 'b.txt': 'two\n' };

function startIn({ root }: Workspace, home: string) {
  return startClient({ args: ['--project', root, '--context', 'agent'], env: { SERENA_HOME: home } });
}

describe('edit_history', () => {
  test('undoes and redoes an edit of several files, also after a restart', async () => {
    const workspace = makeWorkspace(files);
    const home = makeHome(noServers());
    {
      await using client = await startIn(workspace, home);
      await client.call('replace_in_files', { needle: 'two', repl: 'deux', mode: 'literal' });
      await client.call('create_text_file', { relative_path: 'new/c.txt', content: 'c' });
      expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['one\ndeux\n', 'deux\n']);
    }
    await using client = await startIn(workspace, home);
    const listed = await client.call('edit_history', { action: 'list' });
    expect(listed.text.replaceAll(/\S+Z /g, '')).toBe(
      '1. create_text_file: new/c.txt\n2. replace_in_files: a.txt, b.txt',
    );
    const undone = await client.call('edit_history', { action: 'undo', count: 2 });
    expect(undone.text).toBe('Undid 2 edits (create_text_file, replace_in_files): 3 files changed.');
    expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['one\ntwo\n', 'two\n']);
    expect(statSync(workspace.path('new'), { throwIfNoEntry: false })).toBeUndefined();
    const redone = await client.call('edit_history', { action: 'redo', count: 1 });
    expect(redone.text).toBe('Redid 1 edit (replace_in_files): 2 files changed.');
    expect(workspace.read('b.txt')).toBe('deux\n');
    await client.call('edit_history', { action: 'redo' });
    expect(workspace.read('new/c.txt')).toBe('c');
    const again = await client.call('edit_history', { action: 'redo' });
    expect(again.text).toContain('cannot redo: there are 0 undone edits; nothing was changed');
  });

  test('refuses to undo all files if one has changed since, and names it', async () => {
    const workspace = makeWorkspace(files);
    await using client = await startIn(workspace, makeHome(noServers()));
    await client.call('replace_in_files', { needle: 'two', repl: 'deux', mode: 'literal' });
    workspace.write('b.txt', 'somebody');
    const answer = await client.call('edit_history', { action: 'undo' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('cannot undo: `b.txt` has changed since; nothing was changed');
    expect(workspace.read('a.txt')).toBe('one\ndeux\n');
  });

  test('undoes an edit that is larger than the history, and those before it', async () => {
    const large = 'x'.repeat(40 * 1024 * 1024);
    const workspace = makeWorkspace({ ...files, 'large.txt': `two\n${large}` });
    await using client = await startIn(workspace, makeHome(noServers()));
    const edit = { needle: 'two', repl: 'deux', mode: 'literal' };
    for (const relative_path of ['a.txt', 'large.txt']) await client.ask('replace_content', { relative_path, ...edit });
    expect(await client.ask('edit_history', { action: 'undo', count: 2 })).toContain('Undid 2 edits');
    expect(workspace.read('a.txt')).toBe('one\ntwo\n');
    expect(workspace.read('large.txt') === `two\n${large}`).toBe(true);
  });

  test('keeps the order of edits if the clock was ahead and is set back', async () => {
    const workspace = makeWorkspace(files);
    const home = makeHome(noServers());
    await using client = await startIn(workspace, home);
    const write = (content: string) => client.ask('create_text_file', { relative_path: 'a.txt', content });
    await write('first');
    const [project = ''] = readdirSync(join(home, 'edits')).filter((name) => name !== 'memories');
    const history = join(home, 'edits', project, 'history');
    const [record = ''] = readdirSync(history).filter((name) => name.endsWith('.json'));
    const yearMs = 365 * 24 * 60 * 60 * 1000;
    renameSync(join(history, record), join(history, record.replace(/^\d+/, `${Date.now() + yearMs}`)));
    await write('second');
    await write('third');
    const contents: string[] = [];
    for (const action of ['undo', 'undo', 'redo', 'undo', 'undo']) {
      await client.ask('edit_history', { action });
      contents.push(workspace.read('a.txt'));
    }
    expect(contents).toEqual(['second', 'first', 'second', 'first', 'one\ntwo\n']);
  });

  test('refuses to undo a move while a directory or a link has the old name', async () => {
    const workspace = makeWorkspace(files);
    await using client = await startIn(workspace, makeHome(noServers()));
    await client.call('rename_file', { relative_path: 'a.txt', new_relative_path: 'moved.txt' });
    for (const take of [
      () => mkdirSync(workspace.path('a.txt')),
      () => symlinkSync('b.txt', workspace.path('a.txt')),
    ]) {
      rmSync(workspace.path('a.txt'), { force: true, recursive: true });
      take();
      const answer = await client.call('edit_history', { action: 'undo' });
      expectClearError(answer, 'cannot undo: `a.txt` has changed since; nothing was changed', 'hint: ');
      expect([workspace.read('moved.txt'), workspace.read('b.txt')]).toEqual(['one\ntwo\n', 'two\n']);
    }
  });

  test('leaves edits of a session that is still running to that session', async () => {
    const workspace = makeWorkspace(files);
    const home = makeHome(noServers());
    await using own = await startIn(workspace, home);
    await using other = await startIn(workspace, home);
    await own.call('create_text_file', { relative_path: 'a.txt', content: 'own' });
    expect((await other.call('edit_history', { action: 'list' })).text).toBe('There are no edits to undo or redo.');
    expect((await other.call('edit_history', { action: 'undo' })).isError).toBe(true);
    await own.call('edit_history', { action: 'undo' });
    expect(workspace.read('a.txt')).toBe('one\ntwo\n');
  });
});

describe('a dry run', () => {
  test('returns a diff and writes nothing', async () => {
    const workspace = makeWorkspace(files);
    await using client = await startIn(workspace, makeHome(noServers()));
    const args = { relative_path: 'a.txt', needle: 'two', repl: 'deux', mode: 'literal', dry_run: true };
    const { text } = await client.call('replace_content', args);
    expect(text).toBe(
      [
        'Nothing was changed. The edit would change 1 file:',
        '--- a/a.txt',
        '+++ b/a.txt',
        '@@ -1,2 +1,2 @@',
        ' one',
        '-two',
        '+deux',
      ].join('\n'),
    );
    expect(workspace.read('a.txt')).toBe('one\ntwo\n');
    const created = await client.call('create_text_file', { relative_path: 'n.txt', content: 'n', dry_run: true });
    expect(created.text).toContain('--- /dev/null\n+++ b/n.txt\n');
    expect(statSync(workspace.path('n.txt'), { throwIfNoEntry: false })).toBeUndefined();
    expect((await client.call('edit_history', { action: 'list' })).text).toBe('There are no edits to undo or redo.');
  });
});

describe('apply_edits', () => {
  const replacing = (needle: string, repl: string) => ({
    tool: 'replace_content',
    arguments: { relative_path: 'a.txt', needle, repl, mode: 'literal' },
  });

  test('makes all edits in one commit, and later ones see earlier ones', async () => {
    const workspace = makeWorkspace(files);
    await using client = await startIn(workspace, makeHome(noServers()));
    const creating = { tool: 'create_text_file', arguments: { relative_path: 'c.txt', content: 'c' } };
    const edits = [replacing('two', 'deux'), creating, replacing('one\ndeux', 'un\ndeux')];
    const preview = await client.call('apply_edits', { edits, dry_run: true });
    expect(preview.text).toContain('-one\n-two\n+un\n+deux\n');
    expect(workspace.read('a.txt')).toBe('one\ntwo\n');
    const answer = await client.call('apply_edits', { edits });
    expect(answer.text).toBe(
      '1. replace_content: OK\n2. create_text_file: File created: c.txt.\n3. replace_content: OK\n2 files changed.',
    );
    expect([workspace.read('a.txt'), workspace.read('c.txt')]).toEqual(['un\ndeux\n', 'c']);
    await client.call('edit_history', { action: 'undo' });
    expect(workspace.read('a.txt')).toBe('one\ntwo\n');
  });

  test('makes no edit if one fails, and names it', async () => {
    const workspace = makeWorkspace(files);
    await using client = await startIn(workspace, makeHome(noServers()));
    const answer = await client.call('apply_edits', { edits: [replacing('two', 'deux'), replacing('two', 'drei')] });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('edit 2 (`replace_content`)');
    expect(answer.text).toContain('no edit of the list was made');
    expect(workspace.read('a.txt')).toBe('one\ntwo\n');
    const reading = await client.call('apply_edits', { edits: [{ tool: 'read_file', arguments: {} }] });
    expect(reading.text).toContain('edit 1 (`read_file`) is not an active tool that edits files');
  });

  test('refuses a project-wide edit after another one', async () => {
    const workspace = makeWorkspace(files);
    await using client = await startIn(workspace, makeHome(noServers()));
    const all = { tool: 'replace_in_files', arguments: { needle: 'two', repl: 'deux', mode: 'literal' } };
    const answer = await client.call('apply_edits', { edits: [replacing('one', 'two'), all] });
    expect(answer.text).toContain('edit 2 (`replace_in_files`): it reads the project as it is on disk');
    await client.call('apply_edits', { edits: [all, replacing('deux', 'drei')] });
    expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['one\ndrei\n', 'deux\n']);
  });
});
