import { servers } from '../../languages/servers.ts';
import { Project } from '../../project/project.ts';
import { detectServers } from '../../servers/assignment/detect.ts';
import { pinnedSource } from '../../servers/runtime/resolve.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { assignServers } from '../../session/assign-servers.ts';
import type { Environment } from '../environment.ts';
import { loadUser } from '../load-user.ts';
import { projectArgument } from '../project-argument.ts';
import { usageError } from '../usage.ts';
import { serversNamed } from './named.ts';

/** Flags that select language servers. */
export interface ChoiceFlags {
  readonly all?: boolean;
  /** A directory, or the name of a known project. */
  readonly project?: string;
}

/** The language servers that a command works on. */
export interface Choice {
  readonly specs: readonly ServerSpec[];
  /** True if the user named each server: a failure is then an error; otherwise the server is skipped. */
  readonly isNamed: boolean;
}

/**
 * Returns the servers that the command line names, those that a project's files need, or all that can be downloaded.
 *
 * @throws {ExpectedError} `usage.invalid`; `project.*` and `config.*` for a project that cannot be opened.
 */
export async function chooseServers(
  words: readonly string[],
  flags: ChoiceFlags,
  environment: Environment,
): Promise<Choice> {
  const ways = [words.length > 0, flags.all === true, flags.project !== undefined].filter(Boolean).length;
  if (ways !== 1) {
    throw usageError('select language servers by name, with `--project`, or with `--all`', [
      'for example: python typescript go',
      'run `serena servers list` to list all language servers',
    ]);
  }
  if (words.length > 0) return { specs: serversNamed(words), isNamed: true };
  if (flags.project === undefined) {
    return { specs: servers.filter((spec) => pinnedSource(spec) !== undefined), isNamed: false };
  }
  const { home, user } = await loadUser(environment.env);
  const root = await projectArgument(flags.project, environment.cwd, user);
  await using project = await Project.open(root, { home, user, workerUrl: environment.workerUrl });
  const shares = detectServers(assignServers(project, user), await project.scanner.extensionCounts());
  return { specs: shares.map(({ server }) => server.spec), isNamed: false };
}
