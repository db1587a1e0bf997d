import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { capitalized } from '../base/capitalized.ts';
import { counted } from '../base/counted.ts';
import { messageOf } from '../base/errors.ts';
import { namesIn } from '../base/files.ts';
import { homeDirectory, requireUsableHome } from '../base/home.ts';
import { isRecord, ownValue } from '../base/own-value.ts';
import { findProgram } from '../base/process/find-program.ts';
import { styled } from '../base/visible-text.ts';
import { loadContext } from '../config/context.ts';
import { loadMode } from '../config/mode.ts';
import { listNamedFiles, type NamedFileKind } from '../config/named-file.ts';
import { loadProjectConfig } from '../config/project-config.ts';
import { dataOf } from '../config/trust.ts';
import { loadUserConfig, type UserConfig, userConfigPath } from '../config/user-config.ts';
import { megabytes } from '../install/failures.ts';
import { isOffline } from '../install/fetch/network.ts';
import { listInstallations, sizeOf } from '../install/store/installations.ts';
import { directoriesBelow, serverDirectories, storeDirectories } from '../install/store/layout.ts';
import { catalog, servers } from '../languages/servers.ts';
import { findProjectAbove } from '../project/find-above.ts';
import { Project } from '../project/project.ts';
import { listPrompts } from '../prompts/prompt-files.ts';
import { parseServerSettings, type ServerSettings } from '../servers/assignment/settings.ts';
import { type ActiveServer, detectServers, type SourceFiles } from '../servers/assignment/source-files.ts';
import { findServerHere, type LocatedServer } from '../servers/runtime/locate-server.ts';
import { ownCommand } from '../servers/runtime/system-programs.ts';
import type { ServerSpec } from '../servers/spec.ts';
import { assignServers, serversOf } from '../session/assign-servers.ts';
import { checkContextTools, checkToolNames } from '../session/tool-names.ts';
import { ownCaller } from './caller.ts';
import type { Environment } from './environment.ts';
import { printJson } from './output.ts';
import { exitCodes } from './report.ts';
import { type MissingServer, missingServer } from './servers/describe.ts';
import { type Client, clients, configurationFile, isPresent, serverName } from './setup/clients.ts';
import { entryCommand, entryOf } from './setup/entry.ts';
import { stableCommand } from './stable-command.ts';
import { projectArgument } from './user.ts';

/**
 * Reports what is configured, installed and missing, and checks one project: the given one, else the one that contains
 * the working directory. Changes nothing. Returns the exit code: failed if something is broken.
 */
export async function examine(
  flags: { readonly project?: string; readonly json?: boolean },
  environment: Environment,
): Promise<number> {
  const findings = await findAll(flags.project, environment);
  const problemCount = findings.filter(({ status }) => status === 'problem').length;
  if (flags.json) printJson({ findings, problems: problemCount });
  else ownCaller.print(render(findings));
  return problemCount > 0 ? exitCodes.failed : exitCodes.ok;
}

async function findAll(project: string | undefined, environment: Environment): Promise<Finding[]> {
  const home = homeDirectory(environment.env);
  const { findings, user } = await checkConfiguration(home, environment);
  const states = await checkServers(home, user, environment);
  return [
    ...checkProgram(environment),
    ...checkHome(home, environment),
    ...findings,
    ...(await checkOwnFiles(home)),
    ...summarize(states),
    ...(await checkOneProject(project, { home, user, states, environment })),
    ...(await checkClients(environment)),
  ];
}

async function checkOneProject(
  given: string | undefined,
  options: { home: string; user: UserConfig | undefined; states: readonly ServerState[]; environment: Environment },
): Promise<Finding[]> {
  const { home, user, states, environment } = options;
  // The user configuration is broken, which is already reported; without it no project can be opened.
  if (user === undefined) return [];
  const { cwd, env } = environment;
  return await orProblem('project', async () => {
    const root =
      given === undefined
        ? findProjectAbove(cwd, { known: user.projects, env })
        : await projectArgument(given, cwd, user);
    return root === undefined ? [] : await checkProject(root, { home, user, states, environment });
  });
}

const labels = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' } as const;
const colors = { ok: 'green', note: 'yellow', problem: 'red' } as const;

function render(findings: readonly Finding[]): string {
  const byArea = Map.groupBy(findings, ({ area }) => area);
  const parts = [...byArea].map(([area, own]) => {
    return `${styled('bold', capitalized(area), process.stdout)}\n${own.map(renderOne).join('')}`;
  });
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  return `${parts.join('\n')}\n${counted(count('problem'), 'problem')}, ${counted(count('note'), 'note')}\n`;
}

function renderOne({ status, what, fix }: Finding): string {
  const lines = what.split('\n').join('\n           ');
  return `  ${styled(colors[status], labels[status], process.stdout)}  ${lines}\n${fix === undefined ? '' : `           ${fix}\n`}`;
}

/** One finding of `serena doctor`. */
interface Finding {
  readonly area: 'program' | 'home' | 'configuration' | 'servers' | 'project' | 'clients';
  /** `problem`: something that the user configured does not work. `note`: it works, but may be unexpected. */
  readonly status: 'ok' | 'note' | 'problem';
  readonly what: string;
  /** The next step, in the imperative. */
  readonly fix?: string;
}

const ok = (area: Finding['area'], what: string): Finding => ({ area, status: 'ok', what });
const note = (area: Finding['area'], what: string, fix: string): Finding => ({ area, status: 'note', what, fix });
const problem = (area: Finding['area'], what: string, fix: string): Finding => ({ area, status: 'problem', what, fix });

/** Converts the error of a check to a finding, with the first hint as the fix. */
function problemOf(area: Finding['area'], error: unknown): Finding {
  const what = error instanceof Error ? error.message : String(error);
  const fix = error instanceof Error && 'hints' in error && Array.isArray(error.hints) ? error.hints[0] : undefined;
  return { area, status: 'problem', what, ...(typeof fix === 'string' ? { fix } : {}) };
}

/** Returns the findings of a check, or that it failed. */
async function orProblem(area: Finding['area'], check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [problemOf(area, error)];
  }
}

/** Reports this program, and checks that `serena` in a shell starts the same one. */
function checkProgram({ command, env, version }: Environment): Finding[] {
  const [program] = command;
  const here: Finding = ok('program', `Serena ${version}: ${program}`);
  const onPath = findProgram('serena', env);
  if (onPath === undefined) {
    const fix = `link ${program} into a directory on \`PATH\`; clients that were set up with \`serena setup\` do not need it`;
    return [here, note('program', 'there is no `serena` on `PATH`', fix)];
  }
  if (realpathSync(onPath) === realpathSync(program)) return [here];
  const fix = `remove it, or put the directory of ${program} before it on \`PATH\``;
  return [here, note('program', `\`serena\` on \`PATH\` is a different program: ${onPath}`, fix)];
}

/** The largest server needs about this much while it is unpacked. */
const neededBytes = 300e6;

/** Checks the directory that holds configuration, memories and language servers, and the stores. */
function checkHome(home: string, environment: Environment): Finding[] {
  try {
    requireUsableHome(home);
    const found: Finding[] = existsSync(home)
      ? [accessOf(home), ...modeOf(home)]
      : [ok('home', `${home} does not exist yet; it is created at first use`)];
    return [...found, ...spaceOf(home), ...checkBlobs(home), ...checkStores(environment), ...checkOffline(environment)];
  } catch (error) {
    return [problemOf('home', error)];
  }
}

function accessOf(home: string): Finding {
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok('home', `${home} is readable and writable`);
  } catch (error) {
    const fix = `make it writable: chmod u+rwx ${home}`;
    return problem('home', `${home} is not writable: ${messageOf(error)}`, fix);
  }
}

/** Checks permissions: anyone who can write here can replace programs that run as this user. */
function modeOf(home: string, platform = process.platform): Finding[] {
  if (platform === 'win32') return [];
  const { mode, uid } = statSync(home);
  const found: Finding[] = [];
  if (mode & 0o002) {
    const what = `any user of this machine can write to ${home}, which holds programs that run as you`;
    found.push(problem('home', what, `run: chmod o-w ${home}`));
  }
  if (uid !== process.getuid?.()) {
    const fix = 'set `SERENA_HOME` to a directory of your own, unless this is intended';
    found.push(note('home', `${home} belongs to another user`, fix));
  }
  return found;
}

function spaceOf(home: string): Finding[] {
  const { bavail, bsize } = statfsSync(nearestDirectory(home));
  const freeBytes = bavail * bsize;
  const what = `${(freeBytes / 1e9).toFixed(1)} GB are free for language servers`;
  if (freeBytes >= neededBytes) return [ok('home', what)];
  const fix = 'free some space, or set `SERENA_HOME` to a directory on another disk';
  return [problem('home', what, fix)];
}

function nearestDirectory(path: string): string {
  return existsSync(path) ? path : nearestDirectory(dirname(path));
}

function checkStores({ env }: Environment): Finding[] {
  return storeDirectories(env).map((directory) => {
    if (existsSync(directory)) {
      const what = `store ${directory}: ${contentOf(directory)}`;
      return ok('home', what);
    }
    const fix = 'correct or unset `SERENA_STORE`';
    return problem('home', `the store ${directory} does not exist`, fix);
  });
}

/** Reports installations and downloaded files below the home directory. */
function checkBlobs(home: string): Finding[] {
  const { root, blobs } = serverDirectories(home);
  if (!existsSync(blobs)) return [];
  return [ok('home', `language servers: ${contentOf(root)}`)];
}

function contentOf(root: string): string {
  const { blobs } = directoriesBelow(root);
  const blobCount = namesIn(blobs).reduce((sum, algorithm) => sum + namesIn(join(blobs, algorithm)).length, 0);
  return `${listInstallations(root).length} installed, ${counted(blobCount, 'file')} (${megabytes(sizeOf(blobs))}) to install from`;
}

function checkOffline({ env }: Environment): Finding[] {
  if (!isOffline(env)) return [];
  const fix = 'unset it, or install missing language servers with `serena servers unpack <bundle> --install`';
  return [note('home', '`SERENA_OFFLINE` is set: nothing is downloaded', fix)];
}

const unknownKeyFix = 'correct or remove the key; `serena config show` lists the valid keys';

async function checkConfiguration(
  home: string,
  environment: Environment,
): Promise<{ findings: Finding[]; user: UserConfig | undefined }> {
  try {
    const user = await loadUserConfig(home);
    const known = serversOf(user).map(({ id }) => id);
    const path = userConfigPath(home);
    const what = existsSync(path) ? `${path} is valid` : `${path} does not exist: all settings have their defaults`;
    const findings: Finding[] = [
      ok('configuration', what),
      ...user.unknownKeys.map((what): Finding => note('configuration', what, unknownKeyFix)),
      ...checkTrust(user),
      ...checkServerSettings(user, known, environment),
      ...(await checkKnownProjects(user)),
    ];
    return { findings, user };
  } catch (error) {
    return { findings: [problemOf('configuration', error)], user: undefined };
  }
}

function checkTrust(user: UserConfig): Finding[] {
  if (!user.trusted_project_path_patterns.includes('**')) return [];
  const what = 'every project is trusted (`**`): any repository can run commands on this machine';
  return [note('configuration', what, 'list your own directories in `trusted_project_path_patterns`')];
}

function checkServerSettings(user: UserConfig, known: readonly string[], { env }: Environment): Finding[] {
  return Object.entries(user.ls_specific_settings).flatMap(([id, value]): Finding[] => {
    const key = `\`ls_specific_settings.${id}\``;
    if (catalog.find(id) === undefined && !known.includes(id)) {
      const fix = `use one of: ${known.join(', ')}`;
      return [note('configuration', `${key} names an unknown language server`, fix)];
    }
    const settings = parseServerSettings(value);
    const program = ownCommand(settings)?.[0];
    if (program === undefined || exists(program, env)) return [];
    const what = `${key} names a program that does not exist: ${program}`;
    return [problem('configuration', what, `install it, or correct ${key}`)];
  });
}

function exists(program: string, env: Environment['env']): boolean {
  return isAbsolute(program) ? existsSync(program) : findProgram(program, env) !== undefined;
}

async function checkKnownProjects(user: UserConfig): Promise<Finding[]> {
  const findings = await Promise.all(
    user.projects.map(async (root): Promise<Finding[]> => {
      if (!existsSync(root)) {
        const what = `the directory of a known project does not exist: ${root}`;
        return [note('configuration', what, `run: serena project remove ${root}`)];
      }
      return await problems(() => loadProjectConfig(root, dataOf(root, user)));
    }),
  );
  return findings.flat();
}

/** Checks that the user's contexts, modes and prompts can be read and name only tools that exist. */
async function checkOwnFiles(home: string): Promise<Finding[]> {
  const own = (kind: NamedFileKind) => listNamedFiles(kind, home).filter(({ path }) => path !== undefined);
  const findings = await Promise.all([
    ...own('contexts').map(({ name }) => problems(async () => checkContextTools(await loadContext(name, home)))),
    ...own('modes').map(({ name }) => problems(async () => checkToolNames(await loadMode(name, home)))),
  ]);
  return [...findings.flat(), ...(await problems(() => listPrompts(home)))];
}

function problems(check: () => Promise<unknown>): Promise<Finding[]> {
  return orProblem('configuration', () => check().then(() => []));
}

interface ServerState {
  readonly id: string;
  /** True if the server can start without a download. */
  readonly isInstalled: boolean;
  /** The program that only the user can install. */
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
async function checkServers(home: string, user: UserConfig | undefined, { env }: Environment): Promise<ServerState[]> {
  const states = serversOf(user).map((spec) => {
    const settings = parseServerSettings(ownValue(user?.ls_specific_settings ?? {}, spec.id));
    return checkServer(spec, { home, env, settings });
  });
  return await Promise.all(states);
}

/** Returns the findings about all servers: each that is installed or broken, and the number of servers. */
function summarize(states: readonly ServerState[]): Finding[] {
  const here = states.filter(({ isInstalled }) => isInstalled).length;
  const what = `${here} of ${states.length} language servers ${here === 1 ? 'is' : 'are'} installed; others are downloaded when a project needs them`;
  const fix = 'run `serena servers install <id>` to install one now';
  return [...states.flatMap(({ finding }) => finding ?? []), note('servers', what, fix)];
}

/** Checks one language server: whether it is installed, and if not, whether it can be. */
async function checkServer(spec: ServerSpec, machine: Machine): Promise<ServerState> {
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
  return { id, isInstalled: true, finding: ok('servers', what) };
}

function describe(name: string, found: LocatedServer): string {
  if (found.as === 'configured') return `${found.command.join(' ')}, as configured`;
  return `${name} ${found.as === 'system' ? found.program : found.installed.version}`;
}

/** Checks the clients on this machine: whether they start this program, and whether the program they start exists. */
async function checkClients(environment: Environment): Promise<Finding[]> {
  const present = clients.filter((client) => isPresent(client, environment));
  return await Promise.all(present.map((client) => checkClient(client, environment)));
}

async function checkClient(client: Client, environment: Environment): Promise<Finding> {
  const file = configurationFile(client, environment);
  const fix = `run: serena setup ${client.id}`;
  try {
    const entry = await entryOf(client, environment);
    if (!isRecord(entry)) return note('clients', `${client.name} is not set up`, fix);
    return checkStart(client, entryCommand(entry)[0], environment);
  } catch (error) {
    return problem('clients', `${client.name}: ${messageOf(error)}`, `correct ${file}`);
  }
}

function checkStart(client: Client, program: string | undefined, environment: Environment): Finding {
  const fix = `run: serena setup ${client.id}`;
  const own = [environment.command[0], stableCommand(environment)[0]];
  if (own.some((path) => path === program)) return ok('clients', `${client.name} starts this program`);
  if (program === undefined) {
    return ok('clients', `${client.name} uses a server called \`${serverName}\` elsewhere`);
  }
  if (isAbsolute(program) && !existsSync(program)) {
    return problem('clients', `${client.name} starts ${program}, which does not exist`, fix);
  }
  return note('clients', `${client.name} starts another program: ${program}`, fix);
}

/** Checks the project at absolute `root`: its configuration, its directory, and the servers that its files need. */
async function checkProject(
  root: string,
  options: { home: string; user: UserConfig; states: readonly ServerState[]; environment: Environment },
): Promise<Finding[]> {
  const { home, user, states, environment } = options;
  await using project = await Project.open(root, { home, user, workerUrl: environment.workerUrl });
  const sources = assignServers(project, user);
  const shares = detectServers(sources, await project.scanner.extensionCounts());
  // A trusted project may have servers of its own.
  const stateOf = async ({ spec, settings }: ActiveServer) =>
    states.find(({ id }) => id === spec.id) ?? (await checkServer(spec, { home, env: environment.env, settings }));
  const needed = shares.map(async ({ server, fileCount }) => neededServer(server, fileCount, await stateOf(server)));
  const here: Finding = ok('project', `${project.name}: ${root}`);
  return [
    here,
    ...checkDataDirectory(project),
    ...checkServerNames(project, sources),
    ...project.config.unknownKeys.map((what): Finding => note('project', what, unknownProjectKeyFix)),
    ...checkProjectTrust(project),
    ...(await Promise.all(needed)),
    ...(shares.length === 0 ? [nothingCovered] : []),
  ];
}

const unknownProjectKeyFix = 'correct or remove the key';

const nothingCovered: Finding = note(
  'project',
  'no language server covers any file: symbol tools will find nothing',
  `check \`language_servers\` and \`ignored_paths\` in its configuration; available: ${servers.map(({ id }) => id).join(', ')}`,
);

function neededServer({ spec: { id }, reason }: ActiveServer, fileCount: number, state: ServerState): Finding {
  const why = reason === undefined ? '' : ` (${reason})`;
  const files = `${counted(fileCount, 'file')} for ${id}${why}`;
  if (state.isInstalled) return ok('project', `${files}, which is installed`);
  if (state.missing !== undefined) {
    return problem('project', `${files}: ${state.missing.what}`, state.missing.fix);
  }
  const fix = `run \`serena servers install ${id}\` to install it now`;
  return note('project', `${files}, which is downloaded at first use`, fix);
}

function checkDataDirectory({ dataDirectory }: Project): Finding[] {
  if (!existsSync(dataDirectory)) return [];
  try {
    accessSync(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const what = `${dataDirectory} is not writable, so memories cannot be written: ${messageOf(error)}`;
    return [problem('project', what, `run: chmod u+rwx ${dataDirectory}`)];
  }
}

function checkServerNames({ config }: Project, sources: SourceFiles): Finding[] {
  const isActive = (id: string) => sources.servers.some(({ spec }) => spec.id === id);
  const unknown = (config.languageServers ?? []).filter((id) => catalog.find(id) === undefined && !isActive(id));
  return unknown.map((id) =>
    note(
      'project',
      `${config.path} names the unknown language server \`${id}\``,
      `use some of: ${servers.map((server) => server.id).join(', ')}`,
    ),
  );
}

/** Reports the settings that were ignored because the project is not trusted; nothing else reports them. */
function checkProjectTrust({ config, isTrusted, root }: Project): Finding[] {
  const ignoredKeys = [
    ...(config.activation_command === undefined ? [] : ['`activation_command`']),
    ...(Object.keys(config.ls_specific_settings).length === 0 ? [] : ['`ls_specific_settings`']),
    ...(Object.keys(config.custom_language_servers).length === 0 ? [] : ['`custom_language_servers`']),
  ];
  if (isTrusted || ignoredKeys.length === 0) return [];
  const what = `${ignoredKeys.join(' and ')} of ${config.path}: ignored because the project is not trusted`;
  const fix = `if you trust it, add \`${root}\` to \`trusted_project_path_patterns\``;
  return [note('project', what, fix)];
}
