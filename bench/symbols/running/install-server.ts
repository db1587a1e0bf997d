import { root } from '../../../scripts/support/paths.ts';
import { run } from '../../../scripts/support/run.ts';
import { mustRun } from '../../speed/fetch.ts';
import { benchBinary, benchHome } from '../../speed/ours.ts';

const installed = new Map<string, Promise<void>>();

/** Installs one of the product's language servers, unless it is installed or found on `PATH`. */
export async function installServer(serverId: string): Promise<void> {
  const installing = installed.get(serverId) ?? install(serverId);
  installed.set(serverId, installing);
  await installing;
}

async function install(serverId: string): Promise<void> {
  const env = { SERENA_HOME: benchHome };
  const { exitCode } = await run(benchBinary, ['servers', 'path', serverId], { cwd: root, env });
  if (exitCode === 0) return;
  await mustRun('env', [`SERENA_HOME=${benchHome}`, benchBinary, 'servers', 'install', serverId], root);
}
