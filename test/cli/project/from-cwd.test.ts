import { describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

/** Returns the project that a server started in `cwd` activates, from its configuration overview. */
async function projectFrom(cwd: string): Promise<string> {
  await using client = await startClient({ args: ['--project-from-cwd'], cwd, env: { SERENA_HOME: makeHome() } });
  const { text } = await client.call('get_current_config');
  return /^Active project: .* \((.*)\)$/m.exec(text)?.[1] ?? text;
}

function makeNested(files: Readonly<Record<string, string>>): Workspace {
  const project = makeWorkspace(files);
  mkdirSync(project.path('outer/inner/deep'), { recursive: true });
  return project;
}

describe('--project-from-cwd finds the nearest', () => {
  test('.serena/project.yml upward', async () => {
    await using project = makeNested({ '.serena/project.yml': '', 'outer/.serena/project.yml': '' });
    expect(await projectFrom(project.path('outer/inner/deep'))).toBe(project.path('outer'));
    expect(await projectFrom(project.path('outer'))).toBe(project.path('outer'));
    expect(await projectFrom(project.root)).toBe(project.root);
  });

  test('repository upward', async () => {
    await using project = makeNested({ 'a.txt': 'a' });
    project.initGit();
    expect(await projectFrom(project.path('outer/inner/deep'))).toBe(project.root);
  });

  test('of both: a project inside a repository, a repository inside a project', async () => {
    await using project = makeNested({ 'a.txt': 'a', 'outer/.serena/project.yml': '' });
    project.initGit();
    expect(await projectFrom(project.path('outer/inner'))).toBe(project.path('outer'));
    project.git('init', '--quiet', 'outer/inner');
    expect(await projectFrom(project.path('outer/inner/deep'))).toBe(project.path('outer/inner'));
  });

  test('worktree, whose .git is a file', async () => {
    await using project = makeNested({ 'a.txt': 'a' });
    project.initGit();
    project.git('worktree', 'add', '--quiet', 'trees/fix');
    mkdirSync(project.path('trees/fix/src'));
    expect(await projectFrom(project.path('trees/fix/src'))).toBe(project.path('trees/fix'));
  });

  test('project directory, but not one with .serena only', async () => {
    await using project = makeNested({ '.serena/project.yml': '', 'outer/.serena/memories/x.md': '' });
    expect(await projectFrom(project.path('outer'))).toBe(project.root);
  });
});

test('--project-from-cwd serves without a project if it finds none, and reports why', async () => {
  const cwd = makeTempDir();
  const text = await projectFrom(cwd);
  expect(text).toStartWith('Error executing tool get_current_config: no project is active: no directory at or above');
  expect(text).toContain(cwd);
});
