import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from './eventually.ts';

/** A live process, as `/proc` shows it. */
export interface Found {
  readonly pid: number;
  /** With its arguments, separated by spaces. */
  readonly command: string;
}

/** Whether `findMarked` works on this machine; tests that need it are skipped elsewhere. */
export const canListProcesses = process.platform === 'linux';

/** The environment variable that a client and everything started below it carries. */
export const markVariable = 'SERENA_TEST_MARK';

/** Returns every live process that has `mark` in its environment: what a client started, and whatever that started. */
export function findMarked(mark: string): Found[] {
  const wanted = `${markVariable}=${mark}`;
  return listPids().flatMap((pid) => {
    const environment = readProc(pid, 'environ');
    if (!environment.split('\0').includes(wanted) || isZombie(pid)) return [];
    return [{ pid, command: readProc(pid, 'cmdline').replaceAll('\0', ' ').trim() }];
  });
}

/** Returns every live process that `pid` has started, directly or through others; the mark is not looked at. */
export function findDescendants(pid: number): Found[] {
  const parents = new Map(listPids().map((candidate) => [candidate, parentOf(candidate)]));
  const found: number[] = [pid];
  // The list grows while it is walked.
  for (const parent of found) {
    for (const [child, itsParent] of parents) if (itsParent === parent) found.push(child);
  }
  return found
    .slice(1)
    .map((child) => ({ pid: child, command: readProc(child, 'cmdline').replaceAll('\0', ' ').trim() }));
}

/** Waits until none of these processes lives. @throws {Error} naming those that still do after `timeoutMs`. */
export async function untilGone(processes: readonly Found[], timeoutMs = 5_000): Promise<void> {
  await eventually(
    'processes to end',
    () => {
      const left = processes.filter(({ pid }) => isAlive(pid));
      if (left.length > 0) throw new Error(left.map(({ pid, command }) => `${pid} ${command}`).join('\n'));
      return true;
    },
    timeoutMs,
  );
}

/** Returns whether a process of this id lives; one that has ended and waits to be collected does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !canListProcesses || !isZombie(pid);
  } catch {
    return false;
  }
}

/** Waits until nothing that carries `mark` lives. @throws {Error} naming what still does after `timeoutMs`. */
export async function untilNoneMarked(mark: string, timeoutMs = 5_000): Promise<void> {
  await eventually(
    `every process marked ${mark} to end`,
    () => {
      const left = findMarked(mark);
      if (left.length > 0) throw new Error(left.map(({ pid, command }) => `${pid} ${command}`).join('\n'));
      return true;
    },
    timeoutMs,
  );
}

function listPids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** A process may end while we look, and another user's is not ours to read: both read as empty. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0);
}

function isZombie(pid: number): boolean {
  return /^State:\s+[ZX]/m.test(readProc(pid, 'status'));
}
