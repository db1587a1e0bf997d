// Gaps and notes of the file tools, and their answers if a result is empty or too long.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { asNobody, whyNoOtherUser } from '../../support/other-user.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const many = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`many/part-${index % 4}/deep/file-${index}.txt`, 'needle\n'.repeat(5)]),
);

let project: Workspace;
let client: TestClient;

beforeAll(async () => {
  project = makeWorkspace({
    '.gitignore': 'build/\n*.log\n',
    'src/models.py': 'needle = 1\n',
    'src/views.py': 'needle = 2\n',
    'build/models.py': 'needle = 3\n',
    'build/only.gen': '',
    'run.log': '',
    'long.txt': `${Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n')}\n`,
    '.serena/memories/note.md': 'needle\n',
    ...many,
  });
  project.git('init', '--quiet');
  const home = makeHome(stubServers({ python: 'well-behaved' }));
  client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
});

afterAll(() => client.close());

const find = async (args: object) => (await client.call('find_file', { relative_path: '.', ...args })).blocks;

describe('find_file', () => {
  test('lists files that are not ignored, and counts ignored ones', async () => {
    expect(await find({ file_mask: 'models.py' })).toEqual([
      '{"files": ["src/models.py"]}',
      'Note:\n- 1 ignored file also matches; pass `skip_ignored_files` false to list it',
    ]);
    expect(await find({ file_mask: 'views.py' })).toEqual(['{"files": ["src/views.py"]}']);
  });

  test('lists ignored files if nothing else matches', async () => {
    expect(await find({ file_mask: '*.gen' })).toEqual([
      '{"files": ["build/only.gen"]}',
      'Note:\n- All files listed here are ignored by the ignore rules of the project',
    ]);
    expect(await find({ file_mask: '*.gen', relative_path: 'build' })).toEqual(['{"files": ["build/only.gen"]}']);
  });

  test('follows `skip_ignored_files`', async () => {
    expect(await find({ file_mask: 'models.py', skip_ignored_files: true })).toEqual(['{"files": ["src/models.py"]}']);
    expect(await find({ file_mask: '*.gen', skip_ignored_files: true })).toEqual(['{"files": []}']);
    expect(await find({ file_mask: 'models.py', skip_ignored_files: false })).toEqual([
      '{"files": ["build/models.py", "src/models.py"]}',
    ]);
  });

  test('searches .git only if it is named', async () => {
    expect(await find({ file_mask: 'HEAD' })).toEqual(['{"files": []}']);
    expect(await find({ file_mask: 'HEAD', skip_ignored_files: false })).toEqual(['{"files": []}']);
    expect(await find({ file_mask: 'HEAD', relative_path: '.git' })).toEqual(['{"files": [".git/HEAD"]}']);
  });

  test('suggests names if nothing matches', async () => {
    expect(await find({ file_mask: 'modles.py' })).toEqual([
      '{"files": []}',
      'Note:\n- Nothing matches; similar names are `models.py`',
    ]);
    expect(await find({ file_mask: 'src/models.py' })).toEqual([
      '{"files": []}',
      'Note:\n- `file_mask` matches file names without directories; pass the directory as `relative_path`',
    ]);
    expect(await find({ file_mask: '*.zzz' })).toEqual(['{"files": []}']);
  });

  test('counts by directory if the list is too long', async () => {
    const [text = ''] = await find({ file_mask: 'file-*', max_answer_chars: 300 });
    expect(text).toStartWith('The answer has ');
    expect(text).toContain('"many/part-0/deep": 10');
    const [brief = ''] = await find({ file_mask: 'file-*', max_answer_chars: 170 });
    expect(brief).toEndWith('Number of files by directory:\n{"many": 40}');
  });
});

describe('list_dir', () => {
  const list = async (args: object) => JSON.parse(await client.ask('list_dir', { recursive: true, ...args }));

  test('shows a .git directory and enters it only if it is named', async () => {
    const { dirs, files } = await list({ relative_path: '.' });
    expect(dirs).toContain('.git');
    expect([...dirs, ...files].filter((path: string) => path.startsWith('.git/'))).toEqual([]);
    expect(files).toContain('build/only.gen');
    expect((await list({ relative_path: '.git' })).files).toContain('.git/HEAD');
  });

  test('counts by directory if the list is too long', async () => {
    const text = await client.ask('list_dir', { recursive: true, relative_path: 'many', max_answer_chars: 170 });
    expect(text).toEndWith('Number of files by directory:\n{"many": 40}');
  });

  testUnless(whyNoOtherUser())('names directories that it cannot read', async () => {
    const locked = makeWorkspace({ 'a/x.py': 'needle', 'b/y.py': 'needle' });
    const home = makeHome();
    const open = (path: string, mode: number) => chmodSync(path, mode);
    for (const path of [dirname(locked.root), dirname(home), locked.root, locked.path('a'), home]) open(path, 0o777);
    open(locked.path('b'), 0o700);
    await using other = await startClient({
      args: ['--project', locked.root],
      env: { SERENA_HOME: home, HOME: makeTempDir('nobody') },
      wrapper: asNobody,
    });
    const call = (tool: string, args: object) => other.call(tool, { ...args });
    const gap =
      'Incomplete:\n- `b`: the content of this directory is not listed: reading failed. Check its permissions, and the length of the path.';
    expect((await call('list_dir', { relative_path: '.', recursive: true, skip_ignored_files: true })).blocks[1]).toBe(
      gap,
    );
    expect((await call('find_file', { relative_path: '.', file_mask: '*.py' })).blocks[1]).toBe(gap);
    expect((await call('list_dir', { relative_path: 'b', recursive: false })).text).toContain('permission denied');
    const searched = await call('search_for_pattern', { substring_pattern: 'needle' });
    expect(searched.blocks[1]).toContain('`b/` was not searched: reading them failed');
  });
});

describe('an answer over the limit', () => {
  test('of read_file states the number of lines and what to pass', async () => {
    const answer = await client.ask('read_file', { relative_path: 'long.txt', max_answer_chars: 400 });
    expect(answer).toContain('`long.txt` has 301 lines (0 to 300), the longest with 8 characters.');
    expect(answer).toContain('`start_line` and `end_line`');
    const part = { relative_path: 'long.txt', start_line: 10, end_line: 209, max_answer_chars: 400 };
    expect(await client.ask('read_file', part)).toContain('301 lines (0 to 300), 200 of them requested');
  });

  test('of search_for_pattern counts by directory', async () => {
    const search = { substring_pattern: 'needle', relative_path: 'many', max_answer_chars: 320 };
    const answer = await client.ask('search_for_pattern', search);
    expect(answer).toContain('Number of files with matches by directory:\n{"many/part-0/deep": 10,');
  });

  test('counts one file as one', async () => {
    const search = { substring_pattern: '.', relative_path: 'long.txt', max_answer_chars: 130 };
    expect(await client.ask('search_for_pattern', search)).toMatch(/Number of|in 1 file\.$/);
  });
});

describe('replace_in_files', () => {
  const replace = { needle: 'needle', repl: 'pin', mode: 'literal', dry_run: true };
  const note = () => readFileSync(project.path('.serena/memories/note.md'), 'utf8');

  test('does not change .serena unless a path names it', async () => {
    expect(await client.ask('replace_in_files', replace)).not.toContain('.serena');
    for (const named of [{ relative_path: '.serena' }, { paths_include_glob: '.serena/**' }]) {
      const listed = await client.ask('replace_in_files', { ...replace, ...named });
      expect(listed).toContain('.serena/memories/note.md (1 occurrence(s))');
    }
    await client.ask('replace_in_files', { ...replace, dry_run: false });
    expect(note()).toBe('needle\n');
    expect(project.read('src/models.py')).toBe('pin = 1\n');
  });

  test('rejects .git', async () => {
    const answer = await client.call('replace_in_files', { ...replace, needle: 'ref', relative_path: '.git' });
    expect(answer.isError).toBe(true);
  });
});
