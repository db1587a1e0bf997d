import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { messageOf } from './errors.ts';

/**
 * Creates the directory at an absolute path with its parents, unless it exists, and makes it accessible to the user
 * only, because its content is trusted.
 *
 * @throws {Error} if it is a link or belongs to another user; system errors.
 */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw new Error(`\`${path}\` is not a directory`);
  const uid = process.getuid?.();
  if (uid === undefined) return;
  // Containers run as root with a mounted home directory of another user.
  if (uid !== 0 && stats.uid !== uid) throw new Error(`\`${path}\` belongs to another user`);
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** Creates private directories, outer ones first, and returns the reason if that fails, else `undefined`. */
export function tryMakePrivate(...paths: readonly string[]): string | undefined {
  try {
    for (const path of paths) makePrivateDirectory(path);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
