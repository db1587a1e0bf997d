import { describe, expect, test } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { isServerChild } from '../../../src/base/process/server-child.ts';
import { type Command, cleanEnv, jsCommand, writeRuntimeFiles } from '../../../src/install/runtime/js-runtime.ts';
import { eventually } from '../../support/eventually.ts';
import { isAlive } from '../../support/processes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { copyFixture, type Workspace } from '../../support/workspace.ts';

const denoProgram = Bun.which('deno', { PATH: join(import.meta.dirname, '../../../node_modules/.bin') }) ?? 'deno';
const commandScript = join(import.meta.dirname, 'js-command.ts');

const report = `
  const v8 = require('node:v8');
  console.log(JSON.stringify({
    env: process.env, argv: process.argv.slice(2), limit: v8.getHeapStatistics().heap_size_limit,
  }));
`;
const Report = z.object({
  env: z.record(z.string(), z.string()),
  argv: z.array(z.string()),
  limit: z.number(),
});

describe.each(['bun', 'deno'] as const)('jsCommand() under %s', (runtime) => {
  test('runs a script with its arguments, in a home directory with a space', async () => {
    const script = await installed('server/main.js', report);
    const command = await commandFor(runtime, { script, args: ['--stdio', 'a b'] });
    const { argv, env } = Report.parse(JSON.parse(await outputOf(command, makeTempDir())));
    expect(argv).toEqual(['--stdio', 'a b']);
    expect(env.KEPT).toBe('yes');
    expect(env.PATH).toBeDefined();
  });

  test('ignores a hostile working directory, also for child processes', async () => {
    await using project = copyFixture('hostile');
    const fork = "require('node:child_process').fork(__filename, ['forked'])";
    const script = await installed('server/main.js', `if (process.argv[2] === 'forked') { ${report} } else ${fork};`);
    const command = await commandFor(runtime, { script, args: [] });
    const { env } = Report.parse(JSON.parse(await outputOf(command, project.root)));
    expect(pwned(project)).toEqual([]);
    for (const name of Object.keys(env)) expect(name).not.toMatch(/EVIL|HOSTILE/i);
  });

  test('does not download a missing module', async () => {
    const load = "import('is-odd').then(() => console.log('loaded'), () => console.log('refused'))";
    const script = await installed('server/main.js', load);
    const command = await commandFor(runtime, { script, args: [] });
    expect((await outputOf(command, makeTempDir())).trim()).toBe('refused');
  });
});

describe('jsCommand()', () => {
  test('lets a server and its children load code from its installation only', async () => {
    const elsewhere = makeTempDir('else where');
    for (const name of ['code.cjs', 'code.mjs', 'code.node'])
      writeFileSync(join(elsewhere, name), 'globalThis.ran = 1;');
    writeFileSync(join(elsewhere, 'data.json'), '{"data": true}');
    const load = `
      const { fork } = require('node:child_process');
      const elsewhere = ${JSON.stringify(elsewhere)};
      const tell = (what, load) => Promise.resolve().then(load).then(() => console.log(what), (error) => console.log(
        String(error).includes('is not part of the language server') ? what + ' refused' : String(error)));
      (async () => {
        await tell('own', () => require('./own.js'));
        for (const name of ['code.cjs', 'code.node', 'data.json']) await tell(name, () => require(elsewhere + '/' + name));
        await tell('code.mjs', () => import(elsewhere + '/code.mjs'));
        console.log(globalThis.ran);
        if (process.argv[2] !== 'forked') fork(__filename, ['forked']);
      })();`;
    const script = await installed('server (1)/main.js', load);
    writeFileSync(join(dirname(script), 'own.js'), '');
    const command = jsCommand({ home: makeTempDir('my home'), script, args: [], directory: dirname(script), env: {} });
    const told = ['own', 'code.cjs refused', 'code.node refused', 'data.json', 'code.mjs refused', 'undefined'];
    expect((await outputOf(command, elsewhere)).trim().split('\n')).toEqual([...told, ...told]);
  });

  test('preloads plausible heap statistics for a server', async () => {
    const script = await installed('server/main.js', report);
    const home = makeTempDir('my home');
    const command = jsCommand({ home, script, args: [], preload: 'heap-statistics', env: {} });
    const { limit } = Report.parse(JSON.parse(await outputOf(command, makeTempDir())));
    expect(limit).toBeGreaterThanOrEqual(4 * 1024 ** 3);
    const shims = readdirSync(join(home, 'language_servers/shims')).sort();
    expect(shims).toEqual([
      expect.stringMatching(/^heap-statistics-[0-9a-f]{12}\.cjs$/),
      expect.stringMatching(/^own-code-[0-9a-f]{12}\.cjs$/),
      expect.stringMatching(/^own-plugins-[0-9a-f]{12}\.cjs$/),
    ]);
  });

  test('needs no home directory if a store has the runtime files', async () => {
    const elsewhere = makeTempDir('home');
    writeRuntimeFiles(elsewhere);
    const script = await installed('server/main.js', report);
    const env = { SERENA_STORE: join(elsewhere, 'language_servers') };
    const home = '/proc/none';
    const command = jsCommand({ home, script, args: ['x'], preload: 'heap-statistics', env });
    expect(Report.parse(JSON.parse(await outputOf(command, makeTempDir()))).argv).toEqual(['x']);
    expect(() => jsCommand({ home, script, args: [], env: {} })).toThrow('cannot use `/proc/none`');
  });

  test('marks its children, so that this program detects that it is run as Node', () => {
    const { env } = jsCommand({ home: makeTempDir(), script: '/x.js', args: [], env: { BUN_BE_BUN: '0', PATH: '/p' } });
    expect(env).toMatchObject({ BUN_BE_BUN: '1', SERENA_LSP_CHILD: '1', DO_NOT_TRACK: '1', PATH: '/p' });
    expect(isServerChild(env)).toBe(false);
    expect(isServerChild({ ...env, BUN_BE_BUN: undefined })).toBe(true);
    expect(isServerChild({})).toBe(false);
  });

  test('starts a process that ends with this one, even if it hangs and this one is killed', async () => {
    const script = await installed('server/main.js', 'console.log(process.pid); for (;;);');
    const command = jsCommand({ home: makeTempDir(), script, args: [], env: process.env });
    const start = `require('node:child_process').spawn(process.argv[1], JSON.parse(process.argv[2]), { env: JSON.parse(process.argv[3]), stdio: ['pipe', 'inherit', 'inherit'], detached: true })`;
    const { command: program, args, env } = command;
    const parent = spawn(process.execPath, ['-e', start, program, JSON.stringify(args), JSON.stringify(env)]);
    let output = '';
    parent.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const pid = await eventually('the server to say who it is', () => output.endsWith('\n') && Number(output));
    parent.kill('SIGKILL');
    await eventually('the server to end', () => !isAlive(pid));
  });
});

test('cleanEnv() drops undefined variables and those that change how JavaScript runs', () => {
  const env = {
    PATH: '/p',
    BUN_BE_BUN: '1',
    BUN_INSTALL_CACHE_DIR: '/c',
    NODE_OPTIONS: '-r x',
    NONE: undefined,
    BUNDLE: 'b',
    BUN_JSC_useDFGJIT: '0',
  };
  expect(cleanEnv(env)).toEqual({ PATH: '/p', BUNDLE: 'b', BUN_JSC_useDFGJIT: '0' });
});

/** Writes a server's script into an installation below a directory with a space, and returns its path. */
async function installed(name: string, source: string): Promise<string> {
  const path = join(makeTempDir('installed here'), 'node_modules', name);
  await Bun.write(path, source);
  return path;
}

/** Returns the result of `jsCommand()` under `runtime`. */
async function commandFor(runtime: 'bun' | 'deno', program: { script: string; args: string[] }): Promise<Command> {
  const env = { HOME: makeTempDir(), KEPT: 'yes', NODE_OPTIONS: '--bad-option', BUN_OPTIONS: '--bad-option' };
  const request = { ...program, home: makeTempDir('my home'), env };
  if (runtime === 'bun') return jsCommand(request);
  const child = spawn(denoProgram, ['run', '--allow-all', commandScript, JSON.stringify(request)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout));
}

async function outputOf({ command, args, env }: Command, cwd: string): Promise<string> {
  const child: ChildProcess = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('The child has no output');
  return text(child.stdout);
}

function pwned(project: Workspace): readonly string[] {
  const marks = readdirSync(project.root).filter((name) => name.startsWith('pwned'));
  return existsSync(project.path('bunfig.toml')) ? marks : ['the fixture has no bunfig.toml'];
}
