import { closeSync, openSync, statSync, utimesSync } from 'node:fs';
import { join, relative } from 'node:path';
import { holdShared } from '../../base/shared-lock.ts';
import { serverDirectories } from './layout.ts';

const held = new Map<string, Promise<() => void>>();
// What was used last is asked for in days.
const recordIntervalMs = 24 * 3600 * 1000;

/** Returns the lock file that is held by all who use an installation, and alone by who removes it. Its time is the last use. */
export function useLockPath(home: string, id: string, key: string): string {
  return join(serverDirectories(home).locks, `${id}-${key}.use`);
}

/**
 * Keeps an installation below our home directory from being removed as long as this process lives, and notes that it is used.
 * One in a store is not ours to keep.
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
    // Without a note it counts as used when it was installed.
  }
}
