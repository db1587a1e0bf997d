import { existsSync } from 'node:fs';
import { homeDirectory } from '../../base/home.ts';
import { listKnownProjects } from '../../config/known-projects.ts';
import { loadUserConfig } from '../../config/user-config.ts';
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
    process.stdout.write(`${JSON.stringify({ projects: known, missing }, undefined, 2)}\n`);
    return;
  }
  const width = Math.max(0, ...known.map(({ name }) => name.length));
  for (const { name, root } of known) process.stdout.write(`${name.padEnd(width)}  ${root}\n`);
  if (known.length === 0)
    process.stdout.write('There are no known projects; create one with `serena project create <directory>`\n');
  for (const root of missing) process.stderr.write(`The directory of a known project does not exist: ${root}\n`);
}
