import { expect, test } from 'bun:test';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { programCommand } from '../support/client.ts';
import { makeTempDir } from '../support/temp.ts';

function start(args: readonly string[], home = makeTempDir('home')): ChildProcessByStdio<null, Readable, Readable> {
  const [program = '', ...rest] = programCommand(args);
  return spawn(program, rest, { env: { SERENA_HOME: home, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] });
}

test.each([
  [0, ['--help']],
  [0, ['servers', 'list']],
  [0, ['tools', 'list', '--json']],
  [0, ['config', 'show']],
  [0, ['setup']],
  [0, ['self', 'uninstall', '--dry-run']],
  [0, ['completions', 'bash']],
  [2, ['no-such-command']],
])('a closed output gives code %i and no stack trace: %p', async (code, args) => {
  const child = start(args);
  // Long before the program has started.
  child.stdout.destroy();
  const [stderr, [ended]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ ended, isTrace: /\n +at |EPIPE/.test(stderr) }).toEqual({ ended: code, isTrace: false });
  const silent = start(args);
  silent.stdout.destroy();
  silent.stderr.destroy();
  expect(await once(silent, 'exit')).toEqual([code, null]);
});

test('`logs --follow` ends when nobody reads it any more', async () => {
  const home = makeTempDir('home');
  const path = join(home, 'logs/2026-01-01/mcp_20260101-120000_1.txt');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'one\n');
  const child = start(['logs', 'latest', '--follow'], home);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  appendFileSync(path, 'two\n');
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
