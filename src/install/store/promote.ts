import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { isBusyFile } from '../../base/busy-file.ts';
import { pause } from '../../base/deadline.ts';
import { systemCode } from '../../base/errors.ts';

// Virus scanners on Windows keep new files open for some seconds.
const timeoutMs = 10_000;
const pollMs = 200;

/**
 * Moves the finished installation `staging` to `directory` atomically. If `isComplete()` returns true, because a
 * process that shares no lock with this one has installed it already, that installation stays and the caller removes
 * `staging`. Anything else at `directory` is replaced.
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
      if (!isBusyFile(error) || Date.now() >= deadline) throw error;
      await pause(pollMs, signal);
    }
  }
}

function discardExisting(directory: string, staging: string): void {
  // Beside `staging`: if this process dies before the removal, leftovers there are removed after a day.
  const replaced = `${staging}-replaced-${randomBytes(2).toString('hex')}`;
  renameSync(directory, replaced);
  rmSync(replaced, { recursive: true, force: true, maxRetries: 5 });
}
