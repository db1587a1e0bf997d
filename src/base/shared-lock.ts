import { pause } from './deadline.ts';
import { tryLock } from './lock.ts';
import { log } from './log.ts';

// Exclusive holders remove something and take less time than this.
const patienceMs = 10_000;
const pollMs = 60;

/**
 * Takes a shared lock on the file at absolute `path`, which excludes `withLock()`, and returns a function that releases
 * it. The end of this process also releases it. Where the file system has no working locks or is not writable, nothing
 * is held and a warning is logged.
 */
export async function holdShared(path: string): Promise<() => void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const release = await tryLock(path, 'shared');
    if (release !== undefined) return release;
    if (performance.now() >= deadline) {
      log('lock').warn(
        `cannot share the lock \`${path}\`: another process holds it exclusively. Continuing without it`,
      );
      return () => undefined;
    }
    await pause(pollMs);
  }
}
