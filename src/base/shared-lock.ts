import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { pause } from './deadline.ts';
import { messageOf } from './errors.ts';
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
  // See `lock.ts` for why it is imported here.
  const { DatabaseSync } = await import('node:sqlite');
  const deadline = Date.now() + patienceMs;
  for (;;) {
    let database: InstanceType<typeof DatabaseSync> | undefined;
    try {
      mkdirSync(dirname(path), { recursive: true });
      const opened = new DatabaseSync(path);
      database = opened;
      // A transaction that reads holds the file as long as it is open.
      opened.exec('PRAGMA journal_mode = MEMORY; BEGIN; SELECT count(*) FROM sqlite_master');
      return () => opened.close();
    } catch (error) {
      database?.close();
      const isHeld = messageOf(error).includes('database is locked');
      if (!isHeld || Date.now() >= deadline) {
        log('lock').warn(`Cannot hold \`${path}\`: ${messageOf(error)}. Going on without`);
        return () => undefined;
      }
      await pause(pollMs);
    }
  }
}
