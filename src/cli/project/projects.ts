import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isExpected } from '../../base/errors.ts';
import { homeDirectory } from '../../base/home.ts';
import { listKnownProjects } from '../../config/known-projects.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { forgetKnownProject } from '../../session/known-projects.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';

/**
 * Writes the known projects to stdout, sorted by name.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export async function listProjects(flags: { readonly json?: boolean }, environment: Environment): Promise<void> {
  const user = await loadUserConfig(homeDirectory(environment.env));
  const known = (await listKnownProjects(user)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const missing = user.projects.filter((root) => !existsSync(root)).sort();
  if (flags.json) {
    printJson({ projects: known, missing });
    return;
  }
  const width = Math.max(0, ...known.map(({ name }) => name.length));
  for (const { name, root } of known) ownCaller.print(`${name.padEnd(width)}  ${root}\n`);
  if (known.length === 0)
    ownCaller.print('There are no known projects; create one with `serena project create <directory>`\n');
  for (const root of missing) ownCaller.report(`The directory of a known project does not exist: ${root}\n`);
}

/**
 * Removes a project, by name or directory, from the known projects. Its files stay.
 *
 * @throws {ExpectedError} `project.unknown` with a list of the known ones, `project.ambiguous`.
 */
export async function removeProject(nameOrPath: string, environment: Environment): Promise<void> {
  const { env, cwd } = environment;
  const place = { home: homeDirectory(env), env };
  const path = resolve(cwd, nameOrPath);
  const root = await forgetKnownProject(nameOrPath, place).catch((error: unknown) => {
    if (!isExpected(error, 'project.unknown') || path === nameOrPath || !existsSync(path)) throw error;
    return forgetKnownProject(realpathSync(path), place).catch(() => {
      throw error;
    });
  });
  ownCaller.print(`Removed ${root} from the known projects; its files stay\n`);
}
