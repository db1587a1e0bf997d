import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { pause } from './deadline.ts';
import { ExpectedError, messageOf } from './errors.ts';
import { log } from './log.ts';

// A holder frees the lock within one poll; 60 ms is below what a person notices and costs under 0.1 % of a core.
const pollMs = 60;

/** How long to wait for a lock, and how to say that we wait. */
export interface LockOptions {
  /** From `SERENA_LOCK_TIMEOUT` where the caller has an environment: see `lockTimeoutMs()`. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once, when another process turns out to hold the lock. */
  onWait?(): void;
}

/**
 * Runs `run` while holding the cross-process lock file at absolute `path`, and returns what it returns.
 *
 * The lock is an exclusive SQLite transaction on an empty file: the kernel frees it when its holder dies, even by
 * SIGKILL, so there is nothing stale to clean up. The file stays. Where the file system has no working locks the work
 * runs without one and a warning says so: callers must stay correct (if slower) when two of them run at once.
 *
 * @throws {ExpectedError} `lock.held` after the timeout; the signal's reason once it aborts.
 */
export async function withLock<T>(path: string, options: LockOptions, run: () => Promise<T>): Promise<T> {
  const release = await acquire(path, options);
  try {
    return await run();
  } finally {
    release();
  }
}

/**
 * Takes the cross-process lock file at absolute `path` and returns what frees it, or `undefined` where another holds it. It is
 * freed when this process ends, however it does.
 */
export async function tryLock(path: string): Promise<(() => void) | undefined> {
  const attempt = await tryAcquire(path);
  return attempt === 'held' ? undefined : attempt;
}

/** Returns how long to wait for a lock: `SERENA_LOCK_TIMEOUT` in seconds, 300 s without one or for a malformed one. */
export function lockTimeoutMs(env: Readonly<Record<string, string | undefined>>): number {
  const seconds = Number(env.SERENA_LOCK_TIMEOUT?.trim() || 'none');
  return (Number.isFinite(seconds) && seconds >= 0 ? seconds : 300) * 1000;
}

async function acquire(path: string, options: LockOptions): Promise<() => void> {
  const deadline = Date.now() + options.timeoutMs;
  let waiting = false;
  for (;;) {
    options.signal?.throwIfAborted();
    const attempt = await tryAcquire(path);
    if (attempt !== 'held') return attempt;
    if (Date.now() >= deadline) throw stillLocked(path, options.timeoutMs);
    if (!waiting) options.onWait?.();
    waiting = true;
    await pause(pollMs, options.signal);
  }
}

async function tryAcquire(path: string): Promise<'held' | (() => void)> {
  // Imported here because loading SQLite costs every start-up a few milliseconds, and most starts lock nothing.
  const { DatabaseSync } = await import('node:sqlite');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const opened = new DatabaseSync(path);
    database = opened;
    // Nothing is ever written, so that no journal is needed: a file of that kind would outlive a holder that is killed.
    opened.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => {
      opened.exec('ROLLBACK');
      opened.close();
    };
  } catch (error) {
    database?.close();
    // Only the text tells: Deno's errors carry no SQLite result code.
    if (messageOf(error).includes('database is locked')) return 'held';
    log('lock').warn(`Cannot lock \`${path}\`: ${messageOf(error)}. Going on without a lock`);
    return () => undefined;
  }
}

function stillLocked(path: string, timeoutMs: number): ExpectedError {
  const waited = Math.round(timeoutMs / 1000);
  return new ExpectedError('lock.held', `Cannot lock \`${path}\`: another process holds it since ${waited} s`, {
    hints: [
      'Wait until the other process has finished, or end it',
      'Set `SERENA_LOCK_TIMEOUT` to the number of seconds to wait',
    ],
  });
}
