import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { servers } from '../../src/languages/servers.ts';
import { stubCommand } from './stubs.ts';
import { makeTempDir, quietEdits, sharedHome } from './temp.ts';

/**
 * Creates a `SERENA_HOME` whose `serena_config.yml` contains `config`, and returns its absolute path. Edits report no
 * problems unless `config` says so.
 */
export function makeHome(config: Readonly<Record<string, unknown>> = {}): string {
  const home = makeTempDir('own-home');
  // JSON is valid YAML.
  writeFileSync(
    join(home, 'serena_config.yml'),
    `${JSON.stringify({ projects: [], ...quietEdits, ...config }, undefined, 2)}\n`,
  );
  return home;
}

/** Variables with which a program of its own home directory uses the language servers of the home that tests share. */
export const sharedStore = { SERENA_STORE: join(sharedHome(), 'language_servers') };

/** Returns the variables of a new home like that of {@link makeHome}, for which no language server is downloaded again. */
export function ownHome(config: Readonly<Record<string, unknown>> = {}) {
  return { SERENA_HOME: makeHome(config), ...sharedStore };
}

/** Name of a stub server, optionally with its arguments. */
export type Stub = string | readonly [name: string, args: Readonly<Record<string, string>>];

/** Returns user configuration that replaces the servers with these ids by stubs or by other commands. */
export function stubServers(stubs: Readonly<Record<string, Stub | { command: readonly string[] }>>) {
  const settings = Object.entries(stubs).map(([id, stub]) => [id, { ls_base_cmd: commandOf(stub) }]);
  return { ls_specific_settings: Object.fromEntries(settings) };
}

/** Returns user configuration with which no language server can be started. */
export function noServers() {
  return stubServers(Object.fromEntries(servers.map(({ id }) => [id, { command: ['/nonexistent/server'] }])));
}

function commandOf(stub: Stub | { command: readonly string[] }): readonly string[] {
  if (typeof stub === 'string') return stubCommand(stub);
  return 'command' in stub ? stub.command : stubCommand(...stub);
}
