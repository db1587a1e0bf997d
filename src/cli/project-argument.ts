import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { resolveProject } from '../config/known-projects.ts';
import type { UserConfig } from '../config/user-config.ts';

/**
 * Resolves a project argument to an absolute, real path: a directory relative to `cwd`, else the name of a known project;
 * without an argument, `cwd` itself.
 *
 * @throws {ExpectedError} `project.ambiguous`, `project.not-found`, `file.not-directory`.
 */
export async function projectArgument(given: string | undefined, cwd: string, user: UserConfig): Promise<string> {
  const path = resolve(cwd, given ?? '.');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(path);
  return await resolveProject(given ?? path, user, cwd);
}
