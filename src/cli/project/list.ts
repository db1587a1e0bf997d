import { existsSync } from 'node:fs';
import { homeDirectory } from '../../base/home.ts';
import { listKnownProjects } from '../../config/known-projects.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';

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
    ownCaller.print(`${JSON.stringify({ projects: known, missing }, undefined, 2)}\n`);
    return;
  }
  const width = Math.max(0, ...known.map(({ name }) => name.length));
  for (const { name, root } of known) ownCaller.print(`${name.padEnd(width)}  ${root}\n`);
  if (known.length === 0)
    ownCaller.print('There are no known projects; create one with `serena project create <directory>`\n');
  for (const root of missing) ownCaller.report(`The directory of a known project does not exist: ${root}\n`);
}
