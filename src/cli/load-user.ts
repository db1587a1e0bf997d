import { homeDirectory, requireUsableHome } from '../base/home.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import type { Environment } from './environment.ts';

/**
 * Returns the absolute path of `SERENA_HOME` and the configuration in it.
 *
 * @throws {ExpectedError} `install.home-unusable`, `config.invalid`.
 */
export async function loadUser(env: Environment['env']): Promise<{ readonly home: string; readonly user: UserConfig }> {
  const home = homeDirectory(env);
  requireUsableHome(home);
  return { home, user: await loadUserConfig(home) };
}
