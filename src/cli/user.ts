import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { homeDirectory, requireUsableHome } from '../base/home.ts';
import { resolveProject } from '../config/known-projects.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import type { Environment } from './environment.ts';

/**
 * Returns the absolute path of `SERENA_HOME` and the configuration in it.
 *
 * @throws {ExpectedError} `install.home-unusable`, `config.invalid`.
 */
export async function loadUser(env: Environment['env']): Promise<{ readonly home: string; readonly user: UserConfig }> {
  const home = homeDirectory(env);
  requireUsableHome(home);
  return { home, user: await loadUserConfig(home) };
}

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
