import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { homePaths } from '../base/home.ts';
import { linkedRepository } from '../base/linked-repository.ts';
import { realPath } from '../base/paths.ts';

/**
 * Absolute paths of the directories with one project's state, below SERENA_HOME. They are never in the project, because
 * a repository could then supply their content.
 */
export interface ProjectState {
  /** Journals of edits, and the lock that allows one process at a time to commit. */
  readonly edits: string;
  /** Can be deleted at any time. */
  readonly cache: string;
  /**
   * The cache directory for what depends on the contents of files only: that of the main worktree for all worktrees of a
   * Git repository.
   */
  readonly contentCache: string;
}

/** Returns the state directories of the project at `root` (absolute). Creates nothing. */
export function projectState(home: string, root: string): ProjectState {
  const real = realPath(root);
  const key = keyOf(real);
  const { edits, caches } = homePaths(home);
  const contentCache = join(caches, keyOf(mainWorktreeOf(real) ?? real));
  return { edits: join(edits, key), cache: join(caches, key), contentCache };
}

/** Returns the absolute path of the directory for journals of memories, which belong to no single project. */
export function memoryEdits(home: string): string {
  return join(homePaths(home).edits, 'memories');
}

/** Returns the main worktree for a linked one, or the repository if it has none; otherwise `undefined`. */
function mainWorktreeOf(root: string): string | undefined {
  const repository = linkedRepository(root);
  return repository !== undefined && basename(repository) === '.git' ? dirname(repository) : repository;
}

/** Returns a directory name with the project's name, for people, and a hash that makes it unique. */
function keyOf(root: string): string {
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  return `${name}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
}
