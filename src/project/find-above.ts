import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the nearest project directory at or above the absolute `directory`, `undefined` if there is none. A project
 * directory has a `.serena/project.yml` or a `.git`; the latter may be a file, so that a worktree is found and not the
 * repository around it.
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
