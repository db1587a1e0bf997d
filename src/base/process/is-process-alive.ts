import { readFileSync } from 'node:fs';
import { attempt } from '../attempt.ts';
import { systemCode } from '../errors.ts';

/** True if a process with this id runs, of any user. */
export function isProcessAlive(pid: number, platform = process.platform): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process exists but belongs to another user.
    return systemCode(error) === 'EPERM';
  }
  return platform !== 'linux' || !isZombie(pid);
}

/** Without an init process that reaps, as in some containers, zombies linger and still accept signals. */
function isZombie(pid: number): boolean {
  return attempt(() => /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1')), false);
}
