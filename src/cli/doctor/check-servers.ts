import { ownValue } from '../../base/own-value.ts';
import type { UserConfig } from '../../config/user-config.ts';
import { parseServerSettings, type ServerSettings } from '../../servers/assignment/settings.ts';
import { findServerHere, type LocatedServer } from '../../servers/runtime/locate-server.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { serversOf } from '../../session/assign-servers.ts';
import type { Environment } from '../environment.ts';
import { type MissingServer, missingServer } from '../servers/missing.ts';
import { type Finding, problemOf } from './finding.ts';

/** State of one language server on this machine. */
export interface ServerState {
  readonly id: string;
  /** True if the server can start without a download. */
  readonly isInstalled: boolean;
  /** What only the user can install, as a sentence without a full stop, and how. */
  readonly missing?: MissingServer | undefined;
  /** Reported whatever the project is. */
  readonly finding?: Finding;
}

interface Machine {
  readonly home: string;
  readonly env: Environment['env'];
  readonly settings: ServerSettings;
}

/** Checks every language server, also the user's own: whether it is installed, and if not, whether it can be. */
export async function checkServers(
  home: string,
  user: UserConfig | undefined,
  { env }: Environment,
): Promise<ServerState[]> {
  const states = serversOf(user).map((spec) => {
    const settings = parseServerSettings(ownValue(user?.ls_specific_settings ?? {}, spec.id));
    return checkServer(spec, { home, env, settings });
  });
  return await Promise.all(states);
}

/** Returns the findings about all servers: those installed, those broken, and the number of servers. */
export function summarize(states: readonly ServerState[]): Finding[] {
  const here = states.filter(({ isInstalled }) => isInstalled).length;
  const what = `${here} of ${states.length} language servers ${here === 1 ? 'is' : 'are'} installed; others are downloaded when a project needs them`;
  const fix = 'run `serena servers install <id>` to install one now';
  return [...states.flatMap(({ finding }) => finding ?? []), { area: 'servers', status: 'note', what, fix }];
}

/** Checks one language server: whether it is installed, and if not, whether it can be. */
export async function checkServer(spec: ServerSpec, machine: Machine): Promise<ServerState> {
  const { id } = spec;
  try {
    const { located, lacking } = await findServerHere(spec, machine.settings, machine);
    if (located !== undefined) return installed(spec, located);
    return { id, isInstalled: false, missing: missingServer(spec, { ...machine, lacking }) };
  } catch (error) {
    return { id, isInstalled: false, finding: problemOf('servers', error) };
  }
}

function installed({ id, name }: ServerSpec, found: LocatedServer): ServerState {
  const what = `${id}: ${describe(name, found)}`;
  return { id, isInstalled: true, finding: { area: 'servers', status: 'ok', what } };
}

function describe(name: string, found: LocatedServer): string {
  if (found.as === 'configured') return `${found.command.join(' ')}, as configured`;
  return `${name} ${found.as === 'system' ? found.program : found.installed.version}`;
}
