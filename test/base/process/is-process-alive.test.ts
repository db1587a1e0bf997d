import { expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isProcessAlive } from '../../../src/base/process/is-process-alive.ts';
import { eventually } from '../../support/eventually.ts';
import { canListProcesses } from '../../support/processes.ts';
import { testUnless } from '../../support/skip.ts';

test('isProcessAlive() is true for a process that runs, until it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  const { pid = 0 } = child;
  expect(isProcessAlive(pid)).toBe(true);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect(isProcessAlive(pid)).toBe(false);
});

testUnless(canListProcesses ? undefined : 'processes can be listed on Linux only')(
  'isProcessAlive() is false for a process that has ended but that its parent does not reap',
  async () => {
    const parent = spawn('/bin/sh', ['-c', 'true & echo $!; exec tail -f /dev/null'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    await eventually('the process to end', () => !isProcessAlive(pid));
    // The operating system still knows it.
    expect(process.kill(pid, 0)).toBe(true);
    const ended = once(parent, 'exit');
    parent.kill('SIGKILL');
    await ended;
  },
);
