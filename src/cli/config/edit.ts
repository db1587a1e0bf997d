import { editUserConfig } from '../../config/edit-user-config.ts';
import { userConfigPath } from '../../config/user-config.ts';
import { homeDirectory, requireUsableHome } from '../../install/store/layout.ts';
import { edit } from '../editor.ts';
import type { Environment } from '../environment.ts';

/**
 * Lets the user edit their configuration, which is made if there is none. Returns the exit code.
 *
 * @throws {ExpectedError} `install.home-unusable`, `lock.held`.
 */
export async function editConfiguration(environment: Environment): Promise<number> {
  const home = homeDirectory(environment.env);
  requireUsableHome(home);
  // One that is broken can be edited all the same.
  await editUserConfig(home, environment.env, (text) => text);
  return await edit(userConfigPath(home), environment);
}
