import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { userHome } from '../../../base/home.ts';
import { findProgram } from '../../../base/process/find-program.ts';
import type { Environment } from '../../environment.ts';
import type { Client, UserDirectories } from './client.ts';

/** True if a client seems to be installed. */
export function isPresent(client: Client, environment: Environment): boolean {
  return evidenceOf(client, environment) !== undefined;
}

/** Returns what shows that a client is installed: its program, its configuration file or the directory of that file. */
export function evidenceOf(client: Client, { env }: Environment): string | undefined {
  const names = client.program === undefined ? (client.programs ?? []) : [client.program.name];
  const [program] = names.flatMap((name) => findProgram(name, env) ?? []);
  if (program !== undefined) return program;
  const { home, config, applications } = userDirectories(env);
  // These directories are shared by many programs and prove nothing.
  const shared = [home, config, applications];
  const files = client.files(userDirectories(env));
  const directories = files.map((file) => dirname(file)).filter((directory) => !shared.includes(directory));
  return [...files, ...directories].find((path) => existsSync(path));
}

/** Returns the absolute path of the file from which a client reads the user's hooks; `undefined` if it has none. */
export function hooksFile(client: Client, { env }: Environment): string | undefined {
  return client.hooks?.(userDirectories(env));
}

/** Returns the absolute path of the directory of the user's skills; `undefined` if it is not known. */
export function skillsDirectory(client: Client, { env }: Environment): string | undefined {
  return client.skills?.(userDirectories(env));
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
