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
/** What `kill -9` of us may leave behind, and for how long (DESIGN 3.6). */
const limitMs = 5_000;

interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly serverPids: readonly number[];
}

/** Starts a process that runs these stubs, in a process group of its own. */
async function startChild(...stubs: readonly string[]): Promise<Child> {
  const child = spawn(process.execPath, ['run', '--no-install', script, ...stubs], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid === undefined) throw new Error('The child did not start');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { process: child, pid: child.pid, serverPids: String(line).split(' ').map(Number) };
}

/** Returns what a process has started and still runs: the servers, and what guards them. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

async function untilGone(pids: readonly number[]): Promise<void> {
  await eventually(`the processes ${pids.join(', ')} to end`, () => !pids.some(isAlive), limitMs);
}

describe('after `kill -9` of our process', () => {
  const rows: readonly { what: string; stubs: readonly string[] }[] = [
    { what: 'a server that heeds the end of its stdin', stubs: ['well-behaved'] },
    { what: 'a server that heeds neither that nor SIGTERM', stubs: ['never-shuts-down'] },
    { what: 'several servers', stubs: ['never-shuts-down', 'never-shuts-down', 'never-answers'] },
  ];
  for (const { what, stubs } of rows) {
    testOnLinux(
      `nothing is left of ${what}`,
      async () => {
        const child = await startChild(...stubs);
        const started = childrenOf(child.pid);
        expect(started).toEqual(expect.arrayContaining([...child.serverPids]));
        // One more than the servers: what watches over all of them.
        expect(started.length).toBe(stubs.length + 1);
        process.kill(child.pid, 'SIGKILL');
        await untilGone(started);
      },
      30_000,
    );
  }

  // A client that gives up on us kills our whole process group, which must not take the guard along.
  testOnLinux(
    'and of its process group nothing is left of a server either',
    async () => {
      const child = await startChild('never-shuts-down');
      const started = childrenOf(child.pid);
      process.kill(-child.pid, 'SIGKILL');
      await untilGone(started);
    },
    30_000,
  );
});

test('the guard does not keep our process alive', async () => {
  const child = spawn(process.execPath, ['-e', `(await import(${JSON.stringify(reaperModule())})).reapGroup(999999)`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
}, 30_000);

function reaperModule(): string {
  return join(import.meta.dirname, '../../../src/base/process/reaper.ts');
}
