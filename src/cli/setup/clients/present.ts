import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProgram } from '../../../base/process/find-program.ts';
import type { Environment } from '../../environment.ts';
import type { Client } from './client.ts';
import { userDirectories } from './user-directories.ts';

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
