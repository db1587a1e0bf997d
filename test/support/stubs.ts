import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTempDir, quietEdits } from './temp.ts';

const directory = join(dirname(dirname(fileURLToPath(import.meta.url))), 'stub-servers');

/** Returns the command that runs `test/stub-servers/<name>.ts` with `name=value` arguments. */
export function stubCommand(name: string, args: Readonly<Record<string, string>> = {}): [string, ...string[]] {
  const given = Object.entries(args).map(([key, value]) => `${key}=${value}`);
  return [process.execPath, 'run', '--no-install', join(directory, `${name}.ts`), ...given];
}

/**
 * Creates a `SERENA_HOME` whose configuration makes the stub the server `serverId` (default: `python`), and returns its
 * absolute path. It is not the shared home, so no other test uses the stub.
 */
export function makeStubHome(name: string, args: Readonly<Record<string, string>> = {}, serverId = 'python'): string {
  const home = makeTempDir('stub-home');
  // JSON is valid YAML.
  const servers = { ls_specific_settings: { [serverId]: { ls_base_cmd: stubCommand(name, args) } } };
  const config = { ...servers, ...quietEdits, projects: [] };
  writeFileSync(join(home, 'serena_config.yml'), `${JSON.stringify(config, undefined, 2)}\n`);
  return home;
}
