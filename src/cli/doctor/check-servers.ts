import { ownValue } from '../../base/own-value.ts';
import { findProgram } from '../../base/process/find-program.ts';
import type { UserConfig } from '../../config/user-config.ts';
import { parseServerSettings, type ServerSettings } from '../../servers/assignment/settings.ts';
import type { ServerSpec } from '../../servers/catalog/spec.ts';
import { isFetched } from '../../servers/runtime/identity.ts';
import { type LocatedServer, locateServer } from '../../servers/runtime/locate-server.ts';
import { hintOf, requireRuntimes } from '../../servers/runtime/system-programs.ts';
import { serversOf } from '../../session/assign-servers.ts';
import type { Environment } from '../environment.ts';
import { type Finding, problemOf } from './finding.ts';

/** State of one language server on this machine. */
export interface ServerState {
  readonly id: string;
  /** True if the server can start without a download. */
  readonly isInstalled: boolean;
  /** What only the user can install, as a sentence without a full stop, and how. */
  readonly missing?: { readonly what: string; readonly fix: string } | undefined;
  /** Reported whatever the project is. */
  readonly finding?: Finding;
}

interface Machine {
  readonly home: string;
  readonly env: Environment['env'];
  readonly settings: ServerSettings;
}

/** Checks every language server, also the user's own: whether it is installed, and if not, whether it can be. */
export function checkServers(home: string, user: UserConfig | undefined, { env }: Environment): ServerState[] {
  return serversOf(user).map((spec) => {
    const settings = parseServerSettings(ownValue(user?.ls_specific_settings ?? {}, spec.id));
    return checkServer(spec, { home, env, settings });
  });
}

/** Returns the findings about all servers: those installed, those broken, and the number of servers. */
export function summarize(states: readonly ServerState[]): Finding[] {
  const here = states.filter(({ isInstalled }) => isInstalled).length;
  const what = `${here} of ${states.length} language servers ${here === 1 ? 'is' : 'are'} installed; others are downloaded when a project needs them`;
  const fix = 'run `serena servers install <id>` to install one now';
  return [...states.flatMap(({ finding }) => finding ?? []), { area: 'servers', status: 'note', what, fix }];
}

/** Checks one language server: whether it is installed, and if not, whether it can be. */
export function checkServer(spec: ServerSpec, machine: Machine): ServerState {
  const { id } = spec;
  try {
    for (const found of locateServer(spec, machine.settings, machine)) {
      // Otherwise only a start shows whether the program includes the server.
      if (found.as !== 'system' || !found.mayLackServer) return installed(spec, found);
    }
  } catch (error) {
    return { id, isInstalled: false, finding: problemOf('servers', error) };
  }
  return { id, isInstalled: false, missing: missing(spec, machine) };
}

/** Returns what the user has to install before the server can run; `undefined` if this program can download it. */
function missing(spec: ServerSpec, machine: Machine): ServerState['missing'] {
  const { install, name } = spec;
  try {
    requireRuntimes(spec, machine);
  } catch (error) {
    const { what, fix = '' } = problemOf('servers', error);
    return { what, fix };
  }
  const isBuilt = install.some(({ from }) => from === 'go') && findProgram('go', machine.env) === undefined;
  if (isBuilt) return { what: `${name} is built with Go, which is not on \`PATH\``, fix: 'install Go' };
  if (install.some((source) => isFetched(source, machine.settings))) return undefined;
  const fix = install.flatMap((source) => hintOf(source) ?? []).join('. Or: ');
  return { what: `${name} has to be installed manually`, fix };
}

function installed({ id, name }: ServerSpec, found: LocatedServer): ServerState {
  const what = `${id}: ${describe(name, found)}`;
  return { id, isInstalled: true, finding: { area: 'servers', status: 'ok', what } };
}

function describe(name: string, found: LocatedServer): string {
  if (found.as === 'configured') return `${found.command.join(' ')}, as configured`;
  return `${name} ${found.as === 'system' ? found.program : found.installed.version}`;
}
