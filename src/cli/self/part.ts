import { lstatSync, readdirSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Something that `self uninstall` removes. */
export interface Part {
  /** What it is, such as `language servers`. */
  readonly what: string;
  /** Absolute path of the file or directory that is removed or changed. */
  readonly path: string;
  /** Size of what is removed; absent if a file is changed. */
  readonly sizeBytes?: number;
  /** Removes it. Returns what the user should know about it. */
  remove(): Promise<string | undefined>;
}

/** Something that stays, and why. */
export interface LeftPart {
  readonly path: string;
  readonly why: string;
}

/** A file or a directory to remove. Links in it are removed, and never followed. */
export function treePart(what: string, path: string): Part {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5 }).then(() => undefined);
  return { what, path, sizeBytes: sizeOf(path), remove };
}

/**
 * Returns the files and directories at or below the absolute `path` that `isOwn` accepts by their relative path, as one
 * part with their number, and the number of other files and links, which stay. Directories without files are removed as
 * well. Links are not followed.
 */
export function ownPart(
  what: string,
  path: string,
  isOwn: (relative: string) => boolean,
): { part: Part; ownCount: number; otherCount: number } {
  const own: string[] = [];
  const directories: string[] = [];
  let otherCount = 0;
  const visit = (relative: string) => {
    const at = join(path, relative);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isSymbolicLink() && isOwn(relative)) own.push(at);
    else if (stats.isDirectory()) {
      directories.push(at);
      for (const name of namesIn(at)) visit(relative === '' ? name : `${relative}/${name}`);
    } else otherCount++;
  };
  visit('');
  const remove = async () => {
    for (const each of own) await rm(each, { recursive: true, force: true, maxRetries: 5 });
    // The inner ones first. A directory with files of others stays: the call fails.
    for (const directory of directories.toReversed()) await rmdir(directory).catch(() => undefined);
    return undefined;
  };
  const sizeBytes = own.reduce((sum, each) => sum + sizeOf(each), 0);
  return { part: { what, path, sizeBytes, remove }, ownCount: own.length, otherCount };
}

/** Returns what is at a path: `link` for a symbolic link, whatever it leads to. */
export function kindOf(path: string): 'nothing' | 'link' | 'other' {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'nothing';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

/** Returns the size of all files at or below a path, without following links. */
function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return stats?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
