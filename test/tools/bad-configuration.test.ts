import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearError, expectClearExit } from '../support/clear.ts';
import { startClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { runProgram } from '../support/program.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Makes a home directory whose `serena_config.yml` has this text. */
function homeWith(text: string): { home: string; file: string } {
  const home = makeTempDir('home');
  const file = join(home, 'serena_config.yml');
  writeFileSync(file, text);
  return { home, file };
}

const start = (home: string, ...args: string[]) =>
  runProgram(['start-mcp-server', ...args], { env: { SERENA_HOME: home } });
const list = { relative_path: '.', recursive: false };

describe('a broken serena_config.yml ends the start with exit code 78 and names', () => {
  test.each([
    ['the line of broken YAML', 'projects: []\nignored_paths: [a\ntool_timeout: 5\n', [':3: ']],
    [
      'line and key of a wrong type',
      '# one\nprojects: []\n\ntool_timeout: soon\n',
      [':4: key `tool_timeout`', 'number', 'found `soon`'],
    ],
    ['line and key of a wrong item', 'projects:\n  - good\n  - 5\n', [':3: key `projects.1`', 'string', 'found `5`']],
    ['line and key of a list for a number', 'projects: []\ntool_timeout: [1]\n', [':2: key `tool_timeout`', 'number']],
    [
      'every wrong key',
      'tool_timeout: soon\ndefault_max_tool_answer_chars: -5\n',
      [':1: key `tool_timeout`', ':2: key `default_max_tool_answer_chars`'],
    ],
    ['a list for the whole', '- a\n', [':1: the top level', 'must be an object']],
    ['an alias without its anchor', 'projects: *nowhere\n', ['nowhere']],
    ['a key given twice', 'projects: []\nprojects: []\n', [':2: ', 'unique']],
  ])('%s', async (_, text, parts) => {
    const { home, file } = homeWith(text);
    expectClearExit(await start(home), 78, file, ...parts, 'hint: ');
  });

  test('itself when it is a directory', async () => {
    const home = makeTempDir('home');
    mkdirSync(join(home, 'serena_config.yml'));
    expectClearExit(await start(home), 78, join(home, 'serena_config.yml'), 'cannot read');
  });

  test('an unknown placeholder of the data directory, for the project that it hits', async () => {
    const home = makeHome({ project_serena_folder_location: '$home/x' });
    await using client = await startClient({ args: ['--project', makeTempDir()], env: { SERENA_HOME: home } });
    expectClearError(await client.call('list_dir', list), '`$home`', 'project_serena_folder_location');
  });
});

describe('a serena_config.yml broken while the server runs', () => {
  test('fails activate_project until it is repaired, and changes nothing', async () => {
    const { home, file } = homeWith('projects: []\n');
    await using project = makeWorkspace({ 'a.txt': 'a' });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    await client.ask('list_dir', list);
    writeFileSync(file, 'projects: [\n');
    const other = makeWorkspace({ 'b.txt': 'b' }).root;
    expectClearError(await client.call('activate_project', { project: other }), 'ValueError', `${file}:2: `);
    expectClearError(await client.call('get_current_config'), `${file}:2: `);
    expect(JSON.parse(await client.ask('list_dir', list)).files).toEqual(['a.txt']);
    writeFileSync(file, 'projects: []\n');
    expect(await client.ask('activate_project', { project: other })).toContain(other);
  });
});

describe('a broken project.yml fails the calls of its project and names', () => {
  test.each([
    ['the line of broken YAML', 'project_name: a\nencoding: [utf-8\n', ['project.yml:3: ']],
    [
      'line and key of a wrong type',
      'project_name: a\nread_only: perhaps\n',
      ['project.yml:2: key `read_only`', 'must be true or false', 'found `perhaps`'],
    ],
    [
      'line and key of a wrong item',
      'ignored_paths:\n  - a\n  - { b: c }\n',
      ['project.yml:3: key `ignored_paths.1`', 'string'],
    ],
    ['a text for the whole', 'just words\n', ['project.yml:1: the top level', 'must be an object']],
    ['an alias without its anchor', 'ignored_paths: *nowhere\n', ['project.yml', 'nowhere']],
    ['an unknown encoding', 'encoding: martian\n', ['martian']],
  ])('%s', async (_, text, parts) => {
    await using project = makeWorkspace({ '.serena/project.yml': text, 'a.txt': 'a' });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
    const read = { relative_path: 'a.txt' };
    expectClearError(await client.call('read_file', read), ...parts);
    expect(project.read('.serena/project.yml')).toBe(text);
    project.write('.serena/project.yml', 'project_name: repaired\n');
    if (!text.startsWith('encoding')) {
      expect(await client.ask('activate_project', { project: project.root })).toContain('`repaired`');
      expect(await client.ask('read_file', read)).toBe('a');
    }
  });

  test('itself when it is a directory', async () => {
    await using project = makeWorkspace({ '.serena/project.yml/x': '' });
    await using client = await startClient({ env: { SERENA_HOME: makeHome() } });
    const answer = await client.call('activate_project', { project: project.root });
    expectClearError(answer, 'cannot read the configuration file', project.path('.serena/project.yml'));
  });

  test('the local file where that one is broken', async () => {
    await using project = makeWorkspace({ '.serena/project.local.yml': 'read_only: perhaps\n' });
    await using client = await startClient({ env: { SERENA_HOME: makeHome() } });
    const answer = await client.call('activate_project', { project: project.root });
    expectClearError(answer, 'project.local.yml:1: key `read_only`');
  });

  test('and the other known projects work', async () => {
    const broken = makeWorkspace({ '.serena/project.yml': 'project_name: [\n' });
    const sound = makeWorkspace({ '.serena/project.yml': 'project_name: sound\n' });
    const home = makeHome({ projects: [broken.root, sound.root] });
    await using client = await startClient({ env: { SERENA_HOME: home } });
    expect(await client.ask('activate_project', { project: 'sound' })).toContain(sound.root);
    expect(client.stderr).toContain(`Skipped the known project \`${broken.root}\``);
  });
});

describe('invalid configuration is logged, and the rest works', () => {
  test('an unknown language server', async () => {
    await using project = makeWorkspace({
      '.serena/project.yml': 'language_servers: [klingon, python]\n',
      'a.py': 'def one(): pass\n',
    });
    const home = makeHome(stubServers({ python: 'well-behaved' }));
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    expect(await client.ask('get_symbols_overview', { relative_path: 'a.py' })).toBe('{"Function": ["one"]}');
    expect(client.stderr).toMatch(
      /project\.yml: ignored the language server `klingon`, which is not one of: .*\bpython\b/,
    );
  });

  test('a server setting of the wrong type', async () => {
    const { ls_specific_settings } = stubServers({ python: 'well-behaved' });
    const home = makeHome({ ls_specific_settings: { python: { ...ls_specific_settings.python, ls_args: 'text' } } });
    await using project = makeWorkspace({ 'a.py': 'def one(): pass\n' });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    expect(await client.ask('get_symbols_overview', { relative_path: 'a.py' })).toBe('{"Function": ["one"]}');
    expect(client.stderr).toContain('`ls_args`: it must be a list of strings');
  });
});

describe('a context that cannot be used ends the start with exit code 78', () => {
  test('when no context has that name, listing the existing ones', async () => {
    expectClearExit(await start(makeHome(), '--context', 'nope'), 78, 'there is no context `nope`', 'desktop-app');
  });

  test('when its file is broken, naming file, line and key', async () => {
    const file = join(makeTempDir(), 'mine.yml');
    writeFileSync(file, 'description: mine\nsingle_project: perhaps\n');
    expectClearExit(await start(makeHome(), '--context', file), 78, `${file}:2: key \`single_project\``);
  });
});
