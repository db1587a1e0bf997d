import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { pause } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import { readOrEmpty } from '../files.ts';
import { log } from '../log.ts';

/** A process that another one has started. */
export interface Descendant {
  readonly pid: number;
  /** Command line: program and arguments, separated by spaces. */
  readonly command: string;
}

export interface ListedProcess extends Descendant {
  readonly parent: number;
}

/** Time limit for `ps`, and for a process to end after SIGTERM. */
const graceMs = 1_000;
const pollMs = 20;

/**
 * Returns the direct and indirect child processes of `pid` whose command line matches, in any process group or session.
 * Empty on Windows, where ending a process tree leaves none behind.
 */
export async function descendantsOf(pid: number, matching: RegExp): Promise<Descendant[]> {
  const processes = await listProcesses();
  const found = [pid];
  // The list grows during the loop.
  for (const parent of found) {
    for (const each of processes) if (each.parent === parent) found.push(each.pid);
  }
  const pids = new Set(found.slice(1));
  return processes.filter((each) => pids.has(each.pid) && matching.test(each.command));
}

/** Ends processes: SIGTERM, then SIGKILL for those still running after a second. Never rejects. */
export async function endProcesses(processes: readonly Descendant[]): Promise<void> {
  let left = await stillRunning(processes);
  signalAll(left, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (left.length > 0 && performance.now() < deadline) {
    await pause(pollMs);
    left = await stillRunning(left);
  }
  signalAll(left, 'SIGKILL');
}

/** Returns the processes that still run, without ids that have been reused by another program. */
async function stillRunning(processes: readonly Descendant[]): Promise<readonly Descendant[]> {
  if (processes.length === 0) return [];
  const commands = new Map((await listProcesses()).map(({ pid, command }) => [pid, command]));
  return processes.filter(({ pid, command }) => commands.get(pid) === command);
}

function signalAll(processes: readonly Descendant[], signal: NodeJS.Signals): void {
  for (const { pid, command } of processes) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      log('process').debug(`cannot signal ${pid} (${command}): ${messageOf(error)}`);
    }
  }
}

/** Returns all processes; none, with a warning in the log, if they cannot be listed. */
export async function listProcesses(platform = process.platform): Promise<ListedProcess[]> {
  if (platform === 'win32') return [];
  try {
    return platform === 'linux' ? listLinuxProcesses() : await listByPs();
  } catch (error) {
    log('process').warn(`cannot list processes: ${messageOf(error)}`);
    return [];
  }
}

function listLinuxProcesses(): ListedProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    // `<pid> (<name>) <state> <parent> …`, where the name may contain any character.
    const stat = readOrEmpty(`/proc/${name}/stat`);
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Skips zombies, which have no command line.
    if (state === undefined || state === 'Z' || state === 'X') return [];
    const command = readOrEmpty(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
    return [{ pid: Number(name), parent: Number(parent), command }];
  });
}

async function listByPs(): Promise<ListedProcess[]> {
  const args = ['-A', '-ww', '-o', 'pid=,ppid=,command='];
  const { stdout } = await promisify(execFile)('ps', args, { timeout: graceMs, maxBuffer: 16 * 1024 * 1024 });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command: command.trim() }];
  });
}
