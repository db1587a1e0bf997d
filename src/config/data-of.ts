import { type DataDirectory, dataDirectory, dataFolder } from './data-folder.ts';
import { isTrustedProject } from './trust.ts';
import type { UserConfig } from './user-config.ts';

/**
 * Returns the data directory of the project at absolute `root`.
 *
 * @throws {ExpectedError} `config.invalid` for a broken setting of the user.
 */
export function dataOf(root: string, user: UserConfig): DataDirectory {
  const path = dataFolder(root, user.project_serena_folder_location);
  return dataDirectory(path, { root, isTrusted: isTrustedProject(root, user) });
}
