import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { directoriesBelow, receiptFile } from './layout.ts';
import { useLockPath } from './use.ts';

/** The directory of an installation, complete or not. */
export interface InstallationDirectory {
  readonly id: string;
  /** `<version>-<key>`. */
  readonly name: string;
  readonly key: string;
  /** Absolute path. */
  readonly directory: string;
}

/** Returns all installations below `root`, which is `ServerDirectories.root` or a store, sorted by id and name. */
export function listInstallations(root: string): InstallationDirectory[] {
  const { servers } = directoriesBelow(root);
  return namesIn(servers).flatMap((id) =>
    namesIn(join(servers, id)).map((name) => {
      return { id, name, key: name.slice(name.lastIndexOf('-') + 1), directory: join(servers, id, name) };
    }),
  );
}

/**
 * Returns when an installation below SERENA_HOME was last used, or else made, as in `Date.now()`, with a precision of a
 * day.
 */
export function lastUsedMs(home: string, { id, key, directory }: InstallationDirectory): number {
  const times = [useLockPath(home, id, key), join(directory, receiptFile), directory].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return times[0] || times[1] || times[2] || 0;
}

/** Returns the total size in bytes of all files at or below `path` (absolute). */
export function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory()) return stat?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Returns the sorted names in a directory; none if it cannot be read. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
