import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { Memories } from '../../memories/memories.ts';
import type { Project } from '../../project/project.ts';
import { openMemories } from '../../session/open-memories.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { projectArgument } from '../project-argument.ts';
import { usageError } from '../usage.ts';

/** The project's and the global memories. */
export interface UserMemories {
  /** As agents see them: some are read-only. */
  readonly asAgent: Memories;
  /** As the user sees them: all are writable. */
  readonly asUser: Memories;
  readonly project: Project;
  readonly context: CommandContext;
}

/**
 * Runs `work` with the memories of a project: the given one, else that of the working directory. Does not create a project.
 *
 * @throws {ExpectedError} `usage.invalid` for a directory that is not a project; `project.*`; what `work` throws.
 */
export function withMemories<T>(
  given: string | undefined,
  environment: Environment,
  work: (memories: UserMemories) => Promise<T>,
): Promise<T> {
  return withCommandContext(environment, { prefix: 'memories' }, async (context) => {
    const { home, user, projects, call } = context;
    const { project } = await projects.open(await projectArgument(given, environment.cwd, user), { user });
    if (!user.projects.includes(project.root) && !existsSync(join(project.dataDirectory, 'project.yml'))) {
      throw usageError(`\`${project.root}\` is not a project`, [
        'name a project, or run this command in the directory of one',
        `run \`serena project create ${project.root}\` to create one there`,
      ]);
    }
    const parts = { home, user, scanner: project.scanner, signal: call.signal };
    const asAgent = openMemories(project, parts);
    const asUser = openMemories(project, { ...parts, isUser: true });
    return await work({ asAgent, asUser, project, context }).catch((error: unknown) => {
      throw isExpected(error, 'memory.not-found') ? notFound(error) : error;
    });
  });
}

/** Replaces the tool's hints, which are for agents. */
function notFound({ code, message, hints }: ExpectedError): ExpectedError {
  const near = hints.filter((hint) => hint.startsWith('did you mean'));
  return new ExpectedError(code, message, { hints: [...near, 'run `serena memories list` to list all memories'] });
}
