import { ExpectedError } from '../base/errors.ts';
import { forgetProject } from '../config/register-project.ts';
import { loadUserConfig } from '../config/user-config.ts';
import { listKnownProjects } from '../project/known-projects.ts';

/**
 * Takes a project, by its name or folder, from the known ones and returns its root. Its files stay.
 *
 * @throws {ExpectedError} `project.not-found` listing the known names; `project.ambiguous`.
 */
export async function forgetKnownProject(
  name: string,
  options: { home: string; env: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const user = await loadUserConfig(options.home);
  const known = await listKnownProjects(user);
  const meant = known.filter((project) => project.name === name || project.root === name);
  // A folder that is gone has no name to be known by.
  const root = meant[0]?.root ?? user.projects.find((path) => path === name);
  if (meant.length > 1) {
    throw new ExpectedError('project.ambiguous', `\`${name}\` names ${meant.length} projects`, {
      hints: [`Pass one of their folders: ${meant.map((project) => project.root).join(', ')}`],
    });
  }
  if (root === undefined) {
    const names = known.map((project) => project.name).join(', ');
    throw new ExpectedError('project.unknown', `There is no known project \`${name}\``, {
      hints: [names === '' ? 'No project is known' : `Known projects: ${names}`],
    });
  }
  await forgetProject(options.home, root, options.env);
  return root;
}
