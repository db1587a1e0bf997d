import { loadUserConfig, type UserConfig } from '../../config/user-config.ts';
import { homeFolder, requireUsableHome } from '../../install/store/layout.ts';
import type { Environment } from '../environment.ts';

/**
 * Returns the home folder, as an absolute path, with the configuration in it.
 *
 * @throws {ExpectedError} `install.home-unusable`, `config.invalid`.
 */
export async function loadUser(env: Environment['env']): Promise<{ readonly home: string; readonly user: UserConfig }> {
  const home = homeFolder(env);
  requireUsableHome(home);
  return { home, user: await loadUserConfig(home) };
}
