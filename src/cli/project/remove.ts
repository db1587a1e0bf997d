import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isExpected } from '../../base/errors.ts';
import { homeDirectory } from '../../base/home.ts';
import { forgetKnownProject } from '../../session/forget-project.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';

/**
 * Removes a project, by name or directory, from the known projects. Its files stay.
 *
 * @throws {ExpectedError} `project.unknown` with a list of the known ones, `project.ambiguous`.
 */
export async function removeProject(nameOrPath: string, environment: Environment): Promise<void> {
  const { env, cwd } = environment;
  const place = { home: homeDirectory(env), env };
  const path = resolve(cwd, nameOrPath);
  const root = await forgetKnownProject(nameOrPath, place).catch((error: unknown) => {
    if (!isExpected(error, 'project.unknown') || path === nameOrPath || !existsSync(path)) throw error;
    return forgetKnownProject(realpathSync(path), place).catch(() => {
      throw error;
    });
  });
  ownCaller.print(`Removed ${root} from the known projects; its files stay\n`);
}
