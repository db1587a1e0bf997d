import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { resolveInProject } from '../../search/project-path.ts';
import { ownCaller } from '../caller.ts';
import { withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { projectArgument } from '../project-argument.ts';

/**
 * Prints whether the project ignores a path, which is relative to the project or absolute.
 *
 * @throws {ExpectedError} `project.*`, `file.outside-project`.
 */
export async function reportIgnored(
  path: string,
  given: string | undefined,
  options: { flags: { readonly json?: boolean }; environment: Environment },
): Promise<void> {
  const { flags, environment } = options;
  await withCommandContext(environment, { prefix: 'is-ignored' }, async ({ user, projects, call }) => {
    const { project } = await projects.open(await projectArgument(given, environment.cwd, user), { user });
    const relative = resolveInProject(project, path);
    const ignored = await project.scanner.isIgnored(relative, call.signal);
    const exists = existsSync(resolve(project.root, relative));
    if (flags.json) ownCaller.print(`${JSON.stringify({ path: relative, ignored, exists })}\n`);
    else ownCaller.print(`\`${relative}\` ${verdict({ ignored, exists })}\n`);
  });
}

function verdict({ ignored, exists }: { ignored: boolean; exists: boolean }): string {
  if (!exists) return 'does not exist, so it is not ignored';
  return ignored ? 'is ignored' : 'is not ignored';
}
