import { ExpectedError } from '../base/errors.ts';
import { forgetProject } from '../config/edit-user-config.ts';
import { findKnownProject, isSamePlace, knownProjectsHint } from '../config/known-projects.ts';
import { loadUserConfig } from '../config/user-config.ts';

/**
 * Removes a project, given by name or directory, from the list of known projects and returns its root as listed there.
 * The files of the project are not touched.
 *
 * @throws {ExpectedError} `project.unknown` listing the known names; `project.ambiguous`; `config.invalid`.
 */
export async function forgetKnownProject(
  nameOrPath: string,
  options: { home: string; env: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const user = await loadUserConfig(options.home);
  const known = await findKnownProject(nameOrPath, user);
  // A project whose directory is gone, or whose configuration is broken, has no name and is found by its path alone.
  const root = known?.root ?? user.projects.find((path) => isSamePlace(path, nameOrPath));
  if (root === undefined) {
    throw new ExpectedError('project.unknown', `no known project is called \`${nameOrPath}\``, {
      hints: [await knownProjectsHint(user)],
    });
  }
  await forgetProject(options.home, root, options.env);
  return root;
}
