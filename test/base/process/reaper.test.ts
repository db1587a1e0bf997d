import { describe, expect, test } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../../support/eventually.ts';
import { canListProcesses, isAlive } from '../../support/processes.ts';
import { testUnless } from '../../support/skip.ts';

const script = join(import.meta.dirname, 'reaper-child.ts');
const testOnLinux = testUnless(canListProcesses ? undefined : 'processes can be listed on Linux only');

interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly serverPids: readonly number[];
}

/** Starts a process that runs these stubs, in its own process group. */
async function startChild(...stubs: readonly string[]): Promise<Child> {
  const child = spawn(process.execPath, ['run', '--no-install', script, ...stubs], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid === undefined) throw new Error('The child did not start');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { process: child, pid: child.pid, serverPids: String(line).split(' ').map(Number) };
}

/** Returns the running child processes of a process: the servers and the reaper. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

async function untilGone(pids: readonly number[]): Promise<void> {
  await eventually(`the processes ${pids.join(', ')} to end`, () => !pids.some(isAlive));
}

describe('after `kill -9` of the parent process', () => {
  const rows: readonly { what: string; stubs: readonly string[] }[] = [
    { what: 'a server that exits at the end of its stdin', stubs: ['well-behaved'] },
    { what: 'a server that ignores the end of its stdin and SIGTERM', stubs: ['never-shuts-down'] },
    { what: 'several servers', stubs: ['never-shuts-down', 'never-shuts-down', 'never-answers'] },
  ];
  for (const { what, stubs } of rows) {
    testOnLinux(`no process is left of ${what}`, async () => {
      const child = await startChild(...stubs);
      const started = childrenOf(child.pid);
      expect(started).toEqual(expect.arrayContaining([...child.serverPids]));
      // The servers and one reaper for all of them.
      expect(started.length).toBe(stubs.length + 1);
      process.kill(child.pid, 'SIGKILL');
      await untilGone(started);
    });
  }

  // A client may kill this program's whole process group, which must not end the reaper.
  testOnLinux('and of its process group, no process is left of a server', async () => {
    const child = await startChild('never-shuts-down');
    const started = childrenOf(child.pid);
    process.kill(-child.pid, 'SIGKILL');
    await untilGone(started);
  });
});

test('the reaper does not keep the process alive', async () => {
  const child = spawn(process.execPath, ['-e', `(await import(${JSON.stringify(reaperModule())})).reapGroup(999999)`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
});

function reaperModule(): string {
  return join(import.meta.dirname, '../../../src/base/process/reaper.ts');
}
