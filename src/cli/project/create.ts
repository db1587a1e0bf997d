import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { dataDirectoryPath } from '../../config/data-directory.ts';
import { serversOf } from '../../session/assign-servers.ts';
import { withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { serversNamed } from '../servers/named.ts';
import { type IndexFlags, indexAndReport } from './index-project.ts';
import { makeProject } from './make-project.ts';

export interface CreateFlags extends IndexFlags {
  readonly name?: string;
  readonly language?: readonly string[];
  readonly index?: boolean;
}

/**
 * Creates a project: writes its `project.yml` and adds it to the known projects. Returns the exit code.
 *
 * @throws {ExpectedError} `file.exists` if the project exists, `project.not-found`, `usage.invalid` for an unknown
 *   language server.
 */
export function createProject(path: string | undefined, flags: CreateFlags, environment: Environment): Promise<number> {
  return withCommandContext(environment, { prefix: 'project-create', logLevel: flags.logLevel }, async (context) => {
    const ids = serversNamed(flags.language ?? [], serversOf(context.user)).map(({ id }) => id);
    const root = resolve(environment.cwd, path ?? '.');
    const file = join(dataDirectoryPath(root, context.user.project_serena_folder_location), 'project.yml');
    if (existsSync(file)) {
      throw new ExpectedError('file.exists', `the project already exists: \`${file}\``, {
        hints: [`run \`serena project index ${root}\` to index it`, 'edit that file to change its settings'],
      });
    }
    await makeProject(root, { ...flags, ids }, context);
    return flags.index ? await indexAndReport(root, flags, context) : exitCodes.ok;
  });
}
