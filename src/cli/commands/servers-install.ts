import { ensureInstalled } from '../../install/install.ts';
import { homeFolder } from '../../install/layout.ts';
import { installRequest, notHere, pinnedSource } from '../../servers/resolve.ts';
import { findServer, servers } from '../../servers/servers.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import type { Environment } from '../environment.ts';
import { usageError } from '../usage.ts';

/**
 * Fetches the servers with these ids, one after the other, telling on stderr how far it is and on stdout where each one
 * is.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown id, before anything is fetched; `install.*`, also for a server that
 *   only its user can install.
 */
export async function installServers(ids: readonly string[], environment: Environment): Promise<void> {
  const place = { home: homeFolder(environment.env), env: environment.env };
  const call = {
    signal: new AbortController().signal,
    progress: (message: string) => void process.stderr.write(`${message}\n`),
  };
  for (const spec of ids.map(requireServer)) {
    const source = pinnedSource(spec);
    if (source === undefined) throw notHere(spec);
    const installed = await ensureInstalled(installRequest(spec, source, { place, call }));
    process.stdout.write(`${installed.id} ${installed.version} ${installed.folder}\n`);
  }
}

function requireServer(id: string): ServerSpec {
  const spec = findServer(id);
  if (spec) return spec;
  throw usageError(`There is no language server \`${id}\``, [`Use: ${servers.map((server) => server.id).join(', ')}`]);
}
