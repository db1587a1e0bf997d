import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { realPath } from '../../base/paths.ts';
import { findProjectAbove, holdsProjects } from '../../project/find-above.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { Environment } from '../environment.ts';

/**
 * Returns the absolute path of a file of the project in the working directory, by its path in the project.
 *
 * @throws {ExpectedError} `project.none-active`; `file.outside-project`.
 */
export function projectFile({ cwd, env }: Environment, name: string): string {
  const project = findProjectAbove(cwd) ?? realPath(cwd);
  if (holdsProjects(project, env)) {
    throw new ExpectedError('project.none-active', `\`${project}\` is not a project`, {
      hints: ['run the command in the directory of your project'],
    });
  }
  // A repository may have a link there, to a file that is not its own.
  return join(project, resolveInProject({ root: project, links: 'inside' }, name));
}
