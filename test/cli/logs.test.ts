import { describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expectClearExit } from '../support/clear.ts';
import { programCommand, startClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { runProgram } from '../support/program.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** No process has this id: it is above the maximum of every system. */
const endedPid = 2 ** 30;

/** Files below `logs` of a new home. */
class Logs {
  readonly home = makeTempDir('home');

  path(name: string): string {
    return join(this.home, 'logs', name);
  }

  /** Writes a file of an ended process, which was modified `ageDays` ago. */
  write(name: string, { ageDays = 0, sizeBytes = 4, text = 'old\n' } = {}): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    // The file gets a hole, which takes no space.
    if (sizeBytes !== 4) truncateSync(path, sizeBytes);
    const time = new Date(Date.now() - ageDays * dayMs);
    utimesSync(path, time, time);
    return name;
  }

  run(...args: string[]) {
    return runProgram(['logs', ...args], { env: { SERENA_HOME: this.home } });
  }
}

const nameOf = (day: string, pid = endedPid, prefix = 'mcp') =>
  `${day}/${prefix}_${day.replaceAll('-', '')}-120000_${pid}.txt`;

describe('a process that starts a log', () => {
  test('removes log files that are too old or too many, and nothing else', async () => {
    const logs = new Logs();
    const removed = [
      logs.write(nameOf('2026-01-01'), { ageDays: 15 }),
      logs.write(nameOf('2026-01-02', endedPid, 'health-check'), { ageDays: 15 }),
      // The newer ones together have 90 MB.
      logs.write(nameOf('2026-01-05'), { ageDays: 3, sizeBytes: 20_000_000 }),
    ];
    const kept = [
      logs.write(nameOf('2026-01-03'), { ageDays: 1, sizeBytes: 90_000_000 }),
      logs.write(nameOf('2026-01-04', process.pid), { ageDays: 20 }),
      logs.write('2026-01-01/notes.txt', { ageDays: 20 }),
      logs.write(`elsewhere/mcp_20260101-120000_${endedPid}.txt`, { ageDays: 20 }),
    ];
    await using _client = await startClient({ env: { SERENA_HOME: logs.home } });
    await eventually('the old files to be removed', () => removed.every((name) => !existsSync(logs.path(name))));
    await eventually('the empty directory to be removed', () => !existsSync(logs.path('2026-01-02')));
    for (const name of kept) expect(existsSync(logs.path(name))).toBe(true);
    expect(readdirSync(logs.path('')).sort()).toHaveLength(5);
  });
});

describe('logs', () => {
  test('lists the files, the last one first, and prints one', async () => {
    const logs = new Logs();
    expect(await logs.run()).toMatchObject({ code: 0, stdout: 'There are no log files\n' });
    expectClearExit(await logs.run('latest'), 1, 'there are no log files');
    const first = logs.write(nameOf('2026-01-01'), { ageDays: 2, text: 'one\n' });
    const last = logs.write(nameOf('2026-01-02', process.pid), { ageDays: 1, text: 'zwei ü\n' });
    const { stdout } = await logs.run();
    expect(stdout.split('\n').map((line) => line.split(/\s+/)[0])).toEqual([last, first, '2', '']);
    expect(stdout).toMatch(/ in use\n.*\d kB\n/);
    const listed = JSON.parse((await logs.run('--json')).stdout).logs;
    expect(listed[0]).toMatchObject({ name: last, path: logs.path(last), isInUse: true });
    expect((await logs.run('latest')).stdout).toBe('zwei ü\n');
    expect((await logs.run(first)).stdout).toBe('one\n');
    expect((await logs.run(`_${endedPid}.txt`)).stdout).toBe('one\n');
    writeFileSync(join(logs.home, 'secret'), 'x');
    for (const name of ['../secret', join(logs.home, 'secret'), 'none'])
      expectClearExit(await logs.run(name), 1, 'run `serena logs` to list the log files');
  });

  test('removes all files except those in use', async () => {
    const logs = new Logs();
    logs.write(nameOf('2026-01-01'));
    const used = logs.write(nameOf('2026-01-02', process.pid));
    expect(await logs.run('--clean')).toMatchObject({
      code: 0,
      stdout: 'Removed 1 log file, 0.0 kB; kept 1 file of running processes\n',
    });
    expect(readdirSync(logs.path(''))).toEqual(['2026-01-02']);
    expect(existsSync(logs.path(used))).toBe(true);
    expectClearExit(await logs.run('latest', '--clean'), 2, '`--clean` removes all log files');
  });

  test('follows a file until it is interrupted', async () => {
    const logs = new Logs();
    const name = logs.write(nameOf('2026-01-01'), { text: 'one\n' });
    const [command, ...args] = programCommand(['logs', '--follow']);
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, SERENA_HOME: logs.home, SERENA_SERVICE: 'off' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await eventually('the first line', () => output === 'one\n');
    for (const line of ['two\n', 'three\n']) {
      appendFileSync(logs.path(name), line);
      await eventually(`the line ${line}`, () => output.endsWith(line));
    }
    child.kill('SIGINT');
    expect(await exited).toEqual([130, null]);
    expect(output).toBe('one\ntwo\nthree\n');
  });
});

testUnless(process.platform === 'win32' ? 'modes are those of POSIX' : undefined)(
  'logs are readable for their user only, also in directories of earlier versions',
  async () => {
    const logs = new Logs();
    const day = new Date().toISOString().slice(0, 10);
    logs.write(`${day}/mcp_20260101-120000_${endedPid}.txt`);
    chmodSync(logs.path('.'), 0o755);
    chmodSync(logs.path(day), 0o755);
    await using client = await startClient({ env: { SERENA_HOME: logs.home } });
    await client.call('get_current_config');
    const [file = ''] = readdirSync(logs.path(day)).filter((name) => !name.includes(`${endedPid}`));
    const modes = ['.', day, `${day}/${file}`].map((name) => (statSync(logs.path(name)).mode & 0o777).toString(8));
    expect(modes).toEqual(['700', '700', '600']);
  },
);
