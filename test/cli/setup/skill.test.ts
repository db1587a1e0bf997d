import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { codeCommands } from '../../../src/cli/code/table.ts';
import { expectClearExit } from '../../support/clear.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

const setUp = (home: string, ...args: string[]) => runProgram(['setup', ...args], { env: { HOME: home } });

test('writes a skill that names every command', async () => {
  const home = makeTempDir();
  const path = join(home, '.claude/skills/serena/SKILL.md');
  const first = await setUp(home, 'claude-code', '--skill');
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(
    /^Wrote: .*\nThe skill runs `serena`, which is not on `PATH`.* runs: .+\nThe skill needs no server.*`serena setup claude-code`\n$/,
  );
  expect(first.stdout).toContain(path);
  const text = readFileSync(path, 'utf8');
  expect(parse(text.split('---\n')[1] ?? '')).toEqual({ name: 'serena', description: expect.any(String) });
  for (const { name } of codeCommands) expect(text).toContain(`\`serena ${name} `);
  expect((await setUp(home, 'claude-code', '--skill')).stdout).toStartWith(`Unchanged: \`${path}\`\n`);
  writeFileSync(join(home, '.claude.json'), '{"mcpServers": {"serena": {"command": "serena"}}}');
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'serena'), '#!/bin/sh\n', { mode: 0o755 });
  const complete = { HOME: home, PATH: `${bin}:/usr/bin:/bin` };
  const ready = await runProgram(['setup', 'claude-code', '--skill'], { env: complete });
  expect(ready.stdout).toBe(`Unchanged: \`${path}\`\n`);
  expect((await setUp(home, 'claude-code', '--skill', '--print')).stdout).toBe(text);
});

test('replaces the text of another version, but nothing that somebody else wrote or edited', async () => {
  const home = makeTempDir();
  const path = join(home, '.claude/skills/serena/SKILL.md');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'mine\n');
  expectClearExit(await setUp(home, 'claude-code', '--skill'), 1, path, '--print');
  expect(readFileSync(path, 'utf8')).toBe('mine\n');

  const { stdout: own } = await setUp(home, 'claude-code', '--skill', '--print');
  writeFileSync(path, own.replace('# Symbols', '# My symbols'));
  expectClearExit(await setUp(home, 'claude-code', '--skill'), 1, 'was edited');
  expect(readFileSync(path, 'utf8')).toContain('# My symbols');

  const older = 'older\n';
  const hash = new Bun.CryptoHasher('sha256').update(older).digest('hex');
  writeFileSync(path, `${older}\n<!-- Written by serena setup; sha256 ${hash} -->\n`);
  expect((await setUp(home, 'claude-code', '--skill')).code).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(own);
});

test('is written to the directory of each client, and removed if nobody edited it', async () => {
  const home = makeTempDir();
  const { stdout: text } = await setUp(home, 'goose', '--skill', '--print');
  for (const [client, directory] of [
    ['codex', '.codex/skills'],
    ['goose', '.config/goose/skills'],
    ['amp', '.config/agents/skills'],
  ] as const) {
    const path = join(home, directory, 'serena/SKILL.md');
    expect((await setUp(home, client, '--skill')).stdout).toStartWith(`Wrote: \`${path}\`\n`);
    expect(readFileSync(path, 'utf8')).toBe(text);
    writeFileSync(path, `${text}mine\n`);
    expect((await setUp(home, client, '--remove')).stdout).toContain('Kept the skill');
    expect(readFileSync(path, 'utf8')).toBe(`${text}mine\n`);
    writeFileSync(path, text);
    expect((await setUp(home, client, '--remove')).stdout).toContain(path);
    expect(existsSync(dirname(path))).toBe(false);
  }
});

test('is wrong usage for a client whose directory is not known', async () => {
  expectClearExit(await setUp(makeTempDir(), 'zed', '--skill'), 2, '`zed`', 'claude-code');
});
