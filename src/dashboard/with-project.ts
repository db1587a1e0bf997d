import { ExpectedError } from '../base/errors.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import { Project } from '../project/project.ts';
import type { DashboardSource } from './source.ts';

/** Returns the absolute paths of the projects that the dashboard may read: the known ones and those that are open. */
export function shownRoots(user: UserConfig, source: DashboardSource): string[] {
  return [...new Set([...source.projects().flatMap(({ roots }) => roots), ...user.projects])];
}

/**
 * Runs `work` with a project of its own, which starts no language server.
 *
 * @throws {ExpectedError} `project.unknown` for any directory but that of a known or open project; errors of
 *   {@link Project.open}; what `work` throws.
 */
export async function withProject<T>(
  root: string,
  source: DashboardSource,
  work: (project: Project, user: UserConfig) => Promise<T>,
): Promise<T> {
  const { home, workerUrl } = source;
  const user = await requireShown(root, source);
  await using project = await Project.open(root, { home, user, workerUrl });
  return await work(project, user);
}

/**
 * Returns the user's configuration.
 *
 * @throws {ExpectedError} `project.unknown` for any directory but that of a known or open project; `config.invalid`.
 */
export async function requireShown(root: string, source: DashboardSource): Promise<UserConfig> {
  const user = await loadUserConfig(source.home);
  if (shownRoots(user, source).includes(root)) return user;
  throw new ExpectedError('project.unknown', `\`${root}\` is not a known project`);
}
