import { readdirSync, readFileSync } from 'node:fs';
import { systemCode } from '../../src/base/errors.ts';
import { eventually } from './eventually.ts';

/** A running process, as listed by `/proc`. */
export interface Found {
  readonly pid: number;
  /** Command line, with arguments separated by spaces. */
  readonly command: string;
}

/** True if `findMarked` works on this platform; tests that need it are skipped elsewhere. */
export const canListProcesses = process.platform === 'linux';

/** Environment variable that a server under test and all its descendants inherit. */
export const markVariable = 'SERENA_TEST_MARK';

/**
 * Returns every running process with `mark` in its environment: the server that a client started, and its descendants.
 */
export function findMarked(mark: string): Found[] {
  const wanted = `${markVariable}=${mark}`;
  return listPids().flatMap((pid) => {
    const environment = readProc(pid, 'environ');
    if (!environment.split('\0').includes(wanted) || isZombie(pid)) return [];
    return [{ pid, command: readProc(pid, 'cmdline').replaceAll('\0', ' ').trim() }];
  });
}

/** Returns all running descendants of `pid`, with or without a mark. */
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

/** Waits until all these processes have exited. @throws {Error} that names those that do not. */
export async function untilGone(processes: readonly Found[]): Promise<void> {
  await eventually('processes to end', () => {
    const left = processes.filter(({ pid }) => isAlive(pid));
    if (left.length > 0) throw new Error(left.map(({ pid, command }) => `${pid} ${command}`).join('\n'));
    return true;
  });
}

/** Sends a signal to a process unless it has ended meanwhile. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

/** Returns true if a process with this id is running; zombies do not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !canListProcesses || !isZombie(pid);
  } catch {
    return false;
  }
}

/** Waits until no process with `mark` is running. @throws {Error} that names those that do not end. */
export async function untilNoneMarked(mark: string): Promise<void> {
  await eventually(`every process marked ${mark} to end`, () => {
    const left = findMarked(mark);
    if (left.length > 0) throw new Error(left.map(({ pid, command }) => `${pid} ${command}`).join('\n'));
    return true;
  });
}

function listPids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** Returns a file of `/proc/<pid>`, or `''` if the process has exited or belongs to another user. */
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
