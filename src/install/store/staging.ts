import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isBusyFile } from '../../base/busy-file.ts';
import { pause } from '../../base/deadline.ts';
import { systemCode } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';

// For directories of processes on other machines, which cannot be checked: longer than the slowest possible download.
const staleMs = 24 * 3600 * 1000;

/**
 * Returns a new path below `staging` (absolute, `ServerDirectories.staging`) that contains the id of this process.
 * Removes the directories that dead processes left there. Creates nothing.
 */
export function stagingDirectory(staging: string): string {
  removeAbandoned(staging);
  return join(staging, `${process.pid}-${machineId()}-${randomBytes(4).toString('hex')}`);
}

/** Returns the absolute paths of the directories below `staging` whose process has ended. */
export function abandonedDirectories(staging: string): string[] {
  return readdirSync(staging)
    .map((name) => ({ name, path: join(staging, name) }))
    .filter(({ name, path }) => isAbandoned(name, path))
    .map(({ path }) => path);
}

function removeAbandoned(staging: string): void {
  for (const path of abandonedDirectories(staging)) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      // It is gone already, or belongs to another user. Neither prevents this installation.
      log('install').debug(`cannot remove \`${path}\`: ${systemCode(error)}`);
    }
  }
}

function isAbandoned(name: string, path: string): boolean {
  const [, pid, machine] = /^(\d+)-([0-9a-f]{8})-/.exec(name) ?? [];
  if (machine === machineId()) return !isProcessAlive(Number(pid));
  const madeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return Date.now() - madeMs > staleMs;
}

/** Returns 8 hexadecimal digits for this host and PID namespace: containers and machines may share a home directory. */
function machineId(): string {
  let pidNamespace = '';
  try {
    pidNamespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has PID namespaces.
  }
  return createHash('sha256').update(`${hostname()}\0${pidNamespace}`).digest('hex').slice(0, 8);
}

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
  const deadline = performance.now() + timeoutMs;
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
      if (!isBusyFile(error) || performance.now() >= deadline) throw error;
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
