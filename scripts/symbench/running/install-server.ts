import { mustRun } from '../../bench/fetch.ts';
import { benchBinary, benchHome } from '../../bench/ours.ts';
import { root } from '../../support/paths.ts';

const installed = new Map<string, Promise<string>>();

/** Installs one of the product's language servers, unless it is installed. */
export async function installServer(serverId: string): Promise<void> {
  const args = [`SERENA_HOME=${benchHome}`, benchBinary, 'servers', 'install', serverId];
  const installing = installed.get(serverId) ?? mustRun('env', args, root);
  installed.set(serverId, installing);
  await installing;
}
