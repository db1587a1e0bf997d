import { expect, test } from 'bun:test';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clients } from '../../../src/cli/setup/clients.ts';
import { expectClearExit } from '../../support/clear.ts';
import { runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

test('setup without a name lists what was found, its state and the next command', async () => {
  const home = makeTempDir();
  const env = { HOME: home, PATH: `${home}/bin:/usr/bin:/bin` };
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/claude'), '#!/bin/sh\n');
  chmodSync(join(home, 'bin/claude'), 0o755);
  for (const name of ['.cursor', '.kiro/settings', '.gemini', '.qwen'])
    mkdirSync(join(home, name), { recursive: true });
  writeFileSync(join(home, '.gemini/settings.json'), '{');
  writeFileSync(join(home, '.qwen/settings.json'), '{"mcpServers": {"serena": {"command": "uvx"}}}');
  expect((await runProgram(['setup', 'cursor'], { env })).code).toBe(0);
  const { code, stdout, stderr } = await runProgram(['setup'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(rows.slice(0, 5)).toEqual([
    ['claude-code', 'not set up', 'serena setup claude-code', join(home, 'bin/claude')],
    ['cursor', 'set up', 'serena setup --remove cursor', join(home, '.cursor/mcp.json')],
    ['gemini', expect.stringContaining('broken: '), 'serena setup gemini --print', join(home, '.gemini/settings.json')],
    ['qwen-code', 'starts another program', 'serena setup qwen-code', join(home, '.qwen/settings.json')],
    ['kiro', 'not set up', 'serena setup kiro', join(home, '.kiro/settings')],
  ]);
  expect(stdout).toMatch(/\nNot found: codebuddy, codex, .*, claude-desktop\n$/);
});

test.each(clients)('setup without a name finds $id by each of its programs on PATH', async (client) => {
  const names = client.program === undefined ? (client.programs ?? []) : [client.program.name];
  expect(names.length > 0 || client.id === 'claude-desktop').toBe(true);
  for (const name of names) {
    const home = makeTempDir();
    const program = join(home, 'bin', name);
    mkdirSync(join(home, 'bin'));
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    const { stdout } = await runProgram(['setup'], { env: { HOME: home, PATH: `${home}/bin` } });
    expect(stdout.split('\n')[0]?.split(/ {2,}/)).toEqual([
      client.id,
      'not set up',
      `serena setup ${client.id}`,
      program,
    ]);
  }
});

test('setup without a name says that there is no client, and takes no flags', async () => {
  expect((await runProgram(['setup'], { env: { PATH: '/usr/bin:/bin' } })).stdout).toStartWith('No client was found');
  expectClearExit(await runProgram(['setup', '--remove']), 2, 'name');
  expectClearExit(await runProgram(['setup', '--remove', 'cursor', '--print']), 2);
});
