// The conformance checklist, item by item. Items that another test covers name it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { resources } from '../../src/generated/resources.ts';
import { tools, unlistedTools } from '../../src/tools/tools.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { otherProject, sampleCalls } from '../support/every-tool.ts';
import { makeHome, ownHome, stubServers } from '../support/homes.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../support/workspace.ts';
import { parametersByTool } from './parameters.ts';

const timeoutMs = 180_000;
/** Includes every tool: the optional ones, and those that the base mode `editing` excludes. */
const everything = {
  base_modes: [],
  included_optional_tools: tools.map((tool) => tool.name),
};

describe('1. tools/list', () => {
  test('of the default context names these tools, in this order', async () => {
    await using client = await startClient({ env: { SERENA_HOME: makeHome() } });
    expect((await client.tools()).map(({ name }) => name)).toEqual([
      ...['read_file', 'create_text_file', 'list_dir', 'find_file', 'search_for_pattern', 'replace_content'],
      ...['replace_in_files', 'apply_edits', 'edit_history', 'get_symbols_overview', 'find_symbol'],
      ...['find_referencing_symbols', 'find_implementations', 'find_declaration', 'symbol_hierarchy', 'explore_symbol'],
      ...['changed_symbols', 'get_diagnostics_for_file', 'replace_symbol_body', 'insert_after_symbol'],
      ...['insert_before_symbol', 'rename_symbol', 'rename_file', 'safe_delete_symbol', 'write_memory'],
      ...['read_memory', 'list_memories', 'delete_memory', 'rename_memory', 'edit_memory', 'activate_project'],
      ...['get_current_config', 'onboarding', 'initial_instructions', 'execute_shell_command'],
      // Tools of older versions.
      ...['check_onboarding_performed', 'think_about_collected_information', 'think_about_task_adherence'],
      ...['think_about_whether_you_are_done', 'prepare_for_new_conversation'],
    ]);
  });

  test('gives every tool its specified parameters and defaults', async () => {
    const home = makeHome(everything);
    // A compact list leaves out the usual defaults.
    const text = resources['contexts/desktop-app.yml'] ?? '';
    mkdirSync(join(home, 'contexts'));
    writeFileSync(join(home, 'contexts', 'desktop-app.yml'), `${text}compact_tool_list: false\n`);
    await using client = await startClient({ env: { SERENA_HOME: home } });
    const found = Object.fromEntries((await client.tools()).map((tool) => [tool.name, signatureOf(tool.inputSchema)]));
    expect(found).toEqual(parametersByTool);
  });
});

const InputSchema = z.object({
  properties: z.record(z.string(), z.looseObject({ default: z.unknown().optional() })),
  required: z.array(z.string()).default([]),
});

/** `relative_path!, start_line=0`: the form of {@link parametersByTool}. */
function signatureOf(schema: unknown): string {
  const { properties, required } = InputSchema.parse(schema);
  const parameters = Object.entries(properties).map(([name, property]) =>
    required.includes(name) ? `${name}!` : `${name}=${JSON.stringify(property.default)}`,
  );
  return parameters.join(', ');
}

describe('on the sample project, through one session,', () => {
  let workspace: Workspace;
  let client: TestClient;

  beforeAll(async () => {
    workspace = copyFixture('tools', { as: 'proj', git: true });
    const other = makeWorkspace({ 'there.py': 'def only_there():\n    pass\n' }, { as: otherProject });
    client = await startClient({
      args: ['--project', workspace.root],
      env: {
        ...ownHome({ ...everything, projects: [other.root] }),
      },
    });
    await client.ask('get_symbols_overview', { relative_path: 'pkg/models.py' });
  }, timeoutMs);

  afterAll(() => client.close());

  test('2. aliases of tools work, and none is listed', async () => {
    const read = { relative_path: 'pkg/app.py', start_line: 0, end_line: 0 };
    const aliased: readonly (readonly [name: string, args: Record<string, unknown>, expected: string])[] = [
      ['mcp__serena__read_file', read, 'from pkg.models import make, Child'],
      ['write_file', { relative_path: 'w.txt', content: 'abc' }, 'File created'],
      ['replace_regex', { relative_path: 'w.txt', regex: '(a)(b)', repl: '\\2\\1' }, 'OK'],
      ['run_shell_command', { command: 'cat w.txt' }, '"stdout":"bac"'],
      ['find_defining_symbol', { relative_path: 'pkg/app.py', regex: 'c\\.(helper)\\(3' }, 'Base/helper'],
      ['safe_delete', { name_path: 'make2', relative_path: 'pkg/models.py' }, 'Deleted `make2`'],
    ];
    for (const [name, args, expected] of aliased) {
      expect([name, await client.ask(name, args)]).toEqual([name, expect.stringContaining(expected)]);
    }
    workspace.git('checkout', '--quiet', '.');
    const listed = (await client.tools()).map(({ name }) => name);
    const others = [...aliased.map(([name]) => name), ...unlistedTools.map((tool) => tool.name)];
    expect(listed.filter((name) => others.includes(name))).toEqual([]);
  });

  test('2. `jetbrains_…` and `jb_…` mean `jet_brains_…`', async () => {
    for (const name of ['jetbrains_find_symbol', 'jb_find_symbol']) {
      const answer = await client.call(name, { name_path: 'x' });
      expect(answer.text).toContain('ServerNotFoundError');
    }
  });

  test('3. status literals are the specified ones', async () => {
    const exact: readonly (readonly [name: string, args: Record<string, unknown>, text: string])[] = [
      ['create_text_file', { relative_path: 'x/n.txt', content: 'a\n' }, 'File created: x/n.txt.'],
      [
        'create_text_file',
        { relative_path: 'x/n.txt', content: 'b\n' },
        'File created: x/n.txt. Overwrote existing file.',
      ],
      ['replace_content', { relative_path: 'x/n.txt', needle: 'b', repl: 'c', mode: 'literal' }, 'OK'],
      ['write_memory', { memory_name: 'a/b', content: 'text' }, 'Memory a/b written.'],
      [
        'edit_memory',
        { memory_name: 'a/b', needle: 'text', repl: 'T', mode: 'literal' },
        'Memory a/b edited successfully.',
      ],
    ];
    for (const [name, args, text] of exact) expect(await client.ask(name, args)).toBe(text);
  });

  test(
    '6. an answer is within its limit, or the bare notice',
    async () => {
      const limited = tools.filter((tool) => 'max_answer_chars' in tool.input.shape && tool.effect === 'reads');
      const calls = sampleCalls.filter(
        ({ tool, refusal, needsIde }) => !refusal && !needsIde && limited.some(({ name }) => name === tool),
      );
      expect(calls.length).toBeGreaterThan(7);
      for (const { tool, args } of calls) {
        const whole = await client.ask(tool, args);
        for (const limit of [1, 40, 90, 150, 250, 400, 700, [...whole].length - 1, [...whole].length]) {
          if (limit <= 0) continue;
          const text = await client.ask(tool, { ...args, max_answer_chars: limit });
          const isBareNotice = /^The answer has [^\n]*$/.test(text);
          expect([tool, limit, isBareNotice || [...text].length <= limit]).toEqual([tool, limit, true]);
          if (limit >= [...whole].length) expect(text).toBe(whole);
        }
      }
    },
    timeoutMs,
  );
});

describe('9. a read-only project', () => {
  test('runs no tool that edits, by any name, nor through another project', async () => {
    const workspace = copyFixture('tools', { as: 'proj', git: true });
    workspace.write('.serena/project.yml', 'project_name: reaper\nread_only: true\n');
    workspace.git('add', '--all', '--force');
    workspace.git('commit', '--quiet', '--message=Guard');
    const env = { SERENA_HOME: makeHome({ ...everything, projects: [workspace.root] }) };
    await using client = await startClient({ args: ['--project', workspace.root], env });
    const editing = tools.filter((tool) => tool.effect === 'edits' && !tool.editsThroughTools).map((tool) => tool.name);
    const older = ['write_file', 'run_shell_command', 'safe_delete', 'replace_regex', 'mcp__serena__delete_lines'];
    for (const name of [...editing, ...older, 'jetbrains_rename']) {
      const answer = await client.call(name, sampleCalls.find(({ tool }) => tool === name)?.args ?? {});
      expect([name, answer.isError, answer.text]).toEqual([name, true, expect.stringContaining('is not active')]);
    }
    const code = 'await serena.create_text_file({ relative_path: "new.txt", content: "" })';
    expect((await client.call('run_code', { code })).text).toContain('is not active');
    for (const name of [...editing, ...older, 'run_code']) {
      const args = { project_name: 'reaper', tool_name: name, tool_params_json: '{}' };
      const answer = await client.call('query_project', args);
      expect([name, answer.isError]).toEqual([name, true]);
    }
    expect(workspace.git('status', '--porcelain')).toBe('');
  });
});

describe('10. without any language server', () => {
  test('every tool that is not about symbols works', async () => {
    const workspace = copyFixture('tools', { as: 'proj', git: true });
    const other = makeWorkspace({ 'notes.txt': 'only_there\n' }, { as: otherProject });
    const broken = stubServers({ python: { command: ['/nonexistent/language-server'] } });
    const env = { SERENA_HOME: makeHome({ ...everything, ...broken, projects: [other.root] }) };
    await using client = await startClient({ args: ['--project', workspace.root], env, cwd: workspace.root });
    const isAboutSymbols = (name: string) =>
      /symbol|find_path|find_unused|signature|declaration|implementations|diagnostics|code_actions|format_code|jet_brains/.test(
        name,
      ) || name === 'query_project';
    for (const { tool, args, expected, refusal } of sampleCalls.filter(({ tool: name }) => !isAboutSymbols(name))) {
      const answer = await client.call(tool, args);
      expect([tool, answer.isError, answer.text]).toEqual([
        tool,
        refusal !== undefined,
        expect.stringContaining(expected),
      ]);
    }
    const names = tools.map((tool) => tool.name).filter((name) => !isAboutSymbols(name));
    expect(names.filter((name) => !sampleCalls.some(({ tool }) => tool === name))).toEqual([]);
  });
});
