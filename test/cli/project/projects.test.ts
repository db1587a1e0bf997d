import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expectClearExit } from '../../support/clear.ts';
import { makeHome } from '../../support/homes.ts';
import { type Ended, runProgram } from '../../support/program.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** Returns a function that runs `project …` with one home directory for all its calls. */
function inHome(home = makeHome()): ((cwd: string, ...args: string[]) => Promise<Ended>) & { home: string } {
  const run = (cwd: string, ...args: string[]) => runProgram(['project', ...args], { cwd, env: { SERENA_HOME: home } });
  return Object.assign(run, { home });
}

function knownIn(home: string): unknown {
  return parse(readFileSync(join(home, 'serena_config.yml'), 'utf8')).projects;
}

describe('project create', () => {
  test('writes a project file with the given name and servers, and adds it to the known projects', async () => {
    await using directory = makeWorkspace({ 'a.py': 'x = 1\n', 'b.sh': 'true\n' });
    const run = inHome();
    const create = ['create', '--name', 'a: "b"', '--ls', 'Python', '--language', 'javascript'];
    const { code, stdout, stderr } = await run(directory.root, ...create);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(directory.path('.serena/project.yml'));
    expect(stdout).toContain('Language servers: python (1 file)');
    const written = parse(directory.read('.serena/project.yml'));
    expect(written).toMatchObject({ project_name: 'a: "b"', language_servers: ['python', 'typescript'] });
    expect(written.other_language_servers).toBe(false);
    expect(directory.read('.serena/project.yml')).toContain('# ');
    expect(knownIn(run.home)).toEqual([directory.root]);
  });

  test('writes the server with most files and leaves the choice of others open', async () => {
    await using directory = makeWorkspace({ 'a.sh': 'true\n', 'b.py': 'x = 1\n', 'c.py': 'y = 1\n' });
    const { stdout } = await inHome()(directory.root, 'create');
    expect(stdout).toContain('Language servers: python (2 files), bash (1 file)');
    expect(parse(directory.read('.serena/project.yml'))).toMatchObject({
      language_servers: ['python'],
      other_language_servers: true,
    });
  });

  test('writes ids that the reference product accepts', async () => {
    await using directory = makeWorkspace({ 'a.ts': 'export const a = 1;\n' });
    await inHome()(directory.root, 'create', '--language', 'typescript_native');
    expect(parse(directory.read('.serena/project.yml')).language_servers).toEqual(['typescript_tsgo']);
  });

  test('accepts another directory, and warns if symbol tools will find nothing', async () => {
    await using directory = makeWorkspace({ 'deep/a.txt': 'a' });
    const run = inHome();
    const { stdout } = await run(directory.root, 'create', 'deep');
    expect(stdout).toContain('symbol tools will find nothing');
    expect(parse(directory.read('deep/.serena/project.yml')).language_servers).toEqual([]);
    expect(knownIn(run.home)).toEqual([directory.path('deep')]);
  });

  test('adds an existing project to the known projects, and keeps its file', async () => {
    await using directory = makeWorkspace({ '.serena/project.yml': 'project_name: old\n' });
    const run = inHome();
    for (const _ of ['first', 'second']) {
      const { code, stdout } = await run(directory.root, 'create');
      expect({ code, stdout }).toMatchObject({ code: 0 });
      expect(stdout).toStartWith(`The project exists: \`old\`: ${directory.path('.serena/project.yml')}\n`);
    }
    expect(directory.read('.serena/project.yml')).toBe('project_name: old\n');
    expect(knownIn(run.home)).toEqual([directory.root]);
  });

  test('rejects settings of an existing project and a missing directory, and writes nothing', async () => {
    await using directory = makeWorkspace({ '.serena/project.yml': 'project_name: old\n' });
    const run = inHome();
    const named = await run(directory.root, 'create', '--name', 'new');
    expectClearExit(named, 1, 'the project already has settings', 'serena config set project_name');
    expectClearExit(await run(directory.root, 'create', 'nowhere'), 1, 'nowhere');
    expect(directory.read('.serena/project.yml')).toBe('project_name: old\n');
    expect([existsSync(directory.path('nowhere')), knownIn(run.home)]).toEqual([false, []]);
  });
});

describe('project list and remove', () => {
  test('list known projects and remove them, by name or directory', async () => {
    await using all = makeWorkspace({ 'one/a.txt': '', 'two/a.txt': '', 'three/a.txt': '' });
    const run = inHome();
    for (const name of ['one', 'two', 'three']) await run(all.root, 'create', name);
    const listed = await run(all.root, 'list');
    expect(listed).toEqual({
      code: 0,
      stdout: `one    ${all.path('one')}\nthree  ${all.path('three')}\ntwo    ${all.path('two')}\n`,
      stderr: '',
    });
    expect((await run(all.root, 'remove', 'two')).code).toBe(0);
    expect((await run(all.path('one'), 'remove', '.')).stdout).toContain(all.path('one'));
    expect(knownIn(run.home)).toEqual([all.path('three')]);
    expect(existsSync(all.path('two/.serena/project.yml'))).toBe(true);
    expectClearExit(await run(all.root, 'remove', 'two'), 1, '`two`', 'three');
  });

  test('report a missing directory, which can be removed', async () => {
    await using all = makeWorkspace({ 'one/a.txt': '' });
    const run = inHome();
    await run(all.root, 'create', 'one');
    rmSync(all.path('one'), { recursive: true });
    expect((await run(all.root, 'list')).stderr).toContain(all.path('one'));
    const json = await run(all.root, 'list', '--json');
    expect(JSON.parse(json.stdout)).toEqual({ projects: [], missing: [all.path('one')] });
    expect((await run(all.root, 'remove', all.path('one'))).code).toBe(0);
    expect(knownIn(run.home)).toEqual([]);
  });

  test('report that no project is known', async () => {
    expect((await inHome()('/', 'list')).stdout).toContain('serena project create');
  });
});

describe('project is_ignored_path', () => {
  test.each([
    ['out', true],
    ['out/deep/x.js', true],
    ['src/a.py', false],
    ['src', false],
    ['mine/x', true],
    ['gone.py', false],
  ])('%s: %p', async (path, ignored) => {
    await using directory = makeWorkspace({
      '.gitignore': 'out/\n',
      'out/deep/x.js': '',
      'src/a.py': '',
      'mine/x': '',
      '.serena/project.yml': 'ignored_paths: [mine]\n',
    });
    const run = inHome();
    const { code, stdout, stderr } = await run(directory.root, 'is_ignored_path', path);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(ignored ? /^`[^`]+` is ignored\n$/ : /^`[^`]+` (is not ignored|does not exist.*)\n$/);
    const json = await run('/', 'is_ignored_path', directory.path(path), directory.root, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ path, ignored });
  });

  test('rejects a path outside the project', async () => {
    await using directory = makeWorkspace({ 'in/a.txt': '' });
    expectClearExit(await inHome()(directory.path('in'), 'is_ignored_path', '../b.txt'), 1, 'outside the project');
  });
});

test('a project can be named from any directory, but a directory of that name takes precedence', async () => {
  await using all = makeWorkspace({ 'one/out.txt': '', 'one/.gitignore': 'out.txt\n', 'here/out.txt': '' });
  const run = inHome();
  await run(all.root, 'create', 'one');
  expect((await run(all.path('here'), 'is_ignored_path', 'out.txt', 'one')).stdout).toContain('is ignored');
  mkdirSync(all.path('here/one'));
  expect((await run(all.path('here'), 'is_ignored_path', 'out.txt', 'one')).stdout).toContain('does not exist');
});
