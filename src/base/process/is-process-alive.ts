import { systemCode } from '../errors.ts';

/** Returns whether there is a process with this id, of whatever user. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Someone else's process is alive, too.
    return systemCode(error) === 'EPERM';
  }
}
