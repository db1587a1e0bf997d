import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { pause } from '../deadline.ts';
import { messageOf, systemCode } from '../errors.ts';
import { readOrEmpty } from '../files.ts';
import { log } from '../log.ts';

/** Time for a process group to end after SIGTERM. */
const graceMs = 1_000;
const pollMs = 20;

/** Returns options of `spawn` that make a child lead its own process group; on Windows it then has no window either. */
export function ownGroupOptions(platform = process.platform): { detached: boolean; windowsHide: boolean } {
  // A detached process gets a console of its own on Windows.
  return { detached: platform !== 'win32', windowsHide: true };
}

/** Options of `spawn` that make a child lead its own process group, as the functions here expect. */
export const inOwnGroup = ownGroupOptions();

/** Sends `signal` to the process group that `child` leads. Does nothing if the group is gone. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals, platform = process.platform): void {
  if (pid === undefined) return;
  if (platform === 'win32') {
    // Windows has neither groups nor signals; only the process tree can be ended.
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') log('process').debug(`cannot signal process group ${pid}: ${messageOf(error)}`);
  }
}

/** True if a process of the process group `group` still runs. Always false on Windows, which has no groups. */
export function isGroupAlive(group: number, platform = process.platform): boolean {
  if (platform === 'win32') return false;
  try {
    process.kill(-group, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
  return platform !== 'linux' || hasRunningMember(group);
}

/** Without an init process that reaps, as in some containers, zombies linger and still accept signals. */
function hasRunningMember(group: number): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    // `<pid> (<name>) <state> <parent> <group> …`, where the name may contain any character.
    const stat = readOrEmpty(`/proc/${name}/stat`);
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  });
}

/** Waits until the process group `group` has ended, at most `limitMs`, and returns whether it has. */
export async function endsWithin(group: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (isGroupAlive(group)) {
    if (performance.now() >= deadline) return false;
    await pause(pollMs);
  }
  return true;
}

/** Ends the process group that `child` leads: SIGTERM, then SIGKILL if it still runs after a second. Never rejects. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  signalGroup(child, 'SIGTERM');
  if (!(await endsWithin(child.pid, graceMs))) signalGroup(child, 'SIGKILL');
}
