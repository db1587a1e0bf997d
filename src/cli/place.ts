import { realpathSync } from 'node:fs';
import { ExpectedError } from '../base/errors.ts';
import { findProjectAbove, holdsProjects } from '../project/find-above.ts';
import type { CommandContext } from './command-context.ts';
import { projectArgument } from './user.ts';

/** Directories that the paths of a command line are relative to. */
export interface Place {
  /** Absolute, real path of the project. */
  readonly root: string;
  /** Absolute, real path of the working directory. */
  readonly cwd: string;
}

/**
 * Returns the directories of a command, and reports if the working directory is taken as the project because nothing marks
 * one.
 *
 * @throws {ExpectedError} `project.*`, `file.not-directory`.
 */
export async function placeOf(
  { cwd: given, env, user, caller }: Pick<CommandContext, 'cwd' | 'env' | 'user' | 'caller'>,
  project: string | undefined,
): Promise<Place & { readonly isMarked: boolean }> {
  const cwd = realpathSync(given);
  const root =
    project === undefined
      ? findProjectAbove(cwd, { known: user.projects, env })
      : await projectArgument(project, cwd, user);
  if (root !== undefined) return { root, cwd, isMarked: true };
  if (holdsProjects(cwd, env)) {
    throw new ExpectedError('project.none-active', `\`${cwd}\` is not a project, and too much to read as one`, {
      hints: [
        'run the command in the directory of your project, or add `--project <directory>`',
        `to make it a project all the same, run \`serena project create ${cwd}\``,
      ],
    });
  }
  caller.report(`Project: ${cwd} (no \`.git\` or \`.serena/project.yml\` here or above)\n`);
  return { root: cwd, cwd, isMarked: false };
}
