import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the nearest directory at or above absolute `directory` that is a project: it holds `.serena/project.yml` or a `.git`
 * of any kind, so that a worktree is not taken for its outer repository. `undefined` if there is none.
 */
export function findProjectAbove(directory: string): string | undefined {
  let current = realpathSync(directory);
  for (;;) {
    if (existsSync(join(current, '.serena', 'project.yml')) || existsSync(join(current, '.git'))) return current;
    const parent = dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
}
