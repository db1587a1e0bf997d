import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { foldersBelow, receiptFile } from './layout.ts';
import { useLockPath } from './use.ts';

/** A folder of an installation, complete or not. */
export interface InstallationFolder {
  readonly id: string;
  /** `<version>-<key>`. */
  readonly name: string;
  readonly key: string;
  /** Absolute. */
  readonly folder: string;
}

/** Returns all installations below `root`, which is `ServerFolders.root` or a store, in order of id and name. */
export function listInstallations(root: string): InstallationFolder[] {
  const { servers } = foldersBelow(root);
  return namesIn(servers).flatMap((id) =>
    namesIn(join(servers, id)).map((name) => {
      return { id, name, key: name.slice(name.lastIndexOf('-') + 1), folder: join(servers, id, name) };
    }),
  );
}

/** Returns when an installation below our home folder was last used, or else made, as `Date.now()` counts; to the day. */
export function lastUsedMs(home: string, { id, key, folder }: InstallationFolder): number {
  const times = [useLockPath(home, id, key), join(folder, receiptFile), folder].map(
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

/** Returns the names in a folder, in order; none for one that is not there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
