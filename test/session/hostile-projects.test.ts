// A project whose configuration must not be read: its own calls fail, other projects are not affected.
import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectClearError } from '../support/clear.ts';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const secret = 'the-secret-of-the-user';
const isWindows = process.platform === 'win32';

function linked(target: string): (path: string) => void {
  return (path) => symlinkSync(target, path);
}

function secretFile(): string {
  const path = join(makeTempDir('secrets'), 'passwords.yml');
  writeFileSync(path, `read_only: ${secret}\n${secret}: [\n`);
  return path;
}

/** Kinds of `project.yml`: a name, how to create it, and the expected message. */
const attacks: readonly (readonly [string, (path: string) => void, string])[] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
  ['an endless device', linked('/dev/zero'), 'a symbolic link leads out of the project'],
  ['a file of the user', (path) => linked(secretFile())(path), 'a symbolic link leads out of the project'],
  ['a circle of links', linked('project.yml'), 'ELOOP'],
  ['too large', (path) => writeFileSync(path, `# ${'x'.repeat(1024 * 1024)}`), 'it is larger than 1048576 bytes'],
  [
    'slow: many keys',
    (path) =>
      writeFileSync(
        path,
        many((index) => `k${index}: 1`),
      ),
    'it has too many entries',
  ],
  ['slow: many aliases', (path) => writeFileSync(path, `a: &a x\nb: [${'*a,'.repeat(5_000)}]`), 'too many entries'],
  ['slow: deep lists', (path) => writeFileSync(path, `- `.repeat(19_000)), 'it has too many entries'],
  ['deep', (path) => writeFileSync(path, `a: ${'['.repeat(15_000)}`), 'project.yml:1: '],
];

const many = (line: (index: number) => string) => Array.from({ length: 20_000 }, (_, index) => line(index)).join('\n');

describe.each(attacks)('configuration that is %s', (_, make, problem) => {
  testUnless(isWindows ? 'Windows has no such files' : undefined)('fails only the calls of its project', async () => {
    const hostile = makeWorkspace({ 'a.txt': 'a' }, { as: 'hostile' });
    mkdirSync(hostile.path('.serena'));
    make(hostile.path('.serena/project.yml'));
    const good = makeWorkspace({ '.serena/project.yml': 'project_name: good\n', 'a.txt': 'a' });
    const env = { SERENA_HOME: makeHome({ projects: [good.root, hostile.root] }) };
    await using client = await startClient({ args: ['--project', hostile.root], env });
    const answer = await client.call('read_file', { relative_path: 'a.txt' });
    expectClearError(answer, '.serena/project.yml', problem);
    expect(answer.text + client.stderr).not.toContain(secret);
    await client.ask('activate_project', { project: 'good' });
    expect(await client.ask('read_file', { relative_path: 'a.txt' })).toBe('a');
    const config = await client.ask('get_current_config');
    expect(config).toContain('good');
    expect(config).not.toContain(secret);
    expectClearError(await client.call('activate_project', { project: 'nowhere' }), 'known projects: good');
  });
});

test('a broken linked configuration of a trusted project is not quoted', async () => {
  const project = makeWorkspace({ 'a.txt': 'a' });
  mkdirSync(project.path('.serena'));
  symlinkSync(secretFile(), project.path('.serena/project.yml'));
  const env = { SERENA_HOME: makeHome({ trusted_project_path_patterns: ['/**'] }) };
  await using client = await startClient({ args: ['--project', project.root], env });
  const answer = await client.call('read_file', { relative_path: 'a.txt' });
  expectClearError(answer, 'it is a link to a file that is not a valid configuration');
  expect(answer.text + client.stderr).not.toContain(secret);
});

test('a known project whose configuration changes is listed by its new name', async () => {
  const project = makeWorkspace({ '.serena/project.yml': 'project_name: first\n' });
  const env = { SERENA_HOME: makeHome({ projects: [project.root] }) };
  await using client = await startClient({ args: ['--project', makeWorkspace({}).root], env });
  const known = () => client.call('activate_project', { project: 'nowhere' });
  expect((await known()).text).toContain('first');
  project.write('.serena/project.yml', 'project_name: other\n');
  expect((await known()).text).toContain('other');
});

test('a project whose `.serena` is a file works until a call needs the directory', async () => {
  const project = makeWorkspace({ 'a.txt': 'a', '.serena': '' });
  const env = { SERENA_HOME: makeHome() };
  await using client = await startClient({ args: ['--project', project.root], env });
  expect(await client.ask('read_file', { relative_path: 'a.txt' })).toBe('a');
  await client.ask('create_text_file', { relative_path: 'b.txt', content: 'b' });
  expect(project.read('b.txt')).toBe('b');
  const answer = await client.call('write_memory', { memory_name: 'core', content: 'x' });
  expectClearError(answer, 'write_memory: NotADirectoryError: ', 'a part of its path is a file, not a directory');
  expect(client.stderr).toContain(`cannot write \`${project.path('.serena/memories/core.md')}\``);
  expect(project.read('.serena')).toBe('');
});
