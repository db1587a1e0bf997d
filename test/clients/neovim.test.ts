import { expect } from 'bun:test';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programCommand } from '../support/client.ts';
import { makeHome, sharedStore } from '../support/homes.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

testUnless(whyNoProgram('nvim', '--version'))(
  'Neovim gets references, renames, and the problems of saved and unsaved texts',
  async () => {
    await using project = makeWorkspace({
      'a.py': 'def one():\n    return 1\n',
      'b.py': 'from a import one\n\nmissing_name\none()\n',
    });
    const own = { SERENA_HOME: makeHome(), SERENA_SERVICE: 'off', SERENA_COMMAND: programCommand(['lsp']).join('\n') };
    const env = {
      ...process.env,
      ...sharedStore,
      ...own,
      XDG_CONFIG_HOME: makeTempDir(),
      XDG_STATE_HOME: makeTempDir(),
    };
    const args = ['--headless', '-u', join(import.meta.dir, 'neovim.lua')];
    await promisify(execFile)('nvim', args, { cwd: project.root, env, timeout: 200_000 });
    expect(project.read('out.txt').split('\n')).toEqual([
      'references: 3',
      'problems: "missing_name" is not defined',
      'problems of the unsaved text: 0',
      '',
    ]);
    expect(project.read('a.py')).toBe('def uno():\n    return 1\n');
    expect(project.read('b.py')).toBe('from a import uno\n\nmissing_name\nuno()\n');
  },
);
