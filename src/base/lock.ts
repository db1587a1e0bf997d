import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pause } from './deadline.ts';
import { ExpectedError, messageOf } from './errors.ts';
import { readTextIfExists } from './files.ts';
import { log } from './log.ts';

// A holder frees the lock within one poll; 60 ms is below what a person notices and costs under 0.1 % of a core.
const pollMs = 60;

/** Who holds a lock: the process id, where it is known. A word for messages, never the lock itself. */
export interface LockOwner {
  readonly pid: number | undefined;
}

/** How long to wait for a lock, and how to say that we wait. */
export interface LockOptions {
  /** From `SERENA_LOCK_TIMEOUT` where the caller has an environment: see `lockTimeoutMs()`. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once, when another process turns out to hold the lock, with what is known of that one. */
  onWait?(owner: LockOwner): void;
  /** Whether the holder's process id is left beside the lock for whoever waits; costs a small file each time. */
  readonly namesOwner?: boolean;
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
    if (options.namesOwner) nameOwner(path);
    return await run();
  } finally {
    if (options.namesOwner) rmSync(ownerFile(path), { force: true });
    release();
  }
}

/** What a lock is held by: a transaction, which ends with its process. One that reads holds the file as long as it is open. */
const transactions = { alone: 'BEGIN EXCLUSIVE', together: 'BEGIN; SELECT count(*) FROM sqlite_master' };

/**
 * Takes the cross-process lock file at absolute `path`, alone or together with others who do the same, and returns what frees
 * it, or `undefined` where another holds it otherwise. It is freed when this process ends, however it does. Where there are
 * no working locks nothing is held and the log says so.
 */
export async function tryLock(
  path: string,
  hold: keyof typeof transactions = 'alone',
): Promise<(() => void) | undefined> {
  // Imported here because loading SQLite costs every start-up a few milliseconds, and most starts lock nothing.
  const { DatabaseSync } = await import('node:sqlite');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const opened = new DatabaseSync(path);
    database = opened;
    // Nothing is ever written, so that no journal is needed: a file of that kind would outlive a holder that is killed.
    opened.exec(`PRAGMA journal_mode = MEMORY; ${transactions[hold]}`);
    return () => {
      opened.exec('ROLLBACK');
      opened.close();
    };
  } catch (error) {
    database?.close();
    // Only the text tells: Deno's errors carry no SQLite result code.
    if (messageOf(error).includes('database is locked')) return undefined;
    log('lock').warn(`Cannot lock \`${path}\`: ${messageOf(error)}. Going on without a lock`);
    return () => undefined;
  }
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
    const release = await tryLock(path);
    if (release !== undefined) return release;
    if (Date.now() >= deadline) throw stillLocked(path, options.timeoutMs, ownerOf(path));
    if (!waiting) options.onWait?.(ownerOf(path));
    waiting = true;
    await pause(pollMs, options.signal);
  }
}

/** Of one who was killed the file stays, and the next holder writes it anew: only those who wait read it. */
function nameOwner(path: string): void {
  try {
    writeFileSync(ownerFile(path), `${process.pid}\n`);
  } catch (error) {
    log('lock').debug(`Cannot say who holds \`${path}\`: ${messageOf(error)}`);
  }
}

function ownerOf(path: string): LockOwner {
  const pid = Number.parseInt(readTextIfExists(ownerFile(path)) ?? '', 10);
  return { pid: Number.isNaN(pid) ? undefined : pid };
}

function ownerFile(path: string): string {
  return `${path}.pid`;
}

function stillLocked(path: string, timeoutMs: number, { pid }: LockOwner): ExpectedError {
  const waited = Math.round(timeoutMs / 1000);
  const owner = pid === undefined ? 'another process' : `process ${pid}`;
  return new ExpectedError('lock.held', `Cannot lock \`${path}\`: ${owner} holds it since ${waited} s`, {
    hints: [
      'Wait until the other process has finished, or end it',
      'Set `SERENA_LOCK_TIMEOUT` to the number of seconds to wait',
    ],
  });
}
