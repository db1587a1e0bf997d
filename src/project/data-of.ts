import { type DataDirectory, dataDirectory, dataFolder } from '../config/data-folder.ts';
import type { UserConfig } from '../config/user-config.ts';
import { isTrustedProject } from './trust.ts';

/**
 * Returns the data directory of the project at absolute `root`.
 *
 * @throws {ExpectedError} `config.invalid` for a broken setting of the user.
 */
export function dataOf(root: string, user: UserConfig): DataDirectory {
  const path = dataFolder(root, user.project_serena_folder_location);
  return dataDirectory(path, { root, isTrusted: isTrustedProject(root, user) });
}
