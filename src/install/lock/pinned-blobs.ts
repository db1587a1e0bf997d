import type { LockEntry, LockedFile, ServerLock } from './lock-schema.ts';

/**
 * Returns the integrity of every file that `lock` pins, for all platforms, with its size in bytes if the lock has it.
 */
export function pinnedBlobs(lock: ServerLock): ReadonlyMap<string, number | undefined> {
  const files = Object.values(lock.servers).flatMap(filesOf);
  return new Map(files.map(({ integrity, sizeBytes }) => [integrity, sizeBytes]));
}

function filesOf(entry: LockEntry): readonly LockedFile[] {
  switch (entry.source) {
    case 'npm':
      return entry.packages;
    case 'pypi':
      return entry.wheels;
    case 'go':
      return Object.values(entry.binaries ?? {});
    case 'archive':
      return Object.values(entry.files);
  }
}
