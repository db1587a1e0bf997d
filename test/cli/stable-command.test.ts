// Clients store the command that starts this program: it must still work after an upgrade.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { programCommand } from '../support/client.ts';
import { type Ended, runProgram } from '../support/program.ts';
import { makeTempDir } from '../support/temp.ts';

const root = makeTempDir('upgrades');
const bin = join(root, 'bin');
/** The hooks of Codex. */
const hooksFile = join(root, '.codex/hooks.json');
let program = join(root, 'program');

beforeAll(() => {
  mkdirSync(bin);
  const [built] = programCommand([]);
  copyFileSync(built, program);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Moves the program to the path where a package manager would install it. */
function install(...place: string[]): string {
  const target = join(root, ...place);
  mkdirSync(dirname(target), { recursive: true });
  renameSync(program, target);
  program = target;
  return target;
}

function link(target: string, ...place: string[]): string {
  const path = join(root, ...place);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
  return path;
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runProgram(args, { binary: program, env: { PATH: '/usr/bin:/bin', HOME: root, ...env } });
}

async function printed(env: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
  const { serena } = JSON.parse((await run(['setup', 'cursor', '--print'], env)).stdout).mcpServers;
  return [serena.command, ...serena.args.slice(0, serena.args.indexOf('start-mcp-server'))];
}

test('setup writes the link to the program, not the path of its version', async () => {
  const target = install('Cellar/serena/9.9.9/bin/serena');
  expect(await printed()).toEqual([target]);
  link(join(root, 'Cellar/serena/9.9.9'), 'opt/serena');
  expect(await printed()).toEqual([join(root, 'opt/serena/bin/serena')]);
  const onPath = link(target, 'bin/serena');
  expect(await printed({ PATH: `${bin}:/usr/bin:/bin` })).toEqual([onPath]);
  const shown = await run(['hooks', 'show-config'], { PATH: `${bin}:/usr/bin:/bin` });
  expect(shown.stdout).toContain(`"${onPath} hooks facts`);
});

test('setup creates the command `serena-hooks`, which users of the reference product have configured', async () => {
  const PATH = `${bin}:/usr/bin:/bin`;
  const made = join(bin, 'serena-hooks');
  mkdirSync(join(root, '.codex'));
  expect((await run(['setup', 'codex'], { PATH })).stdout).not.toContain(made);
  writeFileSync(hooksFile, '{"hooks": {"SessionStart": [{"hooks": [{"command": "serena-hooks activate"}]}]}}');
  const { code, stdout } = await run(['setup', 'codex'], { PATH });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(made) });
  const ended = await runProgram(['activate', '--client=claude-code'], { binary: made, env: { PATH } });
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('SessionStart') });
  expect((await run(['setup', 'codex'], { PATH })).stdout).not.toContain(made);
});

test('setup --remove removes the command `serena-hooks` when no client runs it any more', async () => {
  const PATH = `${bin}:/usr/bin:/bin`;
  const made = join(bin, 'serena-hooks');
  expect((await run(['setup', '--remove', 'codex'], { PATH })).code).toBe(0);
  expect(existsSync(made)).toBe(true);
  rmSync(hooksFile);
  expect((await run(['setup', '--remove', 'codex'], { PATH })).stdout).toContain(made);
  expect(existsSync(made)).toBe(false);
});

test('setup does not change an existing command `serena-hooks`', async () => {
  const made = join(bin, 'serena-hooks');
  writeFileSync(hooksFile, '{"hooks": {"SessionStart": [{"hooks": [{"command": "serena-hooks activate"}]}]}}');
  writeFileSync(made, '#!/bin/sh\n', { mode: 0o755 });
  expect((await run(['setup', 'codex'], { PATH: `${bin}:/usr/bin:/bin` })).code).toBe(0);
  expect(lstatSync(made).isSymbolicLink()).toBe(false);
  rmSync(made);
  expect((await run(['setup', 'codex'])).code).toBe(0);
  expect(existsSync(made)).toBe(false);
});

test('setup writes the command of npx for a program in its cache', async () => {
  install('.npm/_npx/0a1b/node_modules/@serena/linux-x64/bin/serena');
  expect(await printed({ PATH: bin })).toEqual(['npx', '--yes', 'serena']);
});

test('setup does not use a different program of the same name on PATH', async () => {
  const version = (await run(['--version'])).stdout.trim().replace('Serena ', '');
  const target = install(`store/serena@${version}/bin/serena`);
  rmSync(join(bin, 'serena'), { force: true });
  const script = join(bin, 'serena');
  writeFileSync(script, '#!/bin/sh\necho Serena 2.1.0\n', { mode: 0o755 });
  expect(await printed({ PATH: `${bin}:/usr/bin:/bin` })).toEqual([target]);
  writeFileSync(script, `#!/bin/sh\nexec '${target}' "$@"\n`, { mode: 0o755 });
  expect(await printed({ PATH: `${bin}:/usr/bin:/bin` })).toEqual([script]);
});
