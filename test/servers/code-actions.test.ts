import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { typescript } from '../../src/languages/typescript/servers.ts';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { expectCompiles, whyNotRun } from '../support/compiles.ts';
import { ownHome } from '../support/homes.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { describeUnless, testUnless } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { languages, type Step } from './code-action-languages.ts';
import { install, installTimeoutMs } from './opened.ts';

const tools = ['code_actions', 'apply_code_action'];

describe('code actions change code so that the project still compiles,', () => {
  for (const [name, language] of Object.entries(languages)) {
    const { spec, whyNot, files, steps, compile, env = {} } = language;
    beforeAll(async () => {
      if (whyNot === undefined && spec !== undefined) await install(spec);
    }, installTimeoutMs);
    testUnless(whyNot ?? (spec && whyNoServer(spec)) ?? whyNotRun(compile))(
      `in ${name}`,
      async () => {
        await using project = makeWorkspace(files);
        await using client = await start(project, { env });
        for (const step of steps) {
          const listed = await list(client, step.at);
          expect(listed.map(({ offer }) => offer)).toEqual([...step.offers]);
          if (step.applies === undefined) continue;
          const { id } = listed.find(({ offer }) => offer.includes(step.applies ?? '')) ?? { id: '' };
          const { blocks } = await client.call('apply_code_action', { id });
          expect(blocks.join('\n\n')).toBe(step.answer ?? '');
          for (const [path, text] of Object.entries(step.files ?? {})) expect(project.read(path)).toBe(text);
          expectCompiles(project, compile);
        }
      },
      600_000,
    );
  }
});

describe('apply_code_action', () => {
  beforeAll(() => install(typescript), installTimeoutMs);
  const files = {
    'a.ts': 'export const one = 1;\nexport const two = one + 1;\n',
    'b.ts': "import { one } from './a';\none;\n",
  };

  test('refuses an action once its file has changed, and changes nothing', async () => {
    await using project = makeWorkspace(files);
    await using client = await start(project, {});
    const [action] = await list(client, { relative_path: 'a.ts', name_path: 'one', kind: 'refactor.move' });
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
    const [action] = await list(client, { relative_path: 'a.ts', name_path: 'one', kind: 'refactor.move' });
    const other = `${action?.id.slice(0, -8)}00000000`;
    expectClearError(await client.call('apply_code_action', { id: other }), 'no longer offers this code action');
    const outside = `../${action?.id}`;
    expectClearError(await client.call('apply_code_action', { id: outside }), 'outside the project');
    expect([project.read('a.ts'), project.read('b.ts')]).toEqual([files['a.ts'], files['b.ts']]);
  });

  test('refuses an action that would change an ignored file', async () => {
    await using project = makeWorkspace({ ...files, '.gitignore': 'b.ts\n', 'tsconfig.json': '{}' });
    await using client = await start(project, {});
    const [action] = await list(client, { relative_path: 'a.ts', name_path: 'one', kind: 'refactor.move' });
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
    const [action] = await list(client, { relative_path: 'main.cpp', name_path: 'main', selected_text: '2 * 3' });
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
  const home = ownHome({ included_optional_tools: tools, trusted_project_path_patterns });
  return await startClient({ args: ['--project', project.root], env: { ...home, ...env } });
}

/** Returns the listed actions: their ids, and kind and title. */
async function list(client: TestClient, at: Step['at']): Promise<{ id: string; offer: string }[]> {
  const { text, isError } = await client.call('code_actions', at);
  expect(`${isError ? text : ''}`).toBe('');
  const pairs = text.matchAll(/^(?<id>\S+:\d+\.\d+-\d+\.\d+:(?<kind>.*):[0-9a-f]{16})\n {2}(?<title>.*)$/gm);
  return [...pairs].map(({ groups }) => ({ id: groups?.id ?? '', offer: `${groups?.kind}: ${groups?.title}` }));
}
