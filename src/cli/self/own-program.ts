import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { writeErrorCode } from '../../base/files.ts';
import type { Build, Environment } from '../environment.ts';
import { packageOwner } from './package-owner.ts';

/** The file of this program, which may be replaced. */
export interface OwnProgram {
  /** Absolute path, without links. */
  readonly path: string;
  readonly build: Build;
}

/**
 * Returns this program's file if it may be replaced.
 *
 * @throws {ExpectedError} `program.managed` if a package manager owns it, or if it runs from its sources;
 *   `file.no-permission` if its directory is not writable.
 */
export function replaceableProgram({ command, build, env }: Environment): OwnProgram {
  if (build === undefined) {
    throw new ExpectedError('program.managed', 'this program runs from its sources', {
      hints: ['update the checkout, for example with `git pull`'],
    });
  }
  const path = realpathSync(command[0]);
  const owner = packageOwner(path, env);
  if (owner !== undefined) {
    throw new ExpectedError('program.managed', `${owner.name} installed this program: \`${path}\``, {
      hints: [`run: ${owner.update}`],
    });
  }
  try {
    // A program is replaced by a new file of its name.
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(path, error);
  }
  return { path, build };
}

/** Returns the error for a program that cannot be replaced or removed; `cause` is the system error. */
export function notWritable(path: string, cause: unknown): ExpectedError {
  const code = writeErrorCode(cause);
  const hints =
    code === 'file.no-permission'
      ? [
          'run the command as the user who installed the program',
          'or install a program of your own with install.sh, which needs no rights',
        ]
      : [`make room on the disk of \`${dirname(path)}\`, then retry; the program was not changed`];
  return new ExpectedError(code, `cannot change \`${path}\`: ${messageOf(cause)}`, { hints, cause });
}
