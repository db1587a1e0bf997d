import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { cpp } from '../../../src/languages/cpp/servers.ts';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { expectClearError } from '../../support/clear.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { listActions } from '../../support/language-tests/code-actions.ts';
import { whyNoServer } from '../../support/server-needs.ts';
import { describeUnless } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

describe('apply_code_action', () => {
  beforeAll(() => install(typescript), installTimeoutMs);
  const files = {
    'a.ts': 'export const one = 1;\nexport const two = one + 1;\n',
    'b.ts': "import { one } from './a';\none;\n",
  };

  test('refuses an action once its file has changed, and changes nothing', async () => {
    await using project = makeWorkspace(files);
    await using client = await start(project, {});
    const [action] = await listActions(client, { relative_path: 'a.ts', name_path: 'one', kind: 'refactor.move' });
    expect(action?.offer).toBe('refactor.move.newFile: Move to a new file');
    project.write('a.ts', `// A comment\n${files['a.ts']}`);
    const refused = await client.call('apply_code_action', { id: action?.id });
    expectClearError(refused, '`a.ts` has changed since this code action was listed', 'call `code_actions` again');
    project.write('a.ts', files['a.ts']);
    // The id is valid again, also in another session.
    await using other = await start(project, {});
    expect(await other.ask('apply_code_action', { id: action?.id })).toBe(
      'Applied "Move to a new file"; changed: a.ts, b.ts, one.ts.',
    );
    await other.ask('edit_history', { action: 'undo' });
    expect(existsSync(project.path('one.ts'))).toBe(false);
    expect([project.read('a.ts'), project.read('b.ts')]).toEqual([files['a.ts'], files['b.ts']]);
  });

  test('refuses what is not an id, and actions that are not offered', async () => {
    await using project = makeWorkspace(files);
    await using client = await start(project, {});
    expectClearError(await client.call('apply_code_action', { id: 'Inline' }), 'is not an id of a code action');
    const [action] = await listActions(client, { relative_path: 'a.ts', name_path: 'one', kind: 'refactor.move' });
    const other = `${action?.id.slice(0, -8)}00000000`;
    expectClearError(await client.call('apply_code_action', { id: other }), 'no longer offers this code action');
    const outside = `../${action?.id}`;
    expectClearError(await client.call('apply_code_action', { id: outside }), 'outside the project');
    expect([project.read('a.ts'), project.read('b.ts')]).toEqual([files['a.ts'], files['b.ts']]);
  });

  test('refuses an action that would change an ignored file', async () => {
    await using project = makeWorkspace({ ...files, '.gitignore': 'b.ts\n', 'tsconfig.json': '{}' });
    await using client = await start(project, {});
    const [action] = await listActions(client, { relative_path: 'a.ts', name_path: 'one', kind: 'refactor.move' });
    expectClearError(
      await client.call('apply_code_action', { id: action?.id }),
      "ignored by the project's ignore rules",
    );
    expect(project.read('a.ts')).toBe(files['a.ts']);
  });
});

describeUnless(whyNoServer(cpp))('commands of language servers that only send edits', () => {
  beforeAll(() => install(cpp), installTimeoutMs);
  const code = 'int main() {\n  return 1 + 2 * 3;\n}\n';

  test('run in untrusted projects and as a trial, and can be undone', async () => {
    await using project = makeWorkspace({ 'main.cpp': code });
    await using client = await start(project, { isTrusted: false });
    const [action] = await listActions(client, {
      relative_path: 'main.cpp',
      name_path: 'main',
      selected_text: '2 * 3',
    });
    expect(action?.offer).toBe('refactor: Extract subexpression to variable');
    const tried = await client.ask('apply_code_action', { id: action?.id, dry_run: true });
    expect(tried).toContain('+  auto placeholder = 2 * 3;');
    expect(project.read('main.cpp')).toBe(code);
    await client.ask('apply_code_action', { id: action?.id });
    expect(project.read('main.cpp')).toContain('  auto placeholder = 2 * 3;\n  return 1 + placeholder;\n');
    expect(await client.ask('edit_history', { action: 'undo' })).toContain('1 file changed');
    expect(project.read('main.cpp')).toBe(code);
  });
});

async function start(
  project: Workspace,
  { env = {}, isTrusted = true }: { env?: Readonly<Record<string, string>>; isTrusted?: boolean },
): Promise<TestClient> {
  const trusted_project_path_patterns = isTrusted ? ['/**'] : [];
  const home = ownHome({
    included_optional_tools: ['code_actions', 'apply_code_action'],
    trusted_project_path_patterns,
  });
  return await startClient({ args: ['--project', project.root], env: { ...home, ...env } });
}
