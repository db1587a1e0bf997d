import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the real path of a directory, or `undefined` if there is none. */
export function realDirectory(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** True if an absolute path is a directory and contains no symbolic link. */
export function isPlainDirectory(path: string): boolean {
  return realDirectory(path) === path;
}

/** True if a path is a symbolic link, wherever it leads. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Returns the names in a directory, sorted; empty if it cannot be read. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}

/** Directories that a search for manifests enters, and their greatest depth. */
const maxEntered = 2_000;
const maxDepth = 5;
const neverEntered = ['node_modules', 'target', 'vendor', 'venv', '__pycache__'];

/**
 * Returns the relative paths of the directories at and below an absolute one that contain a file of this name, the outer
 * ones first. Follows no links, and enters no hidden directories and none with products of builds.
 */
export function directoriesWith(name: string, directory: string): string[] {
  const found: string[] = [];
  const pending = [''];
  for (let at = 0; at < pending.length && at < maxEntered; at++) {
    const path = pending[at] ?? '';
    const entries = entriesOf(join(directory, path));
    if (entries.some((entry) => entry.name === name && entry.isFile())) found.push(path);
    if (path.split('/').length > maxDepth) continue;
    const inner = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    const entered = inner.map((entry) => entry.name).filter((one) => !neverEntered.includes(one));
    // A hostile project may have more than a call takes arguments.
    for (const one of entered.sort().slice(0, maxEntered)) pending.push(path === '' ? one : `${path}/${one}`);
  }
  return found;
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
