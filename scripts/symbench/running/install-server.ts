import { mustRun } from '../../bench/fetch.ts';
import { benchBinary, benchHome } from '../../bench/ours.ts';
import { root } from '../../support/paths.ts';
import { run } from '../../support/run.ts';
import type { BenchPackage } from '../model.ts';

/** Installs the product's language server for the package, unless it is installed or found on `PATH`. */
export async function installServer({ serverId }: BenchPackage): Promise<void> {
  const env = { SERENA_HOME: benchHome };
  const { exitCode } = await run(benchBinary, ['servers', 'path', serverId], { cwd: root, env });
  if (exitCode === 0) return;
  await mustRun('env', [`SERENA_HOME=${benchHome}`, benchBinary, 'servers', 'install', serverId], root);
}
