import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { pause } from '../../base/deadline.ts';
import { systemCode } from '../../base/errors.ts';

// Virus scanners on Windows keep fresh files open for some seconds.
const timeoutMs = 10_000;
const pollMs = 200;

/**
 * Moves the finished installation `staging` to `directory` in one step. If `isComplete()` says that one is there already (made
 * by a process that shares no lock with us) that one stays and ours is left for the caller to remove; anything else there is
 * replaced.
 */
export async function promote(
  staging: string,
  directory: string,
  { isComplete, signal }: { isComplete: () => boolean; signal: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return renameSync(staging, directory);
    } catch (error) {
      const code = systemCode(error) ?? '';
      if (isComplete()) return;
      if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code)) {
        discardExisting(directory, staging);
        continue;
      }
      const isBusy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
      if (!isBusy || Date.now() >= deadline) throw error;
      await pause(pollMs, signal);
    }
  }
}

function discardExisting(directory: string, staging: string): void {
  // Beside staging, where leftovers are removed after a day if this process dies in between.
  const replaced = `${staging}-replaced-${randomBytes(2).toString('hex')}`;
  renameSync(directory, replaced);
  rmSync(replaced, { recursive: true, force: true, maxRetries: 5 });
}
