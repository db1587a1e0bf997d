import { describe, expect, test } from 'bun:test';
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearExit } from '../../support/clear.ts';
import { makeHome } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const config = (home: string, ...args: string[]) => runProgram(['config', ...args], { env: { SERENA_HOME: home } });

function homeWith(text: string): { home: string; read: () => string } {
  const home = makeTempDir('home');
  const path = join(home, 'serena_config.yml');
  writeFileSync(path, text);
  return { home, read: () => readFileSync(path, 'utf8') };
}

describe('config set', () => {
  test('changes one value and keeps comments, unknown keys and the layout of others', async () => {
    const { home, read } = homeWith(
      "# mine\ntool_timeout: 240   # seconds\nof_the_future: {a:   1}\nexcluded_tools:\n  - 'x' # why\nprojects: []\n",
    );
    const set = await config(home, 'set', 'tool_timeout', '60');
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(set.stdout).toBe(`Set tool_timeout to 60 in ${join(home, 'serena_config.yml')}\n`);
    await config(home, 'set', 'symbol_source', 'syntax');
    expect(read()).toBe(
      "# mine\ntool_timeout: 60   # seconds\nof_the_future: {a:   1}\nexcluded_tools:\n  - 'x' # why\nprojects: []\nsymbol_source: syntax\n",
    );
    expect(await config(home, 'get', 'tool_timeout')).toEqual({
      code: 0,
      stdout: '60\n',
      stderr: `from ${join(home, 'serena_config.yml')}\n`,
    });
  });

  test('creates the file from the template, and sets keys of maps', async () => {
    const home = makeTempDir('home');
    expect((await config(home, 'set', 'ls_specific_settings.python.ls_path', '/own/server')).code).toBe(0);
    expect((await config(home, 'get', 'ls_specific_settings.python.ls_path')).stdout).toBe('/own/server\n');
    expect((await config(home, 'get', 'ls_specific_settings.go')).stdout).toBe('null\n');
    expect(readFileSync(join(home, 'serena_config.yml'), 'utf8')).toContain('#');
  });

  test.each([
    ['tool_timeout', 'soon', 78, 'key `tool_timeout`: must be a number; found `soon`'],
    ['excluded_tools', 'x', 78, 'key `excluded_tools`: must be a list'],
    ['fixed_tools', '[read_file]', 78, 'nothing was changed'],
    ['tool_timeout.x', '1', 78, 'nothing was changed'],
    ['custom_language_servers.mine.files', '{x: y}', 78, 'nothing was changed'],
    ['tol_timeout', '1', 2, 'did you mean `tool_timeout`?'],
    ['activation_command', 'make', 2, '`serena_config.yml` has no key `activation_command`'],
  ])('of %s to %j is an error, and the file is as before', async (key, value, code, problem) => {
    const text = 'tool_timeout: 5\nexcluded_tools: [x]\n';
    const { home, read } = homeWith(text);
    expectClearExit(await config(home, 'set', key, value), code, problem);
    expect(read()).toBe(text);
  });

  test('writes the files of a project, and reports what has no effect', async () => {
    await using project = makeWorkspace({ '.serena/project.yml': 'project_name: a # name\n' });
    const home = makeHome();
    const set = (...args: string[]) => config(home, 'set', ...args, '--project', project.root);
    expect(await set('project_name', '1.0')).toMatchObject({ code: 0, stderr: '' });
    expect(project.read('.serena/project.yml')).toBe('project_name: "1.0" # name\n');
    expect((await set('symbol_source', 'syntax', '--local')).stderr).toBe('');
    const overridden = await set('symbol_source', 'server');
    expect(overridden.stderr).toBe(
      `It has no effect: syntax is used, from ${project.path('.serena/project.local.yml')}\n`,
    );
    const untrusted = await set('activation_command', 'make');
    expect(untrusted.stderr).toContain('the value of project is ignored: the project is not trusted');
    const { stdout } = await config(home, 'get', 'symbol_source', '--project', project.root, '--json');
    expect(JSON.parse(stdout)).toEqual({ key: 'symbol_source', value: 'syntax', from: ['local'] });
  });

  test('writes the first file of a project with its main language, and a .gitignore for the local one', async () => {
    await using project = makeWorkspace({ 'a.py': '', 'b.sh': '', 'c.sh': '' });
    await using other = makeWorkspace({ 'a.py': '' });
    const home = makeHome();
    expect((await config(home, 'set', 'read_only', 'true', '--project', project.root)).code).toBe(0);
    expect(project.read('.serena/project.yml')).toContain('\nlanguage_servers: [bash]\n');
    expect((await config(home, 'get', 'read_only', '--project', project.root)).stdout).toBe('true\n');
    expect((await config(home, 'set', 'read_only', 'true', '--local', '--project', other.root)).code).toBe(0);
    expect(other.read('.serena/.gitignore')).toContain('/project.local.yml\n');
    expect(existsSync(other.path('.serena/project.yml'))).toBe(false);
    expectClearExit(await config(home, 'set', 'read_only', 'true', '--local'), 2, '`--local` needs a project');
  });

  test('neither reads nor writes what a link of an untrusted project leads to', async () => {
    const secret = join(makeTempDir('outside'), 'secret.yml');
    writeFileSync(secret, 'project_name: secret\n');
    await using project = makeWorkspace({ 'a.py': '' });
    project.write('.serena/x', '');
    symlinkSync(secret, project.path('.serena/project.yml'));
    const ended = await config(makeHome(), 'set', 'read_only', 'true', '--project', project.root);
    expect(ended.code).toBe(78);
    expect(ended.stdout + ended.stderr).not.toContain('project_name');
    expect(readFileSync(secret, 'utf8')).toBe('project_name: secret\n');
    expect(lstatSync(project.path('.serena/project.yml')).isSymbolicLink()).toBe(true);

    const outside = makeTempDir('outside');
    await using other = makeWorkspace({ 'a.py': '' });
    symlinkSync(outside, other.path('.serena'));
    expect((await config(makeHome(), 'set', 'read_only', 'true', '--project', other.root, '--local')).code).toBe(78);
    expect(existsSync(join(outside, 'project.local.yml'))).toBe(false);
  });

  test('keeps both of two changes at the same time', async () => {
    const { home } = homeWith('projects: []\n');
    await Promise.all([config(home, 'set', 'tool_timeout', '7'), config(home, 'set', 'symbol_info_budget', '8')]);
    expect((await config(home, 'get', 'tool_timeout')).stdout).toBe('7\n');
    expect((await config(home, 'get', 'symbol_info_budget')).stdout).toBe('8\n');
  });
});

test('config get reports defaults, hides secrets and knows no other keys', async () => {
  const home = makeHome({ auth_secret: 'hush' });
  expect(await config(home, 'get', 'base_modes')).toEqual({
    code: 0,
    stdout: '["interactive","editing"]\n',
    stderr: 'from the default\n',
  });
  expect((await config(home, 'get', 'auth_secret')).stdout).toBe('(hidden)\n');
  expect((await config(home, 'get', 'base_modes.constructor')).stdout).toBe('null\n');
  expectClearExit(await config(home, 'get', 'base_mode'), 2, 'did you mean `base_modes`?');
});

test('config path prints the path of each file, which need not exist', async () => {
  await using project = makeWorkspace({ 'a.py': '' });
  const home = makeTempDir('home');
  expect((await config(home, 'path')).stdout).toBe(`${join(home, 'serena_config.yml')}\n`);
  const of = async (...flags: string[]) => (await config(home, 'path', '--project', project.root, ...flags)).stdout;
  expect(await of()).toBe(`${project.path('.serena/project.yml')}\n`);
  expect(await of('--local')).toBe(`${project.path('.serena/project.local.yml')}\n`);
});

describe('config unset', () => {
  test('removes the lines of a key, and reports which value is used now', async () => {
    const { home, read } = homeWith(
      '# mine\ntool_timeout: 5 # why\nexcluded_tools:\n  - x # y\n\n# below\nof_the_future: 1\nprojects: []\n',
    );
    const path = join(home, 'serena_config.yml');
    expect(await config(home, 'unset', 'excluded_tools')).toEqual({
      code: 0,
      stdout: `Removed excluded_tools from ${path}\n`,
      stderr: '[] is used, from the default\n',
    });
    expect(read()).toBe('# mine\ntool_timeout: 5 # why\n\n# below\nof_the_future: 1\nprojects: []\n');
    await config(home, 'unset', 'tool_timeout');
    expect(await config(home, 'unset', 'of_the_future')).toMatchObject({ code: 0, stderr: '' });
    expect(read()).toBe('# mine\n\n# below\nprojects: []\n');
    expect((await config(home, 'unset', 'tool_timeout')).stdout).toBe(`${path} does not set tool_timeout\n`);
    expectClearExit(await config(home, 'unset', 'tol_timeout'), 2, 'did you mean `tool_timeout`?');
  });

  test('removes a key of a map, also from the file of a project', async () => {
    await using project = makeWorkspace({ '.serena/project.yml': 'project_name: a\nread_only: true # why\n' });
    const { home, read } = homeWith(
      'ls_specific_settings:\n  go: {ls_path: /x}\n  python:\n    ls_path: /y\nprojects: []\n',
    );
    await config(home, 'unset', 'ls_specific_settings.go');
    expect(read()).toBe('ls_specific_settings:\n  python:\n    ls_path: /y\nprojects: []\n');
    const ended = await config(home, 'unset', 'read_only', '--project', project.root);
    expect(ended).toMatchObject({ code: 0, stderr: 'false is used, from the default\n' });
    expect(project.read('.serena/project.yml')).toBe('project_name: a\n');
  });
});

describe('a configuration that is not UTF-8', () => {
  const latin1 = Buffer.from('# caf\xe9\nlog_level: 20\nprojects: []\n', 'latin1');

  test('is not changed by any command, and does not keep a project from being opened', async () => {
    const { home } = homeWith('');
    const path = join(home, 'serena_config.yml');
    writeFileSync(path, latin1);
    await using project = makeWorkspace({ 'a.txt': 'x\n' });
    const run = (...args: string[]) => runProgram(args, { env: { SERENA_HOME: home }, cwd: project.root });
    const changes = [
      ['config', 'set', 'log_level', '30'],
      ['config', 'unset', 'log_level'],
      ['init', '--language-backend', 'LSP'],
      ['project', 'create', project.root],
    ];
    for (const args of changes) expectClearExit(await run(...args), 1, path, 'line 1 is not valid UTF-8', 'hint: ');
    expect((await run('search', 'x')).stdout).toContain('a.txt');
    expect(readFileSync(path)).toEqual(latin1);
    const local = project.path('.serena/project.local.yml');
    writeFileSync(local, latin1);
    expectClearExit(
      await run('config', 'set', '--project', project.root, '--local', 'encoding', 'utf-8'),
      1,
      local,
      'not valid UTF-8',
    );
    expect(readFileSync(local)).toEqual(latin1);
  });
});

test('config set keeps a link to the configuration, also to one that is missing', async () => {
  for (const text of ['log_level: 20\n', undefined]) {
    const home = makeTempDir('home');
    const target = join(makeTempDir('dotfiles'), 'serena.yml');
    if (text !== undefined) writeFileSync(target, text);
    symlinkSync(target, join(home, 'serena_config.yml'));
    expect((await config(home, 'set', 'log_level', '30')).code).toBe(0);
    expect(lstatSync(join(home, 'serena_config.yml')).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('log_level: 30');
  }
});
