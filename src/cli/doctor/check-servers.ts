import { findProgram } from '../../base/find-program.ts';
import type { UserConfig } from '../../config/user-config.ts';
import { findInstalled } from '../../install/install.ts';
import { installRequest, pinnedSource } from '../../servers/resolve.ts';
import { servers } from '../../servers/servers.ts';
import { parseServerSettings } from '../../servers/settings.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import type { Environment } from '../environment.ts';
import { type Finding, problemOf } from './finding.ts';

/** What is known of one language server on this machine. */
export interface ServerState {
  readonly id: string;
  /** Whether a question can be answered without fetching anything. */
  readonly isInstalled: boolean;
  /** What is missing on the machine to fetch it. */
  readonly missing: string | undefined;
  readonly finding: Finding;
}

/** Looks at every language server: whether it is here, and whether it can be fetched where it is not. */
export function checkServers(home: string, user: UserConfig | undefined, environment: Environment): ServerState[] {
  return servers.map((spec) => checkServer(spec, { home, user, environment }));
}

function checkServer(
  spec: ServerSpec,
  { home, user, environment }: { home: string; user: UserConfig | undefined; environment: Environment },
): ServerState {
  const { env } = environment;
  const { id, name } = spec;
  const settings = parseServerSettings(user?.ls_specific_settings[id]);
  const own = settings.ls_base_cmd?.join(' ') ?? settings.ls_path;
  if (own !== undefined) {
    return { id, isInstalled: true, missing: undefined, finding: ok(`${id}: ${own}, as configured`) };
  }
  try {
    const call = { signal: new AbortController().signal, progress: () => undefined };
    const source = pinnedSource(spec);
    const installed = source && findInstalled(installRequest(spec, source, { place: { home, env }, call, settings }));
    if (installed) {
      return { id, isInstalled: true, missing: undefined, finding: ok(`${id}: ${name} ${installed.version}`) };
    }
  } catch (error) {
    return { id, isInstalled: false, missing: undefined, finding: problemOf('servers', error) };
  }
  const missing = pinnedSource(spec)?.from === 'go' && findProgram('go', env) === undefined ? 'Go' : undefined;
  const what = missing === undefined ? 'fetched at first use' : `cannot be built: there is no \`go\` on \`PATH\``;
  const fix =
    missing === undefined ? `Run \`serena servers install ${id}\` to fetch it now` : 'Install Go, if you need it';
  const finding: Finding = { area: 'servers', status: 'note', what: `${id}: ${name} is not installed; ${what}`, fix };
  return { id, isInstalled: false, missing, finding };
}

function ok(what: string): Finding {
  return { area: 'servers', status: 'ok', what };
}
