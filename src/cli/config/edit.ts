import { homeDirectory, requireUsableHome } from '../../base/home.ts';
import { editUserConfig } from '../../config/edit-user-config.ts';
import { userConfigPath } from '../../config/user-config.ts';
import { edit } from '../editor.ts';
import type { Environment } from '../environment.ts';

/**
 * Opens the user's configuration in an editor, creating it if it does not exist. Returns the exit code.
 *
 * @throws {ExpectedError} `install.home-unusable`, `lock.held`.
 */
export async function editConfiguration(environment: Environment): Promise<number> {
  const home = homeDirectory(environment.env);
  requireUsableHome(home);
  // A file that cannot be parsed can still be edited.
  await editUserConfig(home, environment.env, (text) => text);
  return await edit(userConfigPath(home), environment);
}
