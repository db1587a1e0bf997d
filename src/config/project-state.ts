import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { homePaths } from '../base/home.ts';
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
}

/** Returns the state directories of the project at `root` (absolute). Creates nothing. */
export function projectState(home: string, root: string): ProjectState {
  const key = keyOf(realPath(root));
  const { edits, caches } = homePaths(home);
  return { edits: join(edits, key), cache: join(caches, key) };
}

/** Returns the absolute path of the directory for journals of memories, which belong to no single project. */
export function memoryEdits(home: string): string {
  return join(homePaths(home).edits, 'memories');
}

/** Returns a directory name with the project's name, for people, and a hash that makes it unique. */
function keyOf(root: string): string {
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  return `${name}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
}
