import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readOrEmpty } from '../files.ts';

/** Processor time of a process group, and whether it is busy now. */
export interface GroupUsage {
  /** Processor time used so far by all its processes. */
  readonly cpuMs: number;
  /** True if one of its processes runs, or waits for a processor or a disk. */
  readonly isBusy: boolean;
}

/** The kernel counts in units of 10 ms on every platform that has `/proc`. */
const tickMs = 10;
const psTimeoutMs = 2_000;

/** Returns the usage of the process group `group`, or `undefined` where the system does not report it. */
export async function groupUsage(group: number, platform = process.platform): Promise<GroupUsage | undefined> {
  if (platform === 'win32') return undefined;
  return platform === 'linux' ? procUsage(group) : readPs(group, await listByPs());
}

function procUsage(group: number): GroupUsage {
  let cpuMs = 0;
  let isBusy = false;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // `<pid> (<name>) <state> <parent> <group> …`, where the name may contain any character.
    const stat = readOrEmpty(`/proc/${name}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[2]) !== group) continue;
    isBusy ||= /^[RD]/.test(fields[0] ?? '');
    cpuMs += (Number(fields[11]) + Number(fields[12])) * tickMs;
  }
  return { cpuMs, isBusy };
}

function listByPs(): Promise<string> {
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pgid=,state=,time='], { timeout: psTimeoutMs }, (_error, stdout) => resolve(stdout));
  });
}

/**
 * Returns the usage of a group from the output of `ps -A -o pgid=,state=,time=`, or `undefined` if it is not listed.
 */
export function readPs(group: number, output: string): GroupUsage | undefined {
  const rows = output
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pgid]) => Number(pgid) === group);
  if (rows.length === 0) return undefined;
  return {
    cpuMs: rows.reduce((sum, [, , time = '']) => sum + milliseconds(time), 0),
    isBusy: rows.some(([, state = '']) => /^[RDU]/.test(state)),
  };
}

/** Parses `[[days-]hours:]minutes:seconds`, the seconds with or without a fraction. */
function milliseconds(time: string): number {
  const [, days = '0', clock = ''] = /^(?:(\d+)-)?([\d:.]+)$/.exec(time) ?? [];
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}
