import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { realPath, relativeWithin, toPosix } from '../base/paths.ts';
import { compileGlob } from '../text/glob.ts';
import type { UserConfig } from './user-config.ts';

const remedy = 'add its path to `trusted_project_path_patterns` in `serena_config.yml`';

/**
 * Returns whether the user lets the project at absolute `root` say which commands to run and which places outside it to
 * use (`spec/system.md` §2.4). None is trusted unless a pattern says so.
 *
 * @throws {ExpectedError} `config.invalid` for a broken pattern.
 */
export function isTrustedProject(root: string, user: UserConfig): boolean {
  return user.trusted_project_path_patterns.some((pattern) => {
    try {
      return compileGlob(pattern)(toPosix(root));
    } catch (error) {
      throw new ExpectedError('config.invalid', `\`trusted_project_path_patterns\`: ${messageOf(error)}`, {
        cause: error,
        hints: ['Correct the pattern in `serena_config.yml`'],
      });
    }
  });
}

/** Says in the log that what a project's configuration asks for is not done, and how it would be. */
export function warnUntrusted(what: string, path: string): void {
  log('project').warn(`Ignored ${what} of \`${path}\`: the project is not trusted. To trust it, ${remedy}`);
}

/**
 * Checks that a data directory which a project brings along does not lead out of it: we would write there. Both paths are
 * absolute; a directory that the user's configuration puts elsewhere is the user's own choice.
 *
 * @throws {ExpectedError} `config.invalid`.
 */
export function requireOwnDataDirectory(directory: string, root: string): void {
  if (relativeWithin(root, directory) === undefined) return;
  if (relativeWithin(realPath(root), realPath(directory)) !== undefined) return;
  throw new ExpectedError('config.invalid', `The directory \`${directory}\` is a link that leads out of the project`, {
    hints: [`If the project is yours, ${remedy}`, 'Replace the link by a directory'],
  });
}
