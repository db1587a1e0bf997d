import { realpathSync } from 'node:fs';

/** How a directory that an IDE has open relates to a project: the very same one, or the same one seen from elsewhere. */
export type RootMatch = 'same' | 'elsewhere';

/**
 * Returns how an IDE's project root, as the IDE writes it, relates to the absolute path of ours, or `undefined` for
 * another directory (`spec/tools.md` §15.1). An IDE on the other side of WSL, or outside a container, has a path of its own
 * for the same directory: `C:\code\shop` for our `/mnt/c/code/shop`, `\\wsl.localhost\Ubuntu\home\me\shop` for our
 * `/home/me/shop`.
 */
export function matchRoot(ideRoot: string, root: string): RootMatch | undefined {
  if (resolved(ideRoot) === resolved(root)) return 'same';
  const theirs = comparable(ideRoot);
  const ours = comparable(root);
  // A file system's root ends every path.
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
