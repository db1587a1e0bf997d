import { isExpected } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { createProjectFile, registerProject } from '../config/register-project.ts';
import type { Project } from '../project/project.ts';

/**
 * Makes a project known for later: its data folder, a first `project.yml`, and its place among the known projects. Returns
 * whether it had no `project.yml` before. A project that cannot be written works without one.
 *
 * @throws {ExpectedError} `lock.held`; system errors where something cannot be written.
 */
export async function rememberProject(
  project: Project,
  options: { home: string; env: Readonly<Record<string, string | undefined>>; isKnown: boolean },
): Promise<boolean> {
  project.prepareDataFolder();
  const isNew = tryCreateFile(project);
  if (!options.isKnown) await registerProject(options.home, project.root, options.env);
  return isNew;
}

function tryCreateFile(project: Project): boolean {
  try {
    return createProjectFile(project.dataFolder, project.name);
  } catch (error) {
    if (!isExpected(error, 'file.no-permission')) throw error;
    log('session').warn(error.message);
    return false;
  }
}
