// Every tool that takes a path × every forbidden path: the right error, and nothing changed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tools, unlistedTools } from '../../src/tools/tools.ts';
import { expectClearError } from '../support/clear.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { sampleCalls } from '../support/every-tool.ts';
import { fingerprint } from '../support/fingerprint.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { copyFixture, type Workspace } from '../support/workspace.ts';

/** A tool, its path parameter, and arguments with which it works if the path is valid. */
interface PathRow {
  readonly tool: string;
  readonly parameter: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const everyTool = [...tools, ...unlistedTools];
// A command may run anywhere, so `cwd` is not one of them.
const pathParameters = ['relative_path', 'reference_file', 'target_relative_path'];

/** Tools without sample calls, because clients do not see them either. */
const unlisted = [
  { tool: 'affected_files', args: {} },
  { tool: 'replace_regex', args: { relative_path: 'uni.txt', regex: 'a', repl: 'b' } },
  { tool: 'find_defining_symbol_at_location', args: { relative_path: 'pkg/app.py', line: 2, column: 6 } },
];

/** Every tool that takes a path; JetBrains tools have separate tests. */
const rows: readonly PathRow[] = everyTool
  .filter(({ toolset }) => toolset !== 'jetbrains')
  .flatMap(({ name, input }) => {
    const { args } = [...sampleCalls, ...unlisted].find(({ tool }) => tool === name) ?? { args: undefined };
    const parameters = pathParameters.filter((parameter) => parameter in input.shape);
    return parameters.map((parameter) => ({ tool: name, parameter, args: args ?? {} }));
  });

/** Tools that accept a directory. */
const takeDirectories = new Set([
  ...['list_dir', 'find_file', 'search_for_pattern', 'replace_in_files', 'execute_shell_command'],
  ...[
    'get_symbols_overview',
    'find_symbol',
    'find_referencing_symbols',
    'find_implementations',
    'symbol_hierarchy',
    'find_path',
    'find_unused',
    'search_structure',
    'explore_symbol',
    'changed_symbols',
    'affected_files',
    'verify_changes',
    'get_diagnostics_for_symbol',
  ],
  ...['replace_symbol_body', 'insert_after_symbol', 'insert_before_symbol', 'rename_symbol', 'safe_delete_symbol'],
  ...['rename_file', 'move_symbol', 'change_signature', 'rewrite_structure', 'format_code'],
]);

let project: Workspace;
let client: TestClient;

beforeAll(async () => {
  project = copyFixture('tools');
  const outside = join(dirname(project.root), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.py'), 'def make():\n    return "hidden"\n');
  symlinkSync('../outside', project.path('link'));
  symlinkSync('../outside/secret.py', project.path('link.py'));
  symlinkSync('../outside/not-yet.py', project.path('dangling.py'));
  const optional = everyTool.filter(({ stage }) => stage !== undefined).map(({ name }) => name);
  const home = makeHome({
    ...stubServers({ python: 'well-behaved' }),
    base_modes: [],
    included_optional_tools: optional,
  });
  client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  // The first call creates the directory for the files of this program.
  await client.ask('list_dir', { relative_path: '.', recursive: false });
});

afterAll(() => client.close());

/** Files of the project and beside it, without those of this program. */
const everything = () => fingerprint(dirname(project.root), (path) => path.endsWith('/.serena/cache'));

async function refuse(row: PathRow, path: string, ...parts: readonly string[]): Promise<void> {
  const before = everything();
  const answer = await client.call(row.tool, { ...row.args, [row.parameter]: path });
  expectClearError(answer, ...parts);
  expect(answer.text.length).toBeLessThan(1_000);
  expect(everything()).toBe(before);
}

test('every tool with a path is covered', () => {
  const sampled = new Set([...sampleCalls, ...unlisted].map(({ tool }) => tool));
  expect(rows.filter(({ tool }) => !sampled.has(tool))).toEqual([]);
  expect(rows.length).toBeGreaterThan(10);
});

describe.each([...rows])('$tool rejects as `$parameter`', (row) => {
  test.each(['..', '../outside/secret.py', 'pkg/../../outside/secret.py', '../outside/new.py', './pkg/../..'])(
    'what leaves the project: %s',
    (path) => refuse(row, path, 'ValueError: ', `\`${path}\``, 'is outside the project', 'hint: '),
  );

  test('an absolute path outside the project', async () => {
    for (const path of [
      '/',
      dirname(project.root),
      `${project.root}-beside/a.py`,
      `${project.root}/../outside/new.py`,
    ]) {
      await refuse(row, path, 'ValueError: ', `\`${path}\``, 'is outside the project', 'hint: ');
    }
  });

  test.each(['link', 'link/secret.py', 'link/new.py', 'link.py', 'dangling.py', 'pkg/../link/secret.py'])(
    'what leaves it through a symlink: %s',
    (path) => refuse(row, path, 'ValueError: ', 'is outside the project', 'a symlink leads to', 'hint: '),
  );

  test('an impossible file name', async () => {
    await refuse(row, 'pkg/app.py\0.txt', 'ValueError: ', 'NUL');
    await refuse(row, 'x/'.repeat(2_500), 'ValueError: ', 'it has 5000 characters');
  });
});

/** Tools that read files of libraries. */
const readLibraries = new Set(['read_file', 'find_symbol', 'explore_symbol', 'get_symbols_overview']);

describe.each(rows.filter(({ tool }) => !readLibraries.has(tool)))('$tool rejects as `$parameter`', (row) => {
  test.each(['<python>/a.py', '<node>', '&lt;go&gt;/a.go', '<ext:list.py|1a2b>'])('what is in a library: %s', (path) =>
    refuse(row, path, 'ValueError: ', 'belongs to a library, not to the project', 'hint: '),
  );
});

describe.each(rows.filter(({ tool }) => !takeDirectories.has(tool)))('$tool rejects as `$parameter`', (row) => {
  test.each(['pkg', 'pkg/', '.', ''])('a directory: %j', (path) => refuse(row, path, 'directory', 'hint: '));
});

const makesFiles = new Set(['create_text_file']);

describe.each(rows.filter(({ tool }) => !makesFiles.has(tool) && tool !== 'list_dir'))(
  '$tool rejects as `$parameter`',
  (row) => {
    test.each(['nope.py', 'nope/nope.py', 'pkg/nope.py', 'pkg/app.py/nope.py', `${'x'.repeat(300)}.py`])(
      'what is not there: %s',
      (path) => refuse(row, path, 'FileNotFoundError: ', 'does not exist in the project', 'hint: '),
    );
  },
);

describe.each(rows.filter(({ tool }) => makesFiles.has(tool)))('$tool, which creates files,', (row) => {
  test('rejects a path below a file', () =>
    refuse(row, 'pkg/app.py/new.py', 'NotADirectoryError: ', '`pkg/app.py/new.py`', 'hint: '));
  test('rejects a name that is too long', () => refuse(row, `${'x'.repeat(300)}.py`, 'xxx'));
});
