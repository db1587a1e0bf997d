import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { dataFolder, loadProjectConfig } from '../config/project-config.ts';
import type { UserConfig } from '../config/user-config.ts';

/** A project that the user's configuration names. */
export interface KnownProject {
  readonly name: string;
  /** Absolute path. */
  readonly root: string;
}

/** Returns the known projects whose folders exist, in order of path. One that cannot be read is left out with a warning. */
export async function listKnownProjects(user: UserConfig): Promise<KnownProject[]> {
  const known = await Promise.all(
    user.projects.map(async (root) => {
      try {
        if (!existsSync(root)) return undefined;
        const config = await loadProjectConfig(root, dataFolder(root, user.project_serena_folder_location));
        return { name: config.name, root };
      } catch (error) {
        log('project').warn(`Left out the known project \`${root}\`: ${messageOf(error)}`);
        return undefined;
      }
    }),
  );
  return known.filter((project) => project !== undefined);
}

/**
 * Returns the absolute, real path of the project that `nameOrPath` means: a known project's name, else a folder
 * (relative to the working directory).
 *
 * @throws {ExpectedError} `project.ambiguous` listing the folders; `project.not-found` listing the known names.
 */
export async function resolveProject(nameOrPath: string, user: UserConfig): Promise<string> {
  const known = await listKnownProjects(user);
  const named = known.filter(({ name }) => name === nameOrPath);
  if (named.length > 1) {
    throw new ExpectedError('project.ambiguous', `\`${nameOrPath}\` names ${named.length} projects`, {
      hints: [`Pass one of their folders: ${named.map(({ root }) => root).join(', ')}`],
    });
  }
  const path = named[0]?.root ?? resolve(nameOrPath);
  if (named[0] === undefined && !existsSync(path)) throw notFound(nameOrPath, known);
  if (!statSync(path).isDirectory()) {
    throw new ExpectedError('file.not-directory', `The project path \`${path}\` is a file, not a folder`, {
      hints: ['Pass the folder that holds it'],
    });
  }
  return realpathSync(path);
}

function notFound(nameOrPath: string, known: readonly KnownProject[]): ExpectedError {
  const names = known.map(({ name }) => name).join(', ');
  return new ExpectedError('project.not-found', `There is no project or folder \`${nameOrPath}\``, {
    hints: [names === '' ? 'No project is known yet: pass the path of a folder' : `Known projects: ${names}`],
  });
}
