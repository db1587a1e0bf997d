import { closeSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { openUnlinked, RefusedFile, requireOpenedAt } from './open-regular-file.ts';

/** Returns a path that leads to the entry `name` of an open directory. */
export type PathOf = (name: string) => string;

/**
 * Runs `work` on the directory at an absolute path without symbolic links, and returns what it returns. On Linux the
 * paths that `pathOf` returns lead to this very directory even if somebody moves it or puts a link in its place
 * meanwhile; elsewhere the directory is only checked before.
 *
 * @throws {RefusedFile} if a symbolic link is on the way; system errors such as `ENOENT`.
 */
export function inDirectory<T>(path: string, work: (pathOf: PathOf) => T): T {
  // Windows has no descriptors of directories.
  if (process.platform === 'win32') {
    if (realpathSync(path).toLowerCase() !== path.toLowerCase()) throw new RefusedFile('link');
    return work((name) => join(path, name));
  }
  const fd = openUnlinked(path);
  try {
    requireOpenedAt(fd, path);
    return work((name) => (process.platform === 'linux' ? `/proc/self/fd/${fd}/${name}` : join(path, name)));
  } finally {
    closeSync(fd);
  }
}
