// jdtls fails at some renames to a name that other methods have. A stub stands for it, because that needs a large project.
import { expect, test } from 'bun:test';
import { startClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeWorkspace } from '../../support/workspace.ts';

test('a rename at which the server fails by itself is made by way of a name that no code has', async () => {
  const files = { 'src/Box.java': 'class Box {}\n', 'src/Use.java': 'class Use {\n    Box box;\n}\n' };
  const edit = (line: number, from: number) => ({
    range: { start: { line, character: from }, end: { line, character: from + 3 } },
    newText: '{newName}',
  });
  const answer = JSON.stringify({
    changes: { '{root}/src/Box.java': [edit(0, 6)], '{root}/src/Use.java': [edit(1, 4)] },
  });
  await using workspace = makeWorkspace(files);
  const home = makeHome(stubServers({ java: ['fails-at-renames', { newName: 'Crate', answer }] }));
  await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
  const args = { name_path: 'Box', relative_path: 'src/Box.java', new_name: 'Crate' };
  expect((await client.call('rename_symbol', args)).text).toStartWith(
    'Renamed `Box` to `Crate`: 2 files changed, 2 places',
  );
  for (const [path, text] of Object.entries(files)) expect(workspace.read(path)).toBe(text.replaceAll('Box', 'Crate'));
}, 120_000);
