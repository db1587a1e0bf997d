import { type DataDirectory, dataDirectory, dataDirectoryPath } from './data-directory.ts';
import { isTrustedProject } from './trust.ts';
import type { UserConfig } from './user-config.ts';

/**
 * Returns the data directory of the project at absolute `root`.
 *
 * @throws {ExpectedError} `config.invalid` for an invalid setting of the user.
 */
export function dataOf(root: string, user: UserConfig): DataDirectory {
  const path = dataDirectoryPath(root, user.project_serena_folder_location);
  return dataDirectory(path, { root, isTrusted: isTrustedProject(root, user) });
}
