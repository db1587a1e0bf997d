import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { dataDirectoryPath } from '../../config/data-directory.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { serversNamed } from '../servers/named.ts';
import { withWorkplace } from '../with-session.ts';
import { type IndexFlags, indexAndTell } from './index-project.ts';
import { makeProject } from './make-project.ts';

export interface CreateFlags extends IndexFlags {
  readonly name?: string;
  readonly language?: readonly string[];
  readonly index?: boolean;
}

/**
 * Makes a directory a project: writes its `project.yml` and remembers it among the known projects. Returns the exit code.
 *
 * @throws {ExpectedError} `file.exists` for a project that is there, `project.not-found`, `usage.invalid` for an unknown
 *   language server.
 */
export function createProject(path: string | undefined, flags: CreateFlags, environment: Environment): Promise<number> {
  const ids = serversNamed(flags.language ?? []).map(({ id }) => id);
  return withWorkplace(environment, { prefix: 'project-create', logLevel: flags.logLevel }, async (place) => {
    const root = resolve(environment.cwd, path ?? '.');
    const file = join(dataDirectoryPath(root, place.user.project_serena_folder_location), 'project.yml');
    if (existsSync(file)) {
      throw new ExpectedError('file.exists', `There is a project already: \`${file}\``, {
        hints: [`Run \`serena project index ${root}\` to index it`, 'Edit that file to change it'],
      });
    }
    await makeProject(root, { ...flags, ids }, { environment, place });
    return flags.index ? await indexAndTell(root, flags, place) : exitCodes.ok;
  });
}
