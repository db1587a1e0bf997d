import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { startClient, type TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome } from '../support/homes.ts';
import { canListProcesses, findMarked, untilGone, untilNoneMarked } from '../support/processes.ts';
import { rejection } from '../support/rejection.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const testOnLinux = testUnless(canListProcesses ? undefined : 'processes can be listed on Linux only');
const name = 'execute_shell_command';
const Result = z.strictObject({
  stdout: z.string(),
  return_code: z.int(),
  cwd: z.string(),
  stderr: z.string().nullable(),
});

let workspace: Workspace;
let client: TestClient;

beforeAll(async () => {
  workspace = makeWorkspace({ 'sub/file.txt': 'x' });
  client = await start();
});

afterAll(() => client.close());

function start(...args: string[]): Promise<TestClient> {
  return startClient({ args: ['--project', workspace.root, ...args], env: { SERENA_HOME: makeHome() } });
}

const run = async (command: string, args: object = {}) =>
  Result.parse(JSON.parse(await client.ask(name, { command, ...args })));

/** Waits for processes below a server whose command line contains `words`, and returns them. */
const started = (server: TestClient, words: string) =>
  eventually(`\`${words}\` to run`, () => {
    const found = findMarked(server.mark).filter(({ command }) => command.includes(words));
    return found.length > 0 && found;
  });

describe('the answer of execute_shell_command', () => {
  test('contains both outputs, the code and the directory, as compact JSON in this order', async () => {
    expect(await client.ask(name, { command: 'echo hi; echo err >&2; exit 3' })).toBe(
      `{"stdout":"hi\\n","return_code":3,"cwd":"${workspace.root}","stderr":"err\\n"}`,
    );
  });

  test('contains null for stderr that is not captured, which goes to the stderr of the server', async () => {
    expect((await run('echo "not in" "the answer" >&2', { capture_stderr: false })).stderr).toBeNull();
    await eventually('the text on stderr', () => client.stderr.includes('not in the answer'));
  });

  test('replaces bytes that are not UTF-8', async () => {
    expect((await run(String.raw`printf 'a\377\303\251'`)).stdout).toBe('a\ufffdé');
  });

  test('contains the negative number of the signal that ended the shell', async () => {
    expect((await run('kill -9 $$')).return_code).toBe(-9);
  });

  test('is the same under an older name of the tool', async () => {
    expect(await client.ask('run_shell_command', { command: 'echo hi' })).toContain('"stdout":"hi\\n"');
  });

  test('is within the limit, or only the notice, whatever the sizes', async () => {
    for (const limit of [40, 300, 1_000, 3_000, 40_000, 200_000]) {
      const text = await client.ask(name, { command: 'seq 1 60000; seq 1 60000 >&2; exit 4', max_answer_chars: limit });
      if (text.length > limit) expect(text).not.toContain('\n');
      else expect(text).toContain('"return_code":4');
      if (limit >= 3_000) {
        const { stdout, stderr } = Result.parse(JSON.parse(text.split('\n')[2] ?? ''));
        // The end matters more than the beginning.
        expect([stdout, stderr].map((output) => output?.slice(-12))).toEqual(['59999\n60000\n', '59999\n60000\n']);
        expect(stdout).toStartWith('1\n2\n');
        expect(stdout).toMatch(/\n\[… \d+ characters omitted …\]\n/);
      }
    }
  });

  testOnLinux('states how much of a huge output is missing, which is not held in memory', async () => {
    const peakKb = () => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${client.pid}/status`, 'utf8'))?.[1]);
    const before = peakKb();
    const answer = await client.call(name, {
      command: "head -c 600000000 /dev/zero | tr '\\0' a; echo; echo end",
      max_answer_chars: 10_000_000,
    });
    const { stdout } = Result.parse(JSON.parse(answer.text));
    expect(stdout.slice(-8)).toBe('aaa\nend\n');
    const omitted = Number(/\n\[… (\d+) bytes omitted …\]\n/.exec(stdout)?.[1]);
    expect(stdout.replace(/\n\[….*…\]\n/, '').length + omitted).toBe(600_000_005);
    expect(answer.blocks[1]).toStartWith(`Incomplete:\n- ${omitted} bytes from the middle of stdout: `);
    expect(peakKb() - before).toBeLessThan(300_000);
  });
});

describe('the command', () => {
  test('has an empty stdin', async () => {
    expect((await run('cat; echo done')).stdout).toBe('done\n');
  });

  test('runs in the project root, in a directory of it, or anywhere', async () => {
    const elsewhere = makeTempDir();
    for (const [cwd, directory] of [
      [null, workspace.root],
      ['', workspace.root],
      ['.', workspace.root],
      ['sub', workspace.path('sub')],
      ['sub/..', workspace.root],
      [elsewhere, elsewhere],
    ]) {
      expect(await run('pwd', { cwd })).toMatchObject({ stdout: `${directory}\n`, cwd: directory });
    }
  });

  test('is not run in a missing directory', async () => {
    for (const [cwd, kind] of [
      ['nope', 'FileNotFoundError'],
      ['sub/file.txt', 'FileNotFoundError'],
      ['a\0b', 'FileNotFoundError'],
      [workspace.path('nope'), 'FileNotFoundError'],
      [workspace.path('sub/file.txt'), 'NotADirectoryError'],
    ]) {
      const answer = await client.call(name, { command: 'echo hi', cwd });
      expect(answer.isError).toBe(true);
      expect(answer.text).toStartWith(`Error executing tool ${name}: ${kind}: `);
    }
  });

  test('is rejected if the system does not accept it', async () => {
    for (const command of ['echo a\0b', `echo ${'x'.repeat(3_000_000)}`]) {
      const answer = await client.call(name, { command });
      expect(answer.text).toStartWith(`Error executing tool ${name}: ValueError: cannot run the command: `);
      expect(answer.text).toContain('hint: write the command to a script');
    }
  });

  test('has the environment of this server and nothing else', async () => {
    const env = { SERENA_HOME: makeHome(), HOME: makeTempDir(), PATH: '/usr/bin:/bin', BUN_SETTING: 'a', OTHER: 'b c' };
    await using alone = await startClient({ args: ['--project', workspace.root], env, hasOnlyOwnEnv: true });
    const text = await alone.ask(name, { command: 'env -0 | tr "\\0" "\\n"' });
    const lines = Result.parse(JSON.parse(text)).stdout.trim().split('\n');
    // Variables that shells set themselves.
    const own = lines.filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line));
    const given = { ...env, SERENA_SERVICE: 'off', SERENA_TEST_MARK: alone.mark };
    expect(own.sort()).toEqual(
      Object.entries(given)
        .map(([key, value]) => `${key}=${value}`)
        .sort(),
    );
  });

  test('never runs in a read-only project', async () => {
    const project = makeWorkspace({ '.serena/project.yml': 'read_only: true\n' });
    await using reader = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
    const answer = await reader.call(name, { command: 'touch made' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('is not active') });
    expect(existsSync(join(project.root, 'made'))).toBe(false);
  });
});

describe('no processes remain of a command', () => {
  const stubborn = `trap '' TERM; sleep 4713 & (trap '' TERM; sleep 4714; sleep 4714); touch late`;

  testOnLinux('that takes longer than the tool timeout, and the next call runs', async () => {
    await using hasty = await start('--tool-timeout', '1');
    const answer = hasty.call(name, { command: 'sleep 4711 & sleep 4712; touch late' });
    const processes = await started(hasty, 'sleep 471');
    expect(await answer).toMatchObject({ isError: true, text: expect.stringContaining('within 1 s') });
    await untilGone(processes);
    expect(await hasty.ask(name, { command: 'ls' })).toContain('"stdout":"sub\\n"');
  });

  testOnLinux('that the client cancels, even one that ignores SIGTERM', async () => {
    const stop = new AbortController();
    const answer = client.call(name, { command: stubborn }, { signal: stop.signal });
    const processes = await started(client, 'sleep 471');
    stop.abort('enough');
    expect(await rejection(answer)).toContain('enough');
    await untilGone(processes);
    expect((await run('ls')).stdout).toBe('sub\n');
  });

  testOnLinux('that never stops writing', async () => {
    const stop = new AbortController();
    const answer = client.call(name, { command: 'yes endless' }, { signal: stop.signal });
    const processes = await started(client, 'yes endless');
    stop.abort('enough');
    expect(await rejection(answer)).toContain('enough');
    await untilGone(processes);
    expect((await run('echo on')).stdout).toBe('on\n');
  });

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    testOnLinux(`when the server gets ${signal}`, async () => {
      const server = await start();
      const answer = rejection(server.call(name, { command: stubborn }));
      await started(server, 'sleep 4714');
      process.kill(server.pid, signal);
      await answer;
      await untilNoneMarked(server.mark);
      await server.close();
    });
  }

  testOnLinux('when the server is killed while the command begins', async () => {
    for (let round = 0; round < 8; round++) {
      const server = await start();
      const answer = rejection(server.call(name, { command: 'sleep 4716; sleep 4716' }));
      await started(server, 'sleep 4716');
      process.kill(server.pid, 'SIGKILL');
      await answer;
      await untilNoneMarked(server.mark);
      await server.close();
    }
  });
});

describe('a background process of a command', () => {
  testOnLinux('continues, may write, and ends with the server', async () => {
    const server = await start();
    const answer = await server.call(name, {
      command: 'echo started; (sleep 0.5; seq 1 50000; seq 1 50000 >&2; touch background-went-on; exec sleep 4715) &',
    });
    expect(Result.parse(JSON.parse(answer.text))).toMatchObject({ stdout: 'started\n', return_code: 0 });
    expect(answer.blocks[1]).toStartWith('Note:\n- The command left processes running.');
    await eventually('the background process to go on', () => existsSync(workspace.path('background-went-on')));
    workspace.remove('background-went-on');
    const processes = await started(server, 'sleep 4715');
    expect(await server.ask(name, { command: 'echo more' })).toContain('"stdout":"more\\n"');
    await server.close();
    await untilGone(processes);
  });

  test('is not waited for, and is not reported once it has ended', async () => {
    const answer = await client.call(name, { command: 'sleep 0.05 & wait; echo done' });
    expect(answer.blocks).toHaveLength(1);
    expect(answer.text).toContain('"stdout":"done\\n"');
  });
});
