import { ExpectedError } from '../base/errors.ts';
import { findKnownProject, isSamePlace, knownProjectsHint } from '../config/known-projects.ts';
import { forgetProject } from '../config/register-project.ts';
import { loadUserConfig } from '../config/user-config.ts';

/**
 * Takes a project, by its name or directory, from the known ones and returns its root as it was known. Its files stay.
 *
 * @throws {ExpectedError} `project.unknown` listing the known names; `project.ambiguous`; `config.invalid`.
 */
export async function forgetKnownProject(
  nameOrPath: string,
  options: { home: string; env: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const user = await loadUserConfig(options.home);
  const known = await findKnownProject(nameOrPath, user);
  // A directory that is gone, or whose configuration is broken, has no name to be known by.
  const root = known?.root ?? user.projects.find((path) => isSamePlace(path, nameOrPath));
  if (root === undefined) {
    throw new ExpectedError('project.unknown', `There is no known project \`${nameOrPath}\``, {
      hints: [await knownProjectsHint(user)],
    });
  }
  await forgetProject(options.home, root, options.env);
  return root;
}
