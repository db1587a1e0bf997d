import { closeSync, lstatSync, realpathSync } from 'node:fs';
import { openUnlinked, pathOfDescriptor, RefusedFile, requireOpenedAt } from './open-regular-file.ts';

/**
 * Runs `run` with a path of the directory at absolute `path`, which has no symbolic link in it, and returns its result. On
 * Linux the path that `run` gets leads to that directory even after something else took its place. Elsewhere the directory
 * is checked before and after: nothing that `run` found or made elsewhere is then taken for its result.
 *
 * @throws {RefusedFile} if another directory is at `path`, or a link on the way to it; system errors; what `run` throws.
 */
export function inDirectory<T>(path: string, run: (path: string) => T): T {
  if (process.platform === 'win32') return betweenChecks(path, run);
  const fd = openUnlinked(path);
  try {
    requireOpenedAt(fd, path);
    if (pathOfDescriptor(fd) !== undefined) return run(`/proc/self/fd/${fd}`);
    const result = run(path);
    requireOpenedAt(fd, path);
    return result;
  } finally {
    closeSync(fd);
  }
}

/** Windows does not open directories as it opens files. */
function betweenChecks<T>(path: string, run: (path: string) => T): T {
  const before = identityOf(path);
  const result = run(path);
  if (identityOf(path) !== before) throw new RefusedFile('link');
  return result;
}

function identityOf(path: string): string {
  const { dev, ino } = lstatSync(path, { bigint: true });
  if (realpathSync(path) !== path) throw new RefusedFile('link');
  return `${dev}:${ino}`;
}
