import { isAbsolute, join } from 'node:path';
import { userHome } from '../../../install/store/layout.ts';
import type { UserPlaces } from './client.ts';

/** Returns where a user's programs keep their configuration here. Does not touch the disk. */
export function userPlaces(env: UserPlaces['env'], platform: string = process.platform): UserPlaces {
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
