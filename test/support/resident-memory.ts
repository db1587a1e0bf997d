import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MB. Linux only. */
export function residentMemory(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
