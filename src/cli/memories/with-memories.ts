import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { Memories } from '../../memories/memories.ts';
import type { Project } from '../../project/project.ts';
import { openMemories } from '../../session/open-memories.ts';
import type { Environment } from '../environment.ts';
import { projectArgument } from '../project-argument.ts';
import { usageError } from '../usage.ts';
import { type Workplace, withWorkplace } from '../with-session.ts';

/** The memories of a project and of all projects, for the user, who may write all of them. */
export interface UserMemories {
  /** As agents see them: with what they may not write. */
  readonly asAgent: Memories;
  /** The same without that restriction. */
  readonly asUser: Memories;
  readonly project: Project;
  readonly place: Workplace;
}

/**
 * Runs `work` with the memories of a project: the given one, else that of the working directory. Makes no project.
 *
 * @throws {ExpectedError} `usage.invalid` for a directory that is no project; `project.*`; what `work` throws.
 */
export function withMemories<T>(
  given: string | undefined,
  environment: Environment,
  work: (memories: UserMemories) => Promise<T>,
): Promise<T> {
  return withWorkplace(environment, { prefix: 'memories' }, async (place) => {
    const { home, user, projects, call } = place;
    const { project } = await projects.open(await projectArgument(given, environment.cwd, user), { user });
    if (!user.projects.includes(project.root) && !existsSync(join(project.dataDirectory, 'project.yml'))) {
      throw usageError(`\`${project.root}\` is no project`, [
        'Name a project, or run this in the directory of one',
        `Run \`serena project create ${project.root}\` to make it one`,
      ]);
    }
    const parts = { home, user, scanner: project.scanner, signal: call.signal };
    const asAgent = openMemories(project, parts);
    const asUser = openMemories(project, { ...parts, isUser: true });
    return await work({ asAgent, asUser, project, place }).catch((error: unknown) => {
      throw isExpected(error, 'memory.not-found') ? notFound(error) : error;
    });
  });
}

/** What the tools advise is for agents. */
function notFound({ code, message, hints }: ExpectedError): ExpectedError {
  const near = hints.filter((hint) => hint.startsWith('Did you mean'));
  return new ExpectedError(code, message, { hints: [...near, 'Run `serena memories list` to see which there are'] });
}
