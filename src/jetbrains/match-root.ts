import { realpathSync } from 'node:fs';

/**
 * Relation of an IDE's project directory to ours: the same path, or probably the same directory seen from another
 * system.
 */
export type RootMatch = 'same' | 'elsewhere';

/**
 * Returns how an IDE's project root, in the IDE's notation, relates to the absolute path `root`; `undefined` for
 * another directory. An IDE on the other side of WSL, or outside a container, has another path for the same directory:
 * `C:\code\shop` for `/mnt/c/code/shop`, `\\wsl.localhost\Ubuntu\home\me\shop` for `/home/me/shop`. See
 * docs/compatibility.md, JetBrains IDEs.
 */
export function matchRoot(ideRoot: string, root: string): RootMatch | undefined {
  if (resolved(ideRoot) === resolved(root)) return 'same';
  const theirs = comparable(ideRoot);
  const ours = comparable(root);
  // The root of a file system becomes '', a suffix of every path.
  return ours !== '' && theirs.endsWith(ours) ? 'elsewhere' : undefined;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function comparable(path: string): string {
  const posix = path.replaceAll('\\', '/').toLowerCase().replace(/\/+$/, '');
  return posix.replace(/^\/mnt\/([a-z])(?=\/|$)/, '$1:');
}
