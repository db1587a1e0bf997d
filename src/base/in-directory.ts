import { closeSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { openUnlinked, RefusedFile, requireOpenedAt } from './open-regular-file.ts';
import { isSamePath } from './paths.ts';

/** Returns a path to the entry `name` of an open directory. */
export type PathOf = (name: string) => string;

/**
 * Runs `work` on the directory at an absolute path without symbolic links, and returns its result. On Linux the paths
 * from `pathOf` stay within this very directory even if another process moves it or replaces it by a link; elsewhere
 * the directory is only checked beforehand. `fd` is the open directory, on systems that can open one.
 *
 * @throws {RefusedFile} if the path contains a symbolic link; system errors such as `ENOENT`.
 */
export function inDirectory<T>(path: string, work: (pathOf: PathOf, fd?: number) => T, platform = process.platform): T {
  // Windows cannot open directories.
  if (platform === 'win32') {
    if (!isSamePath(realpathSync(path), path)) throw new RefusedFile('link');
    return work((name) => join(path, name));
  }
  const fd = openUnlinked(path);
  try {
    requireOpenedAt(fd, path, platform);
    return work((name) => (platform === 'linux' ? `/proc/self/fd/${fd}/${name}` : join(path, name)), fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Checks that an absolute path without symbolic links still leads where it led.
 *
 * @throws {RefusedFile} if a link took the place of a part; never on Linux, where {@link inDirectory} needs no check.
 */
export function requireUnmoved(real: string, platform = process.platform): void {
  if (platform !== 'linux' && realpathSync(real) !== real) throw new RefusedFile('link');
}
