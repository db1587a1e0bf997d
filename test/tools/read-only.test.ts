import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalToolName } from '../../src/tools/arguments.ts';
import { tools, unlistedTools } from '../../src/tools/tools.ts';
import { expectClearError } from '../support/clear.ts';
import { startClient } from '../support/client.ts';
import { sampleCalls } from '../support/every-tool.ts';
import { makeHome } from '../support/homes.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const editing = [...tools, ...unlistedTools].filter(({ effect }) => effect === 'edits').map(({ name }) => name);
/** Aliases of the editing tools that exist. */
const otherNames = ['write_file', 'run_shell_command', 'safe_delete', 'jb_rename', 'jetbrains_move', 'jb_inline'];
const names = [
  ...editing,
  ...editing.map((name) => `mcp__serena__${name}`),
  ...otherNames.filter((name) => editing.includes(canonicalToolName(name))),
];

const files = {
  '.serena/project.yml': 'project_name: p\nread_only: true\n',
  '.serena/memories/core.md': 'See',
  'notes.txt': 'a\nb\nc\n',
};
const everything = { base_modes: [], included_optional_tools: tools.map(({ name }) => name) };
/** Arguments with which the calls would succeed in a writable project. */
const argsOf = (name: string) => sampleCalls.find(({ tool }) => tool === name)?.args ?? { relative_path: 'notes.txt' };

function contentOf(project: Workspace): Record<string, string> {
  const paths = readdirSync(project.root, { recursive: true, withFileTypes: true });
  const texts = paths.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(texts.sort().map((path) => [path, readFileSync(path, 'utf8')]));
}

describe('in a read-only project', () => {
  test('no tool that edits runs, by any name', async () => {
    const project = makeWorkspace(files);
    const home = makeHome({ ...everything, projects: [project.root] });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    expect(await client.ask('read_file', { relative_path: 'notes.txt' })).toBe('a\nb\nc\n');
    const before = contentOf(project);
    for (const name of names) {
      const args = argsOf(name.replace('mcp__serena__', ''));
      const code = `await serena.${name}(${JSON.stringify(args)})`;
      const script = await client.call('run_code', { code });
      expect([name, script.isError]).toEqual([name, true]);
      expect(script.text).toMatch(/is not active|cannot be called by a script/);
      if (name.endsWith('run_code')) continue;
      const { isError, text } = await client.call(name, args);
      expect([name, isError]).toEqual([name, true]);
      expect(text).toContain(' is not active. Active tools: ');
    }
    expect(contentOf(project)).toEqual(before);
    const listed = (await client.tools()).map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(['write_memory', 'edit_memory', 'delete_memory', 'rename_memory']));
  });

  test('query_project runs no tool that changes anything, in this project or another', async () => {
    const [project, other] = [
      makeWorkspace(files),
      makeWorkspace({ ...files, '.serena/project.yml': 'project_name: o\n' }),
    ];
    const home = makeHome({ ...everything, projects: [project.root, other.root] });
    await using client = await startClient({ args: ['--project', other.root], env: { SERENA_HOME: home } });
    await client.ask('list_memories');
    const before = [contentOf(project), contentOf(other), readFileSync(join(home, 'serena_config.yml'), 'utf8')];
    const own = tools.filter(({ effect }) => effect === 'runs').map(({ name }) => name);
    expect(own).toEqual(expect.arrayContaining(['activate_project', 'remove_project', 'switch_modes']));
    for (const project_name of ['p', 'o', project.root]) {
      for (const tool_name of [...names, ...own]) {
        const tool_params = argsOf(tool_name.replace('mcp__serena__', ''));
        const answer = await client.call('query_project', { project_name, tool_name, tool_params });
        expectClearError(
          answer,
          'query_project: AssertionError: ',
          'cannot run in another project: it does more than read',
        );
      }
    }
    expect([contentOf(project), contentOf(other), readFileSync(join(home, 'serena_config.yml'), 'utf8')]).toEqual(
      before,
    );
  });

  test('onboarding is not available: it writes a memory', async () => {
    const project = makeWorkspace({ ...files, '.serena/memories/core.md': '' });
    const args = ['--project', project.root, '--context', 'claude-code'];
    await using client = await startClient({ args, env: { SERENA_HOME: makeHome() } });
    expect((await client.tools()).map(({ name }) => name)).not.toContain('onboarding');
    expect((await client.call('onboarding')).text).toContain(' is not active. Active tools: ');
    expect(readdirSync(project.path('.serena/memories'))).toEqual(['core.md']);
  });
});
