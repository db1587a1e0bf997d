import { closeSync, openSync, statSync, utimesSync } from 'node:fs';
import { join, relative } from 'node:path';
import { holdShared } from '../../base/lock.ts';
import { serverDirectories } from './layout.ts';

const held = new Map<string, Promise<() => void>>();
// Garbage collection needs the time of last use in days only.
const recordIntervalMs = 24 * 3600 * 1000;

/**
 * Returns the lock file of an installation: processes that use it hold the lock shared, a process that removes it holds
 * it exclusively. The file's modification time is the time of last use.
 */
export function useLockPath(home: string, id: string, key: string): string {
  return join(serverDirectories(home).locks, `${id}-${key}.use`);
}

/**
 * Prevents the removal of an installation below SERENA_HOME while this process lives, and records the time of use. Does
 * nothing for an installation in a store, which is read-only.
 */
export async function holdInstallation(
  home: string,
  { id, key, directory }: { readonly id: string; readonly key: string; readonly directory: string },
): Promise<void> {
  if (relative(serverDirectories(home).servers, directory).startsWith('..')) return;
  const path = useLockPath(home, id, key);
  const holding = held.get(path) ?? holdShared(path);
  held.set(path, holding);
  await holding;
  recordUse(path);
}

function recordUse(path: string): void {
  try {
    if (Date.now() - statSync(path).mtimeMs < recordIntervalMs) return;
    closeSync(openSync(path, 'a'));
    utimesSync(path, new Date(), new Date());
  } catch {
    // Without a record, the time of installation counts as the time of last use.
  }
}
