import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProgram } from '../../../base/process/find-program.ts';
import type { Environment } from '../../environment.ts';
import type { Client } from './client.ts';
import { userPlaces } from './places.ts';

/** Returns whether a client seems to be on this machine: its program, its configuration or the directory for it. */
export function isPresent(client: Client, { env }: Environment): boolean {
  if (client.program !== undefined && findProgram(client.program.name, env) !== undefined) return true;
  const { home, config, applications } = userPlaces(env);
  // Everybody's directories tell nothing.
  const shared = [home, config, applications];
  return client
    .files(userPlaces(env))
    .some((file) => existsSync(file) || (!shared.includes(dirname(file)) && existsSync(dirname(file))));
}

/** Returns the absolute path of the file that holds the client's configuration, or is to be made for it. */
export function configurationFile(client: Client, { env }: Environment): string {
  const [first = '', ...others] = client.files(userPlaces(env));
  return [first, ...others].find((file) => existsSync(file)) ?? first;
}
