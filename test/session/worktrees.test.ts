import { expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

test('a worktree has the symbols that a server reported for the same content in another one', async () => {
  await using main = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
  main.initGit();
  main.write('.git/info/exclude', 'private.py\n');
  const tree = join(makeTempDir(), 'tree');
  main.git('worktree', 'add', '--quiet', tree);
  writeFileSync(join(tree, 'private.py'), '');
  const gate = join(makeTempDir(), 'open');
  const home = makeHome(stubServers({ python: ['waits-for-file', { file: gate }] }));
  const overviewIn = async (root: string) => {
    await using client = await startClient({
      args: ['--project', root, '--symbol-source', 'server', '--tool-timeout', '5'],
      env: { SERENA_HOME: home },
    });
    const listed = await client.ask('list_dir', { relative_path: '.', recursive: false, skip_ignored_files: true });
    expect(listed).toContain('a.py');
    expect(listed).not.toContain('private.py');
    return await client.call('get_symbols_overview', { relative_path: 'a.py' });
  };
  writeFileSync(gate, '');
  const { text } = await overviewIn(main.root);
  expect(text).toContain('one');
  // From now on no server starts.
  rmSync(gate);
  expect((await overviewIn(tree)).text).toBe(text);
  const other = makeWorkspace({ 'a.py': main.read('a.py') });
  expect((await overviewIn(other.root)).text).toContain('has not started');
});
