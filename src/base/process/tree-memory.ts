import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { messageOf } from '../errors.ts';
import { log } from '../log.ts';
import { listProcesses } from './descendants.ts';

interface Measured {
  readonly pid: number;
  readonly parent: number;
  /** Returns its memory in bytes; 0 once it has ended. */
  bytes(): Promise<number>;
}

const psTimeoutMs = 2_000;

/**
 * Returns the memory in bytes of each process in `roots` with all its descendants. A descendant counts for the nearest
 * root above it. On Linux this is the proportional set size, which counts shared pages once, elsewhere the resident set
 * size; `undefined` where the system reports neither.
 */
export async function treeMemory(
  roots: readonly number[],
  platform = process.platform,
): Promise<ReadonlyMap<number, number> | undefined> {
  if (platform === 'win32') return undefined;
  try {
    const processes = platform === 'linux' ? await listByProc() : await listByPs();
    const byPid = new Map(processes.map((each) => [each.pid, each]));
    const totals = new Map(roots.map((root) => [root, 0]));
    await Promise.all(
      processes.map(async (each) => {
        const root = rootOf(each, { byPid, totals });
        if (root === undefined) return;
        const bytes = await each.bytes();
        totals.set(root, (totals.get(root) ?? 0) + bytes);
      }),
    );
    return totals;
  } catch (error) {
    log('process').warn(`cannot measure memory: ${messageOf(error)}`);
    return undefined;
  }
}

function rootOf(
  start: Measured,
  { byPid, totals }: { byPid: ReadonlyMap<number, Measured>; totals: ReadonlyMap<number, number> },
): number | undefined {
  for (let each: Measured | undefined = start; each !== undefined; each = byPid.get(each.parent)) {
    if (totals.has(each.pid)) return each.pid;
    if (each.parent === each.pid) return undefined;
  }
  return undefined;
}

async function listByProc(): Promise<Measured[]> {
  return (await listProcesses()).map(({ pid, parent }) => ({ pid, parent, bytes: () => proportionalBytes(pid) }));
}

/** Returns the proportional set size of a process, or its resident set size if the kernel does not let us read that. */
async function proportionalBytes(pid: number): Promise<number> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
  const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(await read('smaps_rollup')) ?? [];
  const [, resident] = kilobytes === undefined ? (/^VmRSS:\s+(\d+) kB$/m.exec(await read('status')) ?? []) : [];
  return Number(kilobytes ?? resident ?? 0) * 1024;
}

async function listByPs(): Promise<Measured[]> {
  const options = { timeout: psTimeoutMs, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss='], options);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, kilobytes] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s*$/.exec(line) ?? [];
    if (pid === undefined) return [];
    return [{ pid: Number(pid), parent: Number(parent), bytes: async () => Number(kilobytes) * 1024 }];
  });
}
