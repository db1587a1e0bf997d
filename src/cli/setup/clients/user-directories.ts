import { isAbsolute, join } from 'node:path';
import { userHome } from '../../../install/store/layout.ts';
import type { UserDirectories } from './client.ts';

/** Returns the directories for configuration files on `platform`. Does not access the file system. */
export function userDirectories(env: UserDirectories['env'], platform: string = process.platform): UserDirectories {
  const home = userHome(env);
  const config = absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config');
  const applications =
    platform === 'win32'
      ? (absolute(env.APPDATA) ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : config;
  return { env, home, config, applications, isWindows: platform === 'win32' };
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
