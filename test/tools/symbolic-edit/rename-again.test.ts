// rename_symbol with a server whose first answer to a rename leaves out references that it reports.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { startClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

const files = { 'a.py': 'def top():\n    pass\n', 'b.py': 'from a import top\n\ntop()\n' };

const replacing = (line: number, from: number, to: number) => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText: 'new_top',
});

test(
  'requests a rename again that leaves out references, as the server may still have been reading files',
  async () => {
    const first = { changes: { '{root}/a.py': [replacing(0, 4, 7)] } };
    const uses = [replacing(0, 14, 17), replacing(2, 0, 3)];
    const complete = { changes: { ...first.changes, '{root}/b.py': uses } };
    await using workspace = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', ...files });
    const stub = { answer: JSON.stringify(complete), first: JSON.stringify(first) };
    const home = makeHome(stubServers({ python: ['answers-renames', stub] }));
    await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
    const args = { name_path: 'top', relative_path: 'a.py', new_name: 'new_top' };
    const { blocks } = await client.call('rename_symbol', args);
    expect(blocks).toEqual(['Renamed `top` to `new_top`: 2 files changed.']);
    expect(readFileSync(workspace.path('b.py'), 'utf8')).toBe(files['b.py'].replaceAll('top', 'new_top'));
  },
  timeoutMs,
);
