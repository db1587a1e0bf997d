import { createProjectFile, registerProject } from '../config/register-project.ts';
import type { Project } from '../project/project.ts';

/**
 * Makes a project known for later: its data folder, a first `project.yml`, and its place among the known projects. Returns
 * whether it has no `project.yml` before.
 *
 * @throws {ExpectedError} `lock.held`; system errors where something cannot be written.
 */
export async function rememberProject(
  project: Project,
  options: { home: string; env: Readonly<Record<string, string | undefined>>; isKnown: boolean },
): Promise<boolean> {
  project.prepareDataFolder();
  const isNew = createProjectFile(project.dataFolder, project.name);
  if (!options.isKnown) await registerProject(options.home, project.root, options.env);
  return isNew;
}
