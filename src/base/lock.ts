import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pause } from './deadline.ts';
import { ExpectedError, messageOf } from './errors.ts';
import { readTextIfExists } from './files.ts';
import { log } from './log.ts';

// How often a waiter retries: 60 ms are not noticed by a user and cost less than 0.1 % of a core.
const pollMs = 60;
/** The steps of taking a lock last microseconds. */
const collisionMs = 3;

/** The process that holds a lock, if known. For messages only: it does not decide who holds the lock. */
export interface LockOwner {
  readonly pid: number | undefined;
}

/** How long to wait for a lock, and how to report that the caller waits. */
export interface LockOptions {
  /** Usually from `SERENA_LOCK_TIMEOUT`: see `lockTimeoutMs()`. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once, if another process holds the lock. */
  onWait?(owner: LockOwner): void;
  /** True to write the holder's process id to a file beside the lock, for the messages of waiting processes. */
  readonly namesOwner?: boolean;
}

/**
 * Runs `run` while holding the cross-process lock file at absolute `path`, and returns its result.
 *
 * The lock is an exclusive SQLite transaction on an empty file: the kernel releases it when its holder dies, even by
 * SIGKILL, so stale locks do not exist. The file stays. Where the file system has no working locks, `run` runs without
 * one and a warning is logged: callers must stay correct (if slower) when two of them run at the same time.
 *
 * @throws {ExpectedError} `lock.held` after the timeout; the signal's reason once it aborts.
 */
export async function withLock<T>(path: string, options: LockOptions, run: () => Promise<T>): Promise<T> {
  const release = await acquire(path, options);
  try {
    if (options.namesOwner) writeOwner(path);
    return await run();
  } finally {
    if (options.namesOwner) rmSync(ownerFile(path), { force: true });
    release();
  }
}

/** The transactions that hold a lock until their process ends. A read transaction holds it together with others. */
const transactions = { exclusive: 'BEGIN EXCLUSIVE', shared: 'BEGIN; SELECT count(*) FROM sqlite_master' };

/**
 * Takes the cross-process lock file at absolute `path`, exclusively or shared with other shared holders, and returns a
 * function that releases it, or `undefined` if another process holds it. The end of this process also releases the
 * lock. Where the file system has no working locks, nothing is held and a warning is logged.
 */
export async function tryLock(
  path: string,
  mode: keyof typeof transactions = 'exclusive',
): Promise<(() => void) | undefined> {
  // Imported here because loading SQLite takes a few milliseconds of each start, and most starts lock nothing.
  const { DatabaseSync } = await import('node:sqlite');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const opened = new DatabaseSync(path);
    database = opened;
    // SQLite takes the lock in steps. Of processes that take it at the same time, each could fail because of another one,
    // unless they retry for a moment.
    opened.exec(`PRAGMA busy_timeout = ${collisionMs}`);
    // Nothing is ever written, so no journal file is needed: it would be left behind by a holder that is killed.
    opened.exec(`PRAGMA journal_mode = MEMORY; ${transactions[mode]}`);
    return () => {
      opened.exec('ROLLBACK');
      opened.close();
    };
  } catch (error) {
    database?.close();
    // Only the message identifies this error: Deno's errors have no SQLite result code.
    if (messageOf(error).includes('database is locked')) return undefined;
    log('lock').warn(`cannot lock \`${path}\`: ${messageOf(error)}. Continuing without a lock`);
    return () => undefined;
  }
}

/** Exclusive holders remove something and take less time than this. */
const sharedTimeoutMs = 10_000;

/**
 * Takes a shared lock on the file at absolute `path`, which excludes `withLock()`, and returns a function that releases
 * it. The end of this process also releases it. Where the file system has no working locks or is not writable, nothing
 * is held and a warning is logged.
 */
export async function holdShared(path: string): Promise<() => void> {
  const deadline = performance.now() + sharedTimeoutMs;
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

/** Returns how long to wait for a lock: `SERENA_LOCK_TIMEOUT` (seconds), or 300 s if it is unset or malformed. */
export function lockTimeoutMs(env: Readonly<Record<string, string | undefined>>): number {
  const seconds = Number(env.SERENA_LOCK_TIMEOUT?.trim() || 'none');
  return (Number.isFinite(seconds) && seconds >= 0 ? seconds : 300) * 1000;
}

async function acquire(path: string, options: LockOptions): Promise<() => void> {
  const deadline = performance.now() + options.timeoutMs;
  let waiting = false;
  for (;;) {
    options.signal?.throwIfAborted();
    const release = await tryLock(path);
    if (release !== undefined) return release;
    if (performance.now() >= deadline) throw stillLocked(path, options.timeoutMs, ownerOf(path));
    if (!waiting) options.onWait?.(ownerOf(path));
    waiting = true;
    await pause(pollMs, options.signal);
  }
}

/**
 * A killed holder leaves its file behind. That is harmless: the next holder overwrites it, and only waiters read it.
 */
function writeOwner(path: string): void {
  try {
    writeFileSync(ownerFile(path), `${process.pid}\n`);
  } catch (error) {
    log('lock').debug(`cannot write the owner of the lock \`${path}\`: ${messageOf(error)}`);
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
  return new ExpectedError('lock.held', `cannot lock \`${path}\`: ${owner} holds it (waited ${waited} s)`, {
    hints: [
      'wait until the other process has finished, or stop it',
      'set `SERENA_LOCK_TIMEOUT` to the number of seconds to wait',
    ],
  });
}
