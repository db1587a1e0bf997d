import { systemCode } from '../errors.ts';

/** True if a process with this id exists, of any user. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists but belongs to another user.
    return systemCode(error) === 'EPERM';
  }
}
