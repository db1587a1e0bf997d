import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { readRegularFile } from './open-regular-file.ts';

/** The files that are read hold one path each. */
const maxBytes = 8 * 1024;
const linkPrefix = 'gitdir: ';

/**
 * Returns the real path of the Git repository to which the linked worktree at `worktree` (absolute) belongs, usually the
 * `.git` of its main worktree; `undefined` if `worktree` is no linked worktree.
 *
 * The repository is the witness: it records the path of each of its worktrees (gitrepository-layout(5)), so that a
 * directory cannot pass for a worktree of a repository that did not create it.
 */
export function linkedRepository(worktree: string): string | undefined {
  try {
    const root = realpathSync(worktree);
    const link = readPath(root, '.git');
    if (!link.startsWith(linkPrefix)) return undefined;
    const own = realpathSync(absolute(root, link.slice(linkPrefix.length)));
    const repository = realpathSync(absolute(own, readPath(own, 'commondir')));
    if (dirname(own) !== join(repository, 'worktrees')) return undefined;
    return realpathSync(absolute(own, readPath(own, 'gitdir'))) === join(root, '.git') ? repository : undefined;
  } catch {
    // A file is missing or no regular file, or the repository has been moved.
    return undefined;
  }
}

function readPath(directory: string, name: string): string {
  const bytes = readRegularFile({ root: directory, path: name, links: 'none' }, maxBytes);
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}

function absolute(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}
