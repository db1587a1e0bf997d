// Directories in directories, deeper than a path can say: the answers end, and say what they leave out.
import { expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { startClient } from '../support/client.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** More than twice the depth that paths on Linux reach; removing more takes minutes. */
const depth = 5_000;
/** Each is made in the last one: a path to it would be too long. */
const make = `for (1..${depth}) { mkdir "d" or die $!; chdir "d" or die $!; } open(my $f, ">", "last.py") or die $!; print $f "needle\\n";`;

testUnless(process.platform === 'win32' ? 'Windows has no such paths' : whyNoProgram('perl'))(
  `a project with ${depth} nested directories is searched as deep as paths reach, and the answer says so`,
  async () => {
    const { root } = makeWorkspace({ 'a.py': 'needle\n', 'e/b.py': 'needle\n' });
    try {
      const made = spawnSync('perl', ['-e', make], { cwd: root });
      expect({ status: made.status, stderr: made.stderr.toString() }).toEqual({ status: 0, stderr: '' });
      await using client = await startClient({
        args: ['--project', root],
        env: { SERENA_HOME: makeHome(noServers()) },
      });
      const found = await client.call('search_for_pattern', { substring_pattern: 'needle' });
      expect(JSON.parse(found.text)).toEqual({ 'a.py': ['  >   0:needle'], 'e/b.py': ['  >   0:needle'] });
      expect(found.blocks[1]).toMatch(/^Incomplete:\n- `(d\/)+…` was not searched: reading them failed\. /);
      const files = await client.call('find_file', { relative_path: '.', file_mask: '*.py' });
      expect(JSON.parse(files.text)).toEqual({ files: ['a.py', 'e/b.py'] });
      expect(files.blocks[1]).toContain('the content of this directory is not listed');
      const listing = await client.call('list_dir', { relative_path: '.', recursive: true });
      expect(listing.blocks.join('\n')).toContain('the content of this directory is not listed');
      const renamed = { needle: 'needle', repl: 'pin', mode: 'literal' };
      const replaced = await client.call('replace_in_files', renamed);
      expect(replaced.blocks.join('\n')).toMatch(/Incomplete:\n- `(d\/)+…` was not searched/);
    } finally {
      spawnSync('rm', ['-rf', root]);
    }
  },
  180_000,
);
