// A dry run while another session asks the same language server.
import { expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { startHttp } from '../../support/http.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

test('while a dry run shows the server its text, another session waits and gets answers about the text on disk', async () => {
  const held = join(makeTempDir(), 'release');
  const code = 'def shop():\n    doubt\n\n\nshop()\n';
  const workspace = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', 'a.py': code });
  const home = makeHome(stubServers({ python: ['answers-diagnostics', { held }] }));
  const args = ['--project', workspace.root];
  await using server = await startHttp({ transport: 'streamable-http', args, env: { SERENA_HOME: home } });
  await using editor = await server.connect();
  await using reader = await server.connect();
  const references = { name_path: 'shop', relative_path: 'a.py' };
  const diagnostics = { relative_path: 'a.py' };
  const ask = () =>
    Promise.all([
      reader.ask('find_referencing_symbols', references),
      reader.ask('get_diagnostics_for_file', diagnostics),
    ]);
  const before = await ask();
  const edit = {
    relative_path: 'a.py',
    needle: 'doubt',
    repl: 'trial = shop\n    fault',
    mode: 'literal',
    dry_run: true,
  };
  const preview = editor.call('replace_content', edit);
  await eventually('the server to have the text of the dry run', () => existsSync(`${held}.asked`));
  const answers = ask();
  // A later call of the same session: the two before have begun.
  expect(await reader.ask('read_file', { relative_path: 'a.py' })).toContain('doubt');
  writeFileSync(held, '');
  expect(await answers).toEqual(before);
  expect((await preview).text).toContain('a.py:2: error: fault');
  expect(workspace.read('a.py')).toBe(code);
});
