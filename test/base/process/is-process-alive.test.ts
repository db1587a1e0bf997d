import { expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
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
    // The child ends only after the shell, which would reap it, has become another program.
    const parent = spawn('/bin/sh', ['-c', 'read line <&3 & echo $!; exec tail -f /dev/null 3<&-'], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    try {
      const { stdout, stdio } = parent;
      const gate = stdio[3];
      if (stdout === null || !(gate instanceof Writable)) throw new Error('the shell has no pipes');
      const [line] = await once(stdout, 'data');
      const pid = Number(String(line));
      const program = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim();
      await eventually('the shell to become another program', () => program() === 'tail');
      expect(isProcessAlive(pid)).toBe(true);
      gate.end();
      await eventually('the process to end', () => !isProcessAlive(pid));
      // The operating system still knows it.
      expect(process.kill(pid, 0)).toBe(true);
    } finally {
      const ended = once(parent, 'exit');
      parent.kill('SIGKILL');
      await ended;
    }
  },
);
