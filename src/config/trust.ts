import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { realPath, relativeWithin, toPosix } from '../base/paths.ts';
import { compileGlob } from '../text/glob.ts';
import { type DataDirectory, dataDirectory, dataDirectoryPath } from './data-directory.ts';
import type { UserConfig } from './user-config.ts';

const remedy = 'add its path to `trusted_project_path_patterns` in `serena_config.yml`';

/**
 * True if the user trusts the project at `root` (absolute): its configuration may then name commands to run and
 * directories outside it. No project is trusted unless a pattern matches; see docs/compatibility.md, Trust.
 *
 * @throws {ExpectedError} `config.invalid` for an invalid pattern.
 */
export function isTrustedProject(root: string, user: UserConfig): boolean {
  return user.trusted_project_path_patterns.some((pattern) => {
    try {
      return compileGlob(pattern)(toPosix(root));
    } catch (error) {
      throw new ExpectedError('config.invalid', `\`trusted_project_path_patterns\`: ${messageOf(error)}`, {
        cause: error,
        hints: ['correct the pattern in `serena_config.yml`'],
      });
    }
  });
}

/** Logs that a setting of an untrusted project is ignored, and how to trust the project. */
export function warnUntrusted(what: string, path: string): void {
  log('project').warn(`Ignored ${what} of \`${path}\`: the project is not trusted. To trust it, ${remedy}`);
}

/**
 * Checks that a data directory inside a project is not a link out of it, because this program writes there. Both paths
 * are absolute. A directory that the user's configuration puts elsewhere is allowed.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export function requireOwnDataDirectory(directory: string, root: string): void {
  if (relativeWithin(root, directory) === undefined) return;
  if (relativeWithin(realPath(root), realPath(directory)) !== undefined) return;
  throw new ExpectedError('config.invalid', `the directory \`${directory}\` is a link that leads out of the project`, {
    hints: [`if the project is yours, ${remedy}`, 'replace the link by a directory'],
  });
}

/**
 * Returns the data directory of the project at absolute `root`.
 *
 * @throws {ExpectedError} `config.invalid` for an invalid setting of the user.
 */
export function dataOf(root: string, user: UserConfig): DataDirectory {
  const path = dataDirectoryPath(root, user.project_serena_folder_location);
  return dataDirectory(path, { root, isTrusted: isTrustedProject(root, user) });
}
