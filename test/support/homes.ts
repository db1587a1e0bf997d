import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { servers } from '../../src/servers/catalog/servers.ts';
import { stubCommand } from './stubs.ts';
import { makeTempDir } from './temp.ts';

/** Makes a `SERENA_HOME` whose `serena_config.yml` says `config`, and returns its absolute path. */
export function makeHome(config: Readonly<Record<string, unknown>> = {}): string {
  const home = makeTempDir('own-home');
  // JSON is YAML, and needs no quoting rules of its own.
  writeFileSync(join(home, 'serena_config.yml'), `${JSON.stringify({ projects: [], ...config }, undefined, 2)}\n`);
  return home;
}

/** A stub server by name, alone or with its arguments. */
export type Stub = string | readonly [name: string, args: Readonly<Record<string, string>>];

/** Returns the configuration that makes stubs, or any other command, the servers of these ids. */
export function stubServers(stubs: Readonly<Record<string, Stub | { command: readonly string[] }>>) {
  const settings = Object.entries(stubs).map(([id, stub]) => [id, { ls_base_cmd: commandOf(stub) }]);
  return { ls_specific_settings: Object.fromEntries(settings) };
}

/** Returns the configuration of a machine on which no language server can be had. */
export function noServers() {
  return stubServers(Object.fromEntries(servers.map(({ id }) => [id, { command: ['/nonexistent/server'] }])));
}

function commandOf(stub: Stub | { command: readonly string[] }): readonly string[] {
  if (typeof stub === 'string') return stubCommand(stub);
  return 'command' in stub ? stub.command : stubCommand(...stub);
}
