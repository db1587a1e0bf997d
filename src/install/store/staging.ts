import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';

// For directories whose process cannot be asked for: longer than the slowest download that still makes progress.
const staleMs = 24 * 3600 * 1000;

/**
 * Returns a new path below `staging` (absolute, `ServerDirectories.staging`) that names this process, and removes what earlier
 * ones have left there. Creates nothing.
 */
export function stagingDirectory(staging: string): string {
  removeAbandoned(staging);
  return join(staging, `${process.pid}-${machineId()}-${randomBytes(4).toString('hex')}`);
}

/** Returns the absolute paths of directories below `staging` whose process is gone. */
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
      // Gone meanwhile, or not ours to remove: neither stops this installation.
      log('install').debug(`Cannot remove \`${path}\`: ${systemCode(error)}`);
    }
  }
}

function isAbandoned(name: string, path: string): boolean {
  const [, pid, machine] = /^(\d+)-([0-9a-f]{8})-/.exec(name) ?? [];
  if (machine === machineId()) return !isProcessAlive(Number(pid));
  const madeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return Date.now() - madeMs > staleMs;
}

/** Eight digits for the set of processes that ours is one of: a home directory may be shared with containers and by machines. */
function machineId(): string {
  let processes = '';
  try {
    processes = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has such sets.
  }
  return createHash('sha256').update(`${hostname()}\0${processes}`).digest('hex').slice(0, 8);
}
