import { pause } from './deadline.ts';
import { tryLock } from './lock.ts';
import { log } from './log.ts';

// Whoever holds the lock for itself, to remove something, is done in less.
const patienceMs = 10_000;
const pollMs = 60;

/**
 * Holds the lock file at absolute `path` together with others, against `withLock()`, and returns what frees it. It is freed
 * when this process ends, however it does. Where there are no working locks, or nothing can be written, nothing is held and
 * the log says so.
 */
export async function holdShared(path: string): Promise<() => void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const release = await tryLock(path, 'together');
    if (release !== undefined) return release;
    if (Date.now() >= deadline) {
      log('lock').warn(`Cannot hold \`${path}\`: another process has it for itself. Going on without`);
      return () => undefined;
    }
    await pause(pollMs);
  }
}
