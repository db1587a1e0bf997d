import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeCommands } from '../../../src/cli/code/table.ts';
import { tools } from '../../../src/tools/tools.ts';
import type { TestClient } from '../../support/client.ts';
import { startClient } from '../../support/client.ts';
import { sampleCalls } from '../../support/every-tool.ts';
import { makeHome, ownHome, sharedStore } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { rounds } from '../../support/rounds.ts';
import { TestService, whyNoService } from '../../support/service.ts';
import { testUnless } from '../../support/skip.ts';
import { copyFixture, makeWorkspace, type Workspace } from '../../support/workspace.ts';

const serviceTest = testUnless(whyNoService);
const symbol = 'pkg/models.py#Base/helper';

/** Command lines that only read, each with its exit code. */
const readingLines: readonly (readonly [code: number, ...args: string[]])[] = [
  [0, 'overview', 'pkg/models.py'],
  [0, 'find', 'Base/helper', '--body'],
  [0, 'explore', symbol],
  [0, 'refs', symbol],
  [0, 'implementations', 'pkg/models.py#Base/run'],
  [0, 'hierarchy', 'callers', symbol],
  [1, 'changed', '--base', 'HEAD'],
  [0, 'verify', '--base', 'HEAD'],
  [0, 'path', 'pkg/app.py#main', 'pkg/models.py#Base/helper'],
  [0, 'unused', 'pkg/models.py'],
  [0, 'ast', 'def $F($$$): $$$', 'pkg/models.py'],
  [1, 'affected', '--base', 'HEAD'],
  [0, 'declaration', 'pkg/app.py', 'c\\.(helper)\\(3'],
  [0, 'diagnostics', 'pkg/app.py'],
  [0, 'search', 'LIMIT'],
  [0, 'tools', 'call', 'find_symbol', '{"name_path_pattern": "Base"}', '--project', '.'],
  [0, 'project', 'is_ignored_path', 'pkg'],
  [0, 'project', 'index'],
  [0, 'project', 'index-file', 'pkg/models.py'],
  [0, 'project', 'list'],
  [0, 'memories', 'list'],
  [0, 'config', 'show', '--project', '.'],
  [0, 'config', 'get', 'encoding', '--project', '.'],
  [0, 'print-system-prompt', '.'],
];

/** Commands about code that are also tried without the background service. */
const alone = new Set(['overview', 'refs', 'verify', 'search']);

describe('nothing is created in a repository', () => {
  test('every reading command is tried', () => {
    const reading = codeCommands.filter(({ prints }) => !['edit', 'history'].includes(prints));
    const names = reading.map(({ name }) => name);
    expect(names.filter((name) => !readingLines.some(([, first]) => first === name))).toEqual([]);
  });

  test('by commands that read', async () => {
    await using project = repository();
    // Each of the others starts a server of its own as well.
    const lines = rounds(
      readingLines.filter(([, name = '']) => !codeCommands.some((command) => command.name === name) || alone.has(name)),
      readingLines,
    );
    await expectUntouched(project, { SERENA_HOME: makeHome(), ...sharedStore }, lines);
  });

  serviceTest('by commands that read in the background service', async () => {
    await using project = repository();
    await using service = new TestService(makeHome(), sharedStore);
    await expectUntouched(project, service.env, readingLines);
  });

  test('by tools that read', async () => {
    await using project = repository();
    const env = ownHome(everyTool());
    await using client = await startClient({ args: ['--project-from-cwd'], cwd: project.root, env });
    await expectUntouchedByTools(project, client);
  });

  serviceTest('by tools that read in the background service', async () => {
    await using project = repository();
    await using service = new TestService(makeHome(everyTool()), sharedStore);
    const client = await service.start({ args: ['--project-from-cwd'], cwd: project.root });
    await expectUntouchedByTools(project, client);
  });
});

describe('a project that was only read', () => {
  test('is known by its name, and gets its configuration with the first setting', async () => {
    await using project = repository();
    const env = { SERENA_HOME: makeHome(), ...sharedStore };
    const run = (...args: string[]) => runProgram(args, { cwd: project.root, env });
    await run('overview', 'pkg/models.py');
    expect((await run('project', 'list')).stdout).toContain(project.root);
    expect((await run('config', 'set', 'nonsense', 'x', '--project', '.')).code).toBe(2);
    expect((await run('config', 'set', 'ignored_paths', 'x', '--project', '.')).code).toBe(78);
    expect(project.git('status', '--porcelain')).toBe('');
    expect((await run('config', 'set', 'read_only', 'true', '--project', '.')).code).toBe(0);
    expect(project.git('status', '--porcelain', '--untracked-files=all')).toBe(
      '?? .serena/.gitignore\n?? .serena/project.yml\n',
    );
    expect(project.read('.serena/project.yml')).toContain('language_servers: [python]\n');
    expect(project.read('.serena/project.yml')).toContain('read_only: true\n');
  });

  test('gets nothing but the memory when a memory is written', async () => {
    await using project = repository();
    const env = { SERENA_HOME: makeHome(), ...sharedStore };
    const run = (...args: string[]) => runProgram(args, { cwd: project.root, env, input: 'text' });
    await run('overview', 'pkg/models.py');
    expect((await run('memories', 'write', 'core')).code).toBe(0);
    expect(project.git('status', '--porcelain', '--untracked-files=all')).toBe('?? .serena/memories/core.md\n');
  });
});

function repository(): Workspace {
  const project = copyFixture('tools');
  project.initGit();
  return project;
}

function everyTool() {
  return { base_modes: [], included_optional_tools: tools.map((tool) => tool.name) };
}

async function expectUntouched(
  project: Workspace,
  env: Readonly<Record<string, string>>,
  lines: typeof readingLines,
): Promise<void> {
  const before = entriesOf(project);
  for (const [expected, ...args] of lines) {
    const { code, stderr } = await runProgram(args, { cwd: project.root, env, timeoutMs: 240_000 });
    expect({ args, code, stderr, entries: entriesOf(project) }).toMatchObject({
      ...{ args, code: expected },
      entries: before,
    });
  }
  expect(project.git('status', '--porcelain')).toBe('');
}

async function expectUntouchedByTools(project: Workspace, client: TestClient): Promise<void> {
  const before = entriesOf(project);
  const reading = new Set(tools.filter(({ effect }) => effect === 'reads').map(({ name }) => name));
  const other = makeWorkspace({ 'there.py': '' });
  for (const { tool, args, needsIde } of sampleCalls) {
    if (!reading.has(tool) || needsIde === true || tool === 'query_project') continue;
    await client.call(tool, args);
    expect({ tool, entries: entriesOf(project) }).toEqual({ tool, entries: before });
  }
  await client.call('activate_project', { project: other.root });
  expect(entriesOf(other)).toEqual(['there.py']);
  expect(project.git('status', '--porcelain')).toBe('');
}

/** Returns the project-relative paths of all files and directories, those of Git left out. */
function entriesOf({ root }: Workspace): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => path !== '.git' && !path.startsWith('.git/'))
    .sort();
}
