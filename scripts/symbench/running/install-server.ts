import { mustRun } from '../../bench/fetch.ts';
import { benchBinary, benchHome } from '../../bench/ours.ts';
import { root } from '../../support/paths.ts';
import type { BenchPackage } from '../model.ts';

/** Installs the product's language server for the package, unless it is installed. */
export async function installServer({ serverId }: BenchPackage): Promise<void> {
  await mustRun('env', [`SERENA_HOME=${benchHome}`, benchBinary, 'servers', 'install', serverId], root);
}
