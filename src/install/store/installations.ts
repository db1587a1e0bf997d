import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { directoriesBelow, receiptFile } from './layout.ts';
import { useLockPath } from './use.ts';

/** A directory of an installation, complete or not. */
export interface InstallationDirectory {
  readonly id: string;
  /** `<version>-<key>`. */
  readonly name: string;
  readonly key: string;
  /** Absolute. */
  readonly directory: string;
}

/** Returns all installations below `root`, which is `ServerDirectories.root` or a store, in order of id and name. */
export function listInstallations(root: string): InstallationDirectory[] {
  const { servers } = directoriesBelow(root);
  return namesIn(servers).flatMap((id) =>
    namesIn(join(servers, id)).map((name) => {
      return { id, name, key: name.slice(name.lastIndexOf('-') + 1), directory: join(servers, id, name) };
    }),
  );
}

/** Returns when an installation below our home directory was last used, or else made, as `Date.now()` counts; to the day. */
export function lastUsedMs(home: string, { id, key, directory }: InstallationDirectory): number {
  const times = [useLockPath(home, id, key), join(directory, receiptFile), directory].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return times[0] || times[1] || times[2] || 0;
}

/** Returns the size in bytes of all files at or below absolute `path`. */
export function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory()) return stat?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Returns the names in a directory, in order; none for one that is not there. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
