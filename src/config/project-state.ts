import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { realPath } from '../base/paths.ts';

/**
 * Absolute paths of the directories that this program keeps for one project below the user's home directory. They are
 * never in the project: a repository could bring what is in them.
 */
export interface ProjectState {
  /** Journals of edits, and the lock that lets one process at a time commit. */
  readonly edits: string;
  /** Can be removed at any time. */
  readonly cache: string;
}

/** Returns where the state of the project at an absolute path is kept. Touches nothing. */
export function projectState(home: string, root: string): ProjectState {
  const key = keyOf(realPath(root));
  return { edits: join(home, 'edits', key), cache: join(home, 'cache', key) };
}

/** Returns the absolute path of the directory for journals of memories, which belong to no single project. */
export function memoryEdits(home: string): string {
  return join(home, 'edits', 'memories');
}

/** The name helps people who look at the directory; the hash keeps projects apart. */
function keyOf(root: string): string {
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  return `${name}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
}
