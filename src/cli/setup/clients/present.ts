import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { userHome } from '../../../base/home.ts';
import { findProgram } from '../../../base/process/find-program.ts';
import type { Environment } from '../../environment.ts';
import type { Client, UserDirectories } from './client.ts';

/** True if a client seems to be installed: its program, its configuration file or the directory of that file exists. */
export function isPresent(client: Client, { env }: Environment): boolean {
  if (client.program !== undefined && findProgram(client.program.name, env) !== undefined) return true;
  const { home, config, applications } = userDirectories(env);
  // These directories are shared by many programs and prove nothing.
  const shared = [home, config, applications];
  return client
    .files(userDirectories(env))
    .some((file) => existsSync(file) || (!shared.includes(dirname(file)) && existsSync(dirname(file))));
}

/** Returns the absolute path of the client's configuration file: an existing one, else the one to create. */
export function configurationFile(client: Client, { env }: Environment): string {
  const [first = '', ...others] = client.files(userDirectories(env));
  return [first, ...others].find((file) => existsSync(file)) ?? first;
}

/** Returns the directories for configuration files on `platform`. Does not access the file system. */
function userDirectories(env: UserDirectories['env'], platform: string = process.platform): UserDirectories {
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
