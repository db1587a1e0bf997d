// `setup --agents` and `--subagent`: what agents read in every project, and the sub-agent that explores code.
import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { clients } from '../../../src/cli/setup/clients.ts';
import { tools } from '../../../src/tools/tools.ts';
import { expectClearExit } from '../../support/clear.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

const setUp = (home: string, cwd: string, ...args: string[]) =>
  runProgram(['setup', ...args], { cwd, env: { HOME: home } });

function makeProject(): string {
  const project = makeTempDir('project');
  mkdirSync(join(project, '.git'));
  return project;
}

test.each([
  ['a text', '# Mine\n\nRun the tests.\n'],
  ['no last line break', '# Mine'],
  ['several last line breaks', '# Mine\n\n\n'],
  ['line breaks of Windows', '# Mine\r\n\r\nRun.\r\n'],
  ['line breaks of Windows, none at the end', '# Mine\r\n\r\nRun.'],
  ['nothing but a line break', '\n'],
  ['a byte order mark', '\uFEFF# Mine\n'],
])('the section is added once, and removed byte for byte: %s', async (_, text) => {
  const [home, project] = [makeTempDir(), makeProject()];
  const file = join(project, 'CLAUDE.md');
  writeFileSync(file, text);
  mkdirSync(join(project, 'sub'));
  const added = await setUp(home, join(project, 'sub'), 'claude-code', '--agents');
  expect(added).toEqual({ code: 0, stdout: `Added the section: \`${file}\`\n`, stderr: '' });
  const changed = readFileSync(file, 'utf8');
  expect(changed).toStartWith(text);
  expect(changed.includes('\r\n')).toBe(text.includes('\r\n'));
  expect(changed.replaceAll('\r\n', '').includes('\n')).toBe(!text.includes('\r\n'));
  expect((await setUp(home, project, 'claude-code', '--agents')).stdout).toBe(`Unchanged: \`${file}\`\n`);
  expect((await setUp(home, project, '--remove', 'claude-code')).stdout).toContain('Kept the section');
  expect((await setUp(home, project, '--remove', 'claude-code', '--agents')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(readdirSync(project).sort()).toEqual(['.git', 'CLAUDE.md', 'sub']);
});

test('the section is short, a file of its own goes with it, and an older section is replaced', async () => {
  const [home, project] = [makeTempDir(), makeProject()];
  const file = join(project, 'AGENTS.md');
  expect((await setUp(home, project, 'codex', '--agents')).code).toBe(0);
  const text = readFileSync(file, 'utf8');
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(12);
  expect((await setUp(home, project, 'codex', '--agents', '--print')).stdout).toBe(text);
  for (const [, name = ''] of text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g))
    expect(tools.map((tool) => tool.name)).toContain(name);
  writeFileSync(file, 'one\n\n<!-- serena:begin -->\nolder\n<!-- serena:end -->\ntwo\n');
  expect((await setUp(home, project, 'codex', '--agents')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(`one\n\n${text}two\n`);
  writeFileSync(file, text);
  expect((await setUp(home, project, '--remove', 'codex', '--agents')).code).toBe(0);
  expect(existsSync(file)).toBe(false);
});

test('a link to a file outside the project is not followed, one inside is', async () => {
  const [home, project] = [makeTempDir(), makeProject()];
  const outside = join(makeTempDir(), 'profile');
  writeFileSync(outside, 'mine\n');
  symlinkSync(outside, join(project, 'AGENTS.md'));
  expectClearExit(await setUp(home, project, 'codex', '--agents'), 1, 'outside the project');
  expect(readFileSync(outside, 'utf8')).toBe('mine\n');
  writeFileSync(join(project, 'NOTES.md'), 'notes\n');
  symlinkSync('NOTES.md', join(project, 'CLAUDE.md'));
  expect((await setUp(home, project, 'claude-code', '--agents')).code).toBe(0);
  expect(readFileSync(join(project, 'NOTES.md'), 'utf8')).toStartWith('notes\n\n<!-- serena:begin -->');
});

test('the home directory is no project, and not every client has such a file', async () => {
  const home = makeTempDir();
  expectClearExit(await setUp(home, home, 'codex', '--agents'), 1, 'is not a project');
  expectClearExit(await setUp(home, makeProject(), 'claude-desktop', '--agents'), 2, '`claude-desktop`', 'claude-code');
  expectClearExit(await setUp(home, home, 'zed', '--subagent'), 2, '`zed`', 'claude-code');
});

test.each(clients.filter(({ subagents }) => subagents).map(({ id }) => id))(
  '%s gets the definition of a sub-agent, which is removed if nobody edited it',
  async (id) => {
    const [home, project] = [makeTempDir(), makeProject()];
    const first = await setUp(home, project, id, '--subagent');
    const path = /^Wrote: `(.*)`$/m.exec(first.stdout)?.[1] ?? '';
    const text = readFileSync(path, 'utf8');
    const header = parse(text.split('---\n')[1] ?? '');
    expect(header).toMatchObject({ name: 'serena', description: expect.stringContaining('who uses or calls it') });
    const named = String(header.tools ?? '').match(/(?<=mcp__serena__)\w+/g) ?? [];
    for (const name of named) expect(tools.find((tool) => tool.name === name)?.effect).toBe('reads');
    if (id === 'claude-code') expect(named).toContain('explore_symbol');
    for (const [, name = ''] of text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g))
      expect(tools.map((tool) => tool.name)).toContain(name);
    expect((await setUp(home, project, id, '--subagent')).stdout).toStartWith(`Unchanged: \`${path}\`\n`);
    expect((await setUp(home, project, id, '--subagent', '--print')).stdout).toBe(text);
    writeFileSync(path, `${text}mine\n`);
    expectClearExit(await setUp(home, project, id, '--subagent'), 1, 'was edited');
    expect((await setUp(home, project, '--remove', id)).stdout).toContain('Kept the sub-agent');
    writeFileSync(path, text);
    expect((await setUp(home, project, '--remove', id)).stdout).toContain('Removed the sub-agent');
    expect(existsSync(dirname(path))).toBe(false);
  },
);
