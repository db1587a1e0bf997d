import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeCommands } from '../../src/cli/code/table.ts';
import { sharedCommands } from '../../src/service/wants-service.ts';
import { installEnv, programCommand } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, sharedStore, stubServers } from '../support/homes.ts';
import { findMarked } from '../support/processes.ts';
import { type ProgramOptions, runProgram, startProgram } from '../support/program.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const files = {
  '.serena/project.yml': 'symbol_source: server\n',
  'a.py': 'def one():\n    pass\n',
  'sub/b.py': 'def two():\n    pass\n\n\ntwo()\n',
};
const ended = 'The background service ended while this command ran.';
/** Processes with equal environments share language servers. */
const userHome = { HOME: makeTempDir('home') };
const serviceTest = testUnless(whyNoService);

function run(service: TestService, cwd: string, args: readonly string[], options: ProgramOptions = {}) {
  return runProgram(args, { ...options, cwd, env: { ...service.env, ...options.env }, timeoutMs: 240_000 });
}

/** Returns the number of calls that the service has answered. */
async function answeredBy(service: TestService): Promise<number> {
  return (await service.run('logs')).stdout.match(/serena\.tools - \w+ took/g)?.length ?? 0;
}

test('the service runs every command that asks about code', () => {
  expect(sharedCommands).toEqual(codeCommands.map(({ name }) => name));
});

describe('a command that runs in the service', () => {
  serviceTest('shares one language server with two clients', async () => {
    const { root } = makeWorkspace({ ...files, '.serena/project.yml': '' });
    const env = { ...installEnv(), ...userHome, ...sharedStore, PATH: process.env.PATH ?? '' };
    await using service = new TestService(makeHome(), env);
    const args = ['--project', root];
    const options = { args, hasOnlyOwnEnv: true };
    const clients = [await service.start(options), await service.start(options)];
    const references = { name_path: 'two', relative_path: 'sub/b.py' };
    for (const client of clients) {
      expect(await client.ask('find_referencing_symbols', references)).toContain('two()');
    }
    const found = await run(service, root, ['refs', 'sub/b.py#two']);
    expect(found).toEqual({ code: 0, stdout: 'sub/b.py:5:two()\n', stderr: '' });
    expect((await service.status()).servers).toMatchObject([{ id: 'python', root, state: 'ready' }]);
    expect(findMarked(service.mark).filter(({ command }) => command.includes('pyright'))).toHaveLength(1);
    expect(await answeredBy(service)).toBe(3);
  });

  serviceTest('prints what an answer lacks below the answer', async () => {
    const { root } = makeWorkspace({ ...files, '.serena/project.yml': '', 'c.py': 'def f(x):\n    return x.one()\n' });
    const own = 'class A:\n    def one(self):\n        pass\n\n\nA().one()\n';
    writeFileSync(join(root, 'a.py'), own);
    const env = { ...installEnv(), ...userHome, ...sharedStore, PATH: process.env.PATH ?? '' };
    await using service = new TestService(makeHome(), env);
    const command = programCommand(['refs', 'a.py#A/one']);
    const { stdout } = spawnSync('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...command], {
      ...{ cwd: root, env: { ...process.env, ...service.env }, encoding: 'utf8', timeout: 240_000 },
    });
    expect(stdout).toStartWith('a.py:6:A().one()\nIncomplete:\n');
    expect(stdout).toEndWith('    c.py:2: return x.one()\n');
    expect(await answeredBy(service)).toBe(1);
  });

  serviceTest('prints and returns what it does without the service', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(makeHome(stubServers({ python: 'well-behaved' })), userHome);
    const input = JSON.stringify({ name_path_pattern: 'two' });
    const lines: readonly (readonly [code: number, directory: string, ...args: string[]])[] = [
      [0, '.', 'overview', 'a.py'],
      [0, 'sub', 'overview', 'b.py', '--json'],
      [0, 'sub', 'refs', 'b.py#two'],
      [0, 'sub', 'find', 'one', '--project', '..'],
      [1, '.', 'find', 'three'],
      [1, '.', 'find', 'three', '--json'],
      [2, '.', 'find'],
      [2, '.', 'find', 'one', '--nonsense'],
      [4, '.', 'refs', 'three'],
      [4, '.', 'refs', 'three', '--json'],
      [4, '..', 'find', 'one', '--project', 'nothing'],
      [0, 'sub', 'tools', 'call', 'find_symbol', input, '--project', '..'],
      [0, 'sub', 'tools', 'call', 'find_symbol', '-', '--project-from-cwd', '--json'],
      [1, 'sub', 'tools', 'call', 'find_symbol', '-', '--project', 'nothing'],
      [2, 'sub', 'tools', 'call', 'find_symbol', '{', '--project', '..'],
      [0, '.', 'tools', 'call', 'execute_shell_command', '{"command": "pwd; echo $HOME"}', '--project', '.'],
    ];
    for (const [code, directory, ...args] of lines) {
      const cwd = join(root, directory);
      const there = await run(service, cwd, args, { input });
      const here = await run(service, cwd, args, { input, env: { SERENA_SERVICE: 'off' } });
      // The log of a session is that of the service.
      const stderr = here.stderr.replace(/^(?:WARNING|ERROR) .*\n/gm, '');
      expect({ args, ...there }).toEqual({ args, ...here, stderr });
      expect({ args, code: there.code }).toEqual({ args, code });
    }
    expect(await answeredBy(service)).toBe(9);
    await eventually('the sessions to end', async () => (await service.status()).clients.length === 0);
  });

  serviceTest('reads the text of an edit from its own stdin and files', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(makeHome(stubServers({ python: 'well-behaved' })), userHome);
    const edited = await run(service, root, ['replace', 'a.py#one'], { input: 'def one():\n    return "é"\n' });
    expect(edited).toEqual({ code: 0, stdout: 'OK\n', stderr: '' });
    expect(readFileSync(join(root, 'a.py'), 'utf8')).toBe('def one():\n    return "é"\n');
    mkdirSync(join(root, 'texts'));
    writeFileSync(join(root, 'texts/two.txt'), 'def two():\n    return 2\n');
    expect(await run(service, join(root, 'texts'), ['replace', 'two', 'two.txt'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, 'sub/b.py'), 'utf8')).toContain('return 2');
    const missing = await run(service, root, ['replace', 'two', 'missing.txt']);
    expect(missing).toMatchObject({ code: 4, stdout: '' });
    expect(missing.stderr).toContain('error: `missing.txt` cannot be read');
    const descriptor = ['-c', '"$@" 3<<END\ndef one():\n    return 3\nEND\n', 'sh'];
    const wrapper = ['/bin/sh', ...descriptor];
    expect(await run(service, root, ['replace', 'one', '/dev/fd/3'], { wrapper })).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, 'a.py'), 'utf8')).toContain('return 3');
    expect(await answeredBy(service)).toBe(3);
  });

  const whyNotConfined =
    whyNoProgram('setpriv') ?? whyNoProgram('unshare', '--user', '--map-current-user', '--net', 'true');
  testUnless(whyNoService ?? whyNotConfined)('runs in its own process if that is confined differently', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(makeHome(stubServers({ python: 'well-behaved' })), userHome);
    const expected = { code: 0, stdout: 'a.py:1: Function one\n', stderr: '' };
    expect(await run(service, root, ['find', 'one'])).toEqual(expected);
    const wrappers = [
      ['setpriv', '--no-new-privs'],
      ['unshare', '--user', '--map-current-user', '--net'],
    ];
    for (const wrapper of wrappers) {
      expect(await run(service, root, ['find', 'one'], { wrapper })).toEqual(expected);
    }
    expect(await answeredBy(service)).toBe(1);
  });

  serviceTest('is canceled by Ctrl-C, and by the end of its process', async () => {
    const { root } = makeWorkspace(files);
    const directory = makeTempDir();
    const [asked, report] = [join(directory, 'asked'), join(directory, 'cancelled')];
    const stub = ['reports-cancellation', { method: 'textDocument/references', asked, report }] as const;
    await using service = new TestService(makeHome(stubServers({ python: stub })), userHome);
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGKILL', null],
    ] as const) {
      const command = startProgram(['refs', 'a.py#one'], { cwd: root, env: service.env });
      await eventually('the call to reach the language server', () => existsSync(asked));
      process.kill(command.pid, signal);
      const { stdout, ...ended } = await command.ended;
      expect([signal, ended.code, stdout]).toEqual([signal, code, '']);
      await eventually('the cancellation', () => existsSync(report));
      for (const file of [asked, report]) rmSync(file);
      await eventually('the service to notice', async () => (await service.status()).clients.length === 0);
    }
  });

  serviceTest('repeats a read in its own process if the service dies', async () => {
    const { root } = makeWorkspace(files);
    const file = join(makeTempDir(), 'go');
    await using service = new TestService(makeHome(stubServers({ python: ['waits-for-file', { file }] })));
    const input = JSON.stringify({ name_path: 'two', relative_path: 'sub/b.py' });
    const args = ['tools', 'call', 'find_referencing_symbols', '-', '--project', '.'];
    const command = startProgram(args, { cwd: root, env: service.env, input });
    await eventually('the language server to start', async () => (await service.status()).servers.length > 0);
    await service.kill();
    writeFileSync(file, '');
    const { code, stdout, stderr } = await command.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('two()');
    await service.untilProcesses(0);
  });

  serviceTest('reports an edit that the death of the service prevented as not made', async () => {
    const { root } = makeWorkspace(files);
    const stub = ['waits-for-file', { file: join(makeTempDir(), 'never') }] as const;
    await using service = new TestService(makeHome(stubServers({ python: stub })), userHome);
    for (const json of [[], ['--json']]) {
      const input = 'def one():\n    return 1\n';
      const args = ['replace', 'a.py#one', ...json];
      const command = startProgram(args, { cwd: root, env: service.env, input });
      await eventually('the call', async () => (await service.status()).servers.length > 0);
      await service.kill();
      const { code, stdout, stderr } = await command.ended;
      const message = `${ended} The edit was not made: nothing was changed. Repeat the call.`;
      if (json.length === 0) expect({ stdout, stderr }).toEqual({ stdout: '', stderr: `error: ${message}\n` });
      else expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', error: { code: 'edit.failed', message } });
      expect(code).toBe(4);
      expect(readFileSync(join(root, 'a.py'), 'utf8')).toBe(files['a.py']);
    }
  });

  serviceTest('reports an edit that was made before the service died', async () => {
    const { root } = makeWorkspace(files);
    const home = makeHome({
      // After the edit the call waits for the owner of the fault, so that it cannot end before the service does.
      ...stubServers({ python: ['publishes-diagnostics', { faulty: 'unanswered' }] }),
      report_edit_diagnostics: true,
    });
    await using service = new TestService(home);
    const input = 'def one():\n    fault\n';
    const command = startProgram(['replace', 'a.py#one'], { cwd: root, env: service.env, input });
    await eventually('the edit', () => readFileSync(join(root, 'a.py'), 'utf8') === input);
    await service.kill();
    expect(await command.ended).toEqual({
      code: 0,
      stdout: `${ended} The edit was made completely (1 file).\n`,
      stderr: '',
    });
  });

  serviceTest('does not pass on a call whose effect is unknown', async () => {
    const { root } = makeWorkspace(files);
    await using service = new TestService(makeHome(stubServers({ python: 'well-behaved' })), userHome);
    const call = JSON.stringify({ command: 'echo x >> ran.txt; tail -f /dev/null' });
    const args = ['tools', 'call', 'execute_shell_command', call, '--project', root];
    const command = startProgram(args, { cwd: root, env: service.env });
    await eventually('the shell command to run', () => readFileSync(join(root, 'ran.txt'), 'utf8') === 'x\n');
    await service.kill();
    const { code, stderr } = await command.ended;
    expect(code).toBe(1);
    expect(stderr).toContain('It may or may not have had an effect');
    expect(readFileSync(join(root, 'ran.txt'), 'utf8')).toBe('x\n');
  });
});
