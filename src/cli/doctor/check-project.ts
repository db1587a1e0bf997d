import { accessSync, constants, existsSync } from 'node:fs';
import { counted } from '../../base/counted.ts';
import { messageOf } from '../../base/errors.ts';
import type { UserConfig } from '../../config/user-config.ts';
import { catalog, servers } from '../../languages/servers.ts';
import { Project } from '../../project/project.ts';
import { detectServers } from '../../servers/assignment/detect.ts';
import type { ActiveServer, SourceFiles } from '../../servers/assignment/source-files.ts';
import { assignServers } from '../../session/assign-servers.ts';
import type { Environment } from '../environment.ts';
import { checkServer, type ServerState } from './check-servers.ts';
import { type Finding, problemOf } from './finding.ts';

/** Checks the project at absolute `root`: its configuration, its directory, and the servers that its files need. */
export async function checkProject(
  root: string,
  options: { home: string; user: UserConfig; states: readonly ServerState[]; environment: Environment },
): Promise<Finding[]> {
  const { home, user, states, environment } = options;
  try {
    await using project = await Project.open(root, { home, user, workerUrl: environment.workerUrl });
    const sources = assignServers(project, user);
    const shares = detectServers(sources, await project.scanner.extensionCounts());
    // A trusted project may have servers of its own.
    const stateOf = async ({ spec, settings }: ActiveServer) =>
      states.find(({ id }) => id === spec.id) ?? (await checkServer(spec, { home, env: environment.env, settings }));
    const needed = shares.map(async ({ server, fileCount }) => neededServer(server, fileCount, await stateOf(server)));
    const here: Finding = { area: 'project', status: 'ok', what: `${project.name}: ${root}` };
    return [
      here,
      ...checkDataDirectory(project),
      ...checkServerNames(project, sources),
      ...project.config.unknownKeys.map(
        (what): Finding => ({ area: 'project', status: 'note', what, fix: unknownKeyFix }),
      ),
      ...checkTrust(project),
      ...(await Promise.all(needed)),
      ...(shares.length === 0 ? [nothingCovered] : []),
    ];
  } catch (error) {
    return [problemOf('project', error)];
  }
}

const unknownKeyFix = 'correct or remove the key';

const nothingCovered: Finding = {
  area: 'project',
  status: 'note',
  what: 'no language server covers any file: symbol tools will find nothing',
  fix: `check \`language_servers\` and \`ignored_paths\` in its configuration; available: ${servers.map(({ id }) => id).join(', ')}`,
};

function neededServer({ spec: { id }, reason }: ActiveServer, fileCount: number, state: ServerState): Finding {
  const why = reason === undefined ? '' : ` (${reason})`;
  const files = `${counted(fileCount, 'file')} for ${id}${why}`;
  if (state.isInstalled) return { area: 'project', status: 'ok', what: `${files}, which is installed` };
  if (state.missing !== undefined) {
    return { area: 'project', status: 'problem', what: `${files}: ${state.missing.what}`, fix: state.missing.fix };
  }
  const fix = `run \`serena servers install ${id}\` to install it now`;
  return { area: 'project', status: 'note', what: `${files}, which is downloaded at first use`, fix };
}

function checkDataDirectory({ dataDirectory }: Project): Finding[] {
  if (!existsSync(dataDirectory)) return [];
  try {
    accessSync(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const what = `${dataDirectory} is not writable, so memories cannot be written: ${messageOf(error)}`;
    return [{ area: 'project', status: 'problem', what, fix: `run: chmod u+rwx ${dataDirectory}` }];
  }
}

function checkServerNames({ config }: Project, sources: SourceFiles): Finding[] {
  const isActive = (id: string) => sources.servers.some(({ spec }) => spec.id === id);
  const unknown = (config.languageServers ?? []).filter((id) => catalog.find(id) === undefined && !isActive(id));
  return unknown.map((id) => ({
    area: 'project',
    status: 'note',
    what: `${config.path} names the unknown language server \`${id}\``,
    fix: `use some of: ${servers.map((server) => server.id).join(', ')}`,
  }));
}

/** Reports the settings that were ignored because the project is not trusted; nothing else reports them. */
function checkTrust({ config, isTrusted, root }: Project): Finding[] {
  const ignoredKeys = [
    ...(config.activationCommand === undefined ? [] : ['`activation_command`']),
    ...(Object.keys(config.serverSettings).length === 0 ? [] : ['`ls_specific_settings`']),
    ...(Object.keys(config.customServers).length === 0 ? [] : ['`custom_language_servers`']),
  ];
  if (isTrusted || ignoredKeys.length === 0) return [];
  const what = `${ignoredKeys.join(' and ')} of ${config.path}: ignored because the project is not trusted`;
  const fix = `if you trust it, add \`${root}\` to \`trusted_project_path_patterns\``;
  return [{ area: 'project', status: 'note', what, fix }];
}
