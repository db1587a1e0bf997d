import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { userHome } from '../base/home.ts';
import { realPath, relativeWithin } from '../base/paths.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the nearest project directory at or above the absolute `directory`, `undefined` if there is none. A project
 * directory has a `.serena/project.yml` or a `.git`, which may be a file, so that a worktree is found and not the
 * repository around it; or it is one of the user's `known` projects.
 */
export function findProjectAbove(
  directory: string,
  user: { readonly known: readonly string[]; readonly env: Env } = { known: [], env: {} },
): string | undefined {
  let current = realpathSync(directory);
  for (;;) {
    if (existsSync(join(current, '.serena', 'project.yml')) || existsSync(join(current, '.git'))) return current;
    if (user.known.includes(current) && !holdsProjects(current, user.env)) return current;
    const parent = dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
}

/**
 * True for the user's home directory and those above it (all absolute): they hold projects and much else, which would take
 * minutes to read. Such a directory is a project only if the user says so.
 */
export function holdsProjects(directory: string, env: Env): boolean {
  const current = realPath(directory);
  return dirname(current) === current || relativeWithin(current, realPath(userHome(env))) !== undefined;
}
