import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { z } from 'zod';
import type { Call } from '../../base/call.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { realPath } from '../../base/paths.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { ensureInstalled, type InstallRequest } from '../../install/install.ts';
import { cleanEnv, jsCommand } from '../../install/runtime/js-runtime.ts';
import { pythonRunner } from '../../install/runtime/python-runner.ts';
import { assetFor } from '../../install/source/placements.ts';
import {
  type InstallableSource,
  type InstallSource,
  isPinnedSource,
  type PinnedSource,
  type Runner,
} from '../../install/source/source.ts';
import type { VersionChoice } from '../../install/source/version-choice.ts';
import { currentTarget, targetName } from '../../install/target.ts';
import type { ServerAddress } from '../../lsp/client/attached.ts';
import type { ServerCommand } from '../../lsp/client/process.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { ServerSpec } from '../spec.ts';
import { expand, expandEnv, expandStrings, type Placeholders } from './expand.ts';
import { isFetched } from './identity.ts';
import {
  findRuntime,
  hintOf,
  ownCommand,
  requireRuntimes,
  runnerFor,
  settingsFor,
  systemProgram,
  waysToInstall,
} from './system-programs.ts';

/** Where servers are installed and with which environment they run. */
export interface ServerEnvironment {
  /** Absolute path of our home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if all messages to and from servers are logged. */
  readonly isTraced?: boolean;
}

/** Context for finding, fetching and starting a server's program. */
interface ResolveScope {
  readonly place: ServerEnvironment;
  readonly call: Call;
  /** Absolute paths, the values of placeholders. */
  readonly directories: { readonly root: string; readonly cache?: string | undefined; readonly temp?: string };
  /** Values of further placeholders. */
  readonly prepared?: Readonly<Record<string, unknown>> | undefined;
  /** True if code of the project may run. */
  readonly isTrusted?: boolean;
}

/** A server that can be started or attached to. */
export interface ResolvedServer {
  readonly name: string;
  readonly command: ServerCommand | ServerAddress;
  /** Values of the placeholders in the spec. */
  readonly placeholders: Placeholders;
  /** How the user can install the right program, for a program of the user's; one sentence without a full stop. */
  readonly hint?: string | undefined;
}

/** A program that runs a server, before its command line is built. */
interface LocatedProgram {
  /** Absolute, or a name that is looked up on `PATH`. */
  readonly program: string;
  readonly runner: Runner;
  /** Arguments that precede the server's. */
  readonly before?: readonly string[];
  readonly version?: string;
  /** Absolute path of the install directory; absent for a user's own program. */
  readonly directory?: string;
  readonly words?: Readonly<Record<string, string | undefined>> | undefined;
  readonly hint?: string | undefined;
}

/** Returns the source of a server that the lock pins, if it has one. */
export function pinnedSource(spec: ServerSpec): PinnedSource | undefined {
  return spec.install.find(isPinnedSource);
}

/**
 * Returns the program to start: the user's own, or that of the first source in the spec that has one for this machine,
 * fetched now if it is pinned.
 *
 * @throws {ExpectedError} `install.runtime-missing` if a program is missing that only the user can install; other
 *   `install.*` errors of fetching.
 */
export async function resolveServer(
  spec: ServerSpec,
  given: ServerSettings,
  scope: ResolveScope,
): Promise<ResolvedServer> {
  const settings = settingsFor(spec, given);
  const own = ownCommand(settings);
  if (own !== undefined) return await resolved(spec, settings, { scope, located: ownProgram(settings, own) });
  requireRuntimes(spec, { env: scope.place.env, settings });
  for (const source of spec.install) {
    if (source.from === 'attach') return attached(spec, settings, { source, scope });
    const located = await find(spec, source, { ...scope, settings });
    if (located !== undefined) return await resolved(spec, settings, { scope, located });
  }
  throw notFound(spec);
}

async function find(
  spec: ServerSpec,
  source: InstallSource,
  scope: ResolveScope & { settings: ServerSettings },
): Promise<LocatedProgram | undefined> {
  const { place, settings } = scope;
  const system = systemProgram(spec, source, place.env);
  if (system !== undefined) return { program: system.path, runner: system.runner, hint: hintOf(source) };
  if (!isFetched(source, settings)) return undefined;
  const runner = runnerOf(source, place);
  // Checked before the server is fetched: without its runtime, it would be fetched in vain.
  if (typeof runner === 'object' && !runner.by.includes('{'))
    findRuntime(runner.by, spec, { env: place.env, settings, hint: runner.hint });
  const { program, directory, version } = await ensureInstalled(installRequest(spec, source, scope));
  const words = source.from === 'archive' ? assetFor(source, currentTarget())?.words : undefined;
  return { program, runner, directory, version, words };
}

async function installedDirectory(
  spec: ServerSpec,
  scope: ResolveScope & { settings: ServerSettings },
): Promise<string | undefined> {
  const source = pinnedSource(spec);
  return source === undefined ? undefined : (await ensureInstalled(installRequest(spec, source, scope))).directory;
}

function runnerOf(source: InstallableSource, { home }: ServerEnvironment): Runner {
  if (source.from === 'npm') return source.runs ?? 'js';
  if (source.from === 'pypi' && 'python' in source.run) return pythonRunner(source.run, home);
  return source.from === 'archive' ? (source.runs ?? 'native') : 'native';
}

/** Returns the request that installs `spec`'s server, in the version that the user's settings name. */
export function installRequest(
  spec: ServerSpec,
  source: InstallableSource,
  scope: { place: ServerEnvironment; call: Call; settings?: ServerSettings },
): InstallRequest {
  return {
    id: spec.id,
    source,
    ...versionSettings(spec, scope.settings ?? {}),
    home: scope.place.home,
    env: scope.place.env,
    signal: scope.call.signal,
    onProgress: ({ message, done, total }) =>
      scope.call.progress(
        done === undefined || total === undefined ? message : `${message}: ${Math.round((100 * done) / total)} %`,
      ),
  };
}

function ownProgram(settings: ServerSettings, own: readonly string[]): LocatedProgram {
  const [program = '', ...before] = own;
  // A complete command runs unchanged.
  return { program, before, runner: settings.ls_base_cmd === undefined ? runnerFor(program) : 'native' };
}

function attached(
  spec: ServerSpec,
  settings: ServerSettings,
  { source, scope }: { source: Extract<InstallSource, { from: 'attach' }>; scope: ResolveScope },
): ResolvedServer {
  const port = typeof settings.port === 'number' ? settings.port : source.port;
  const placeholders = placeholdersOf(spec, settings, { scope, located: undefined });
  return { name: `${spec.name} (port ${port})`, command: { port, hint: source.hint }, placeholders };
}

async function resolved(
  spec: ServerSpec,
  settings: ServerSettings,
  { scope, located: { words, ...rest } }: { scope: ResolveScope; located: LocatedProgram },
): Promise<ResolvedServer> {
  const { version, program, directory, before = [] } = rest;
  const code = await projectCodeSubstitutes(spec, {
    directory,
    command: [program, ...before],
    root: scope.directories.root,
    env: scope.place.env,
    isTrusted: scope.isTrusted === true,
    install: () => installedDirectory(spec, { ...scope, settings }),
  });
  const located = { ...rest, words: { ...words, ...code } };
  const placeholders = placeholdersOf(spec, settings, { scope, located });
  const args = [
    ...before,
    ...(settings.ls_args ?? expandStrings(spec.args, placeholders)),
    ...(settings.ls_extra_args ?? []),
  ];
  const command = commandOf(spec, settings, { scope, located, placeholders, args });
  const { home } = scope.place;
  // Not the project, unless required: a runtime in the command would read configuration from there.
  const cwd = spec.runsInProject === true ? scope.directories.root : (directory ?? home);
  const env = { ...withJavaOptions(spec, command.env), ...expandEnv(spec.env ?? {}, placeholders) };
  const name = `${spec.name} ${version ?? `(${program})`}`;
  return { name, command: { ...command, env, cwd }, placeholders, hint: located.hint };
}

function withJavaOptions({ javaOptions }: ServerSpec, env: ServerCommand['env']): ServerCommand['env'] {
  if (javaOptions === undefined) return env;
  const all = [...javaOptions, env.JAVA_TOOL_OPTIONS].filter((options) => options !== undefined && options !== '');
  return { ...env, JAVA_TOOL_OPTIONS: all.join(' ') };
}

function commandOf(
  spec: ServerSpec,
  settings: ServerSettings,
  parts: { scope: ResolveScope; located: LocatedProgram; placeholders: Placeholders; args: readonly string[] },
): Omit<ServerCommand, 'cwd'> {
  const { scope, located, placeholders, args } = parts;
  const { home, env } = scope.place;
  const { runner, program } = located;
  if (runner === 'native') return { command: program, args, env: cleanEnv(env) };
  if (runner === 'js') {
    return jsCommand({ home, env, script: program, args, directory: located.directory, preload: spec.quirks?.preload });
  }
  const before = expandStrings(runner.args ?? ['{program}'], placeholders);
  return {
    command: runtimeOf(spec, settings, { runner, scope, placeholders }),
    args: [...before, ...args],
    env: cleanEnv(env),
  };
}

function runtimeOf(
  spec: ServerSpec,
  settings: ServerSettings,
  { runner, scope, placeholders }: { runner: { readonly by: string }; scope: ResolveScope; placeholders: Placeholders },
): string {
  const by = expand(runner.by, placeholders);
  if (typeof by === 'string' && isAbsolute(by) && existsSync(by)) return runnable(by);
  if (by !== undefined && !isAbsolute(String(by)))
    return findRuntime(String(by), spec, { env: scope.place.env, settings });
  throw new ExpectedError(
    'install.runtime-missing',
    `\`${runner.by}\` is missing from the installation of ${spec.name}`,
    {
      hints: [`remove \`${placeholders.directory}\`: the next call fetches it again`],
    },
  );
}

/** Makes the file executable: not every archive records which of its files are. */
function runnable(path: string): string {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
  return path;
}

function placeholdersOf(
  spec: ServerSpec,
  settings: ServerSettings,
  { scope, located }: { scope: ResolveScope; located: LocatedProgram | undefined },
): Placeholders {
  const own = Object.entries(spec.ownSettings ?? {}).map(([key, byDefault]) => [key, settings[key] ?? byDefault]);
  const { root, cache, temp } = scope.directories;
  const directory = located?.directory;
  const directories = { root, cache, temp, directory, program: located?.program };
  return { values: { ...Object.fromEntries(own), ...located?.words, ...scope.prepared, ...directories }, directory };
}

/** Returns the error for a server that the user has to install, with the ways to do so. */
export function notFound(spec: ServerSpec): ExpectedError {
  if (spec.definition !== undefined) {
    const problem = `cannot find ${spec.name}, a language server of your own configuration`;
    return new ExpectedError('install.runtime-missing', problem, { hints: waysToInstall(spec) });
  }
  const isPublished = spec.install.some(isPinnedSource);
  const reason = isPublished
    ? `no release is published for ${targetName(currentTarget())}`
    : 'it has to be installed manually';
  return new ExpectedError('install.runtime-missing', `cannot find ${spec.name} on \`PATH\`: ${reason}`, {
    hints: waysToInstall(spec),
  });
}

const schema = z.object({
  integrity: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  verify: z.boolean().optional(),
});

/** The user's choice of a server's version, and whether it may be installed unverified. */
interface VersionSettings {
  readonly choice: VersionChoice | undefined;
  readonly allowsUnverified: boolean;
}

/**
 * Returns the version settings in `settings` (the entry of `ls_specific_settings`): the spec's `versionKey`,
 * `integrity` and `verify`. An entry of the wrong type is dropped with a warning in the log.
 */
export function versionSettings(
  { id, versionKey }: Pick<ServerSpec, 'id' | 'versionKey'>,
  settings: Readonly<Record<string, unknown>>,
): VersionSettings {
  const parsed = schema.safeParse(settings);
  if (!parsed.success) {
    const where = `\`ls_specific_settings.${id}\``;
    log('servers').warn(
      `Ignored \`integrity\` and \`verify\` of ${where}: \`integrity\` must be a string or a map, \`verify\` true or false`,
    );
  }
  const { integrity, verify } = parsed.data ?? {};
  const allowsUnverified = verify === false;
  const version = versionKey === undefined ? undefined : settings[versionKey];
  // YAML reads an unquoted 1.10 as the number 1.1, so only strings are accepted.
  const isNamed = typeof version === 'string' && version.trim() !== '';
  if (versionKey === undefined || !isNamed) {
    if (version !== undefined && versionKey !== undefined && !isNamed) {
      log('servers').warn(`Ignored \`ls_specific_settings\` key \`${versionKey}\`: it must be a version in quotes`);
    }
    return { choice: undefined, allowsUnverified };
  }
  const choice = { key: versionKey, version: version.trim(), integrity, isUnverified: allowsUnverified };
  return { choice, allowsUnverified };
}

interface ServerProgram {
  /** Absolute path of the install directory; `undefined` for a user's own program. */
  readonly directory: string | undefined;
  /** The program and the arguments that precede the server's. */
  readonly command: readonly string[];
  /** Absolute path of the project. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTrusted: boolean;
  /** Installs the server if needed and returns its install directory. */
  readonly install: () => Promise<string | undefined>;
}

/**
 * Returns the absolute paths of `spec.quirks?.projectCodeSubstitutes`, by placeholder name. For a user's own program they are
 * searched beside it, then in an installation. In a trusted project, whose code may run, a user's own program gets
 * none.
 *
 * @throws {ExpectedError} `server.refused` if the server would run code of an untrusted project.
 */
async function projectCodeSubstitutes(
  spec: ServerSpec,
  program: ServerProgram,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (spec.quirks?.projectCodeSubstitutes === undefined) return {};
  const paths = Object.entries(spec.quirks?.projectCodeSubstitutes.paths);
  const directory = program.directory ?? (program.isTrusted ? undefined : await directoryFor(spec, program));
  return Object.fromEntries(
    paths.map(([name, path]) => [name, directory === undefined ? undefined : join(directory, path)]),
  );
}

async function directoryFor(spec: ServerSpec, program: ServerProgram): Promise<string | undefined> {
  const { description = '', paths = {} } = spec.quirks?.projectCodeSubstitutes ?? {};
  const beside = directoryBeside(program, Object.values(paths));
  // A missing program fails to start; nothing is fetched for it.
  if (beside !== undefined || !exists(program)) return beside;
  try {
    return await program.install();
  } catch (error) {
    if (!isExpected(error)) throw error;
    throw new ExpectedError(
      'server.refused',
      `your own program for \`${spec.id}\` would run the ${description} of the project, which is not trusted; cannot install another: ${error.message}`,
      {
        hints: [
          `install ${description} beside your program, or remove \`ls_path\` or \`ls_base_cmd\` from \`ls_specific_settings.${spec.id}\``,
          'if you trust the project, add its path to `trusted_project_path_patterns` in `serena_config.yml`',
        ],
        cause: error,
      },
    );
  }
}

/** Returns the nearest directory above the program's files, outside the project, that contains all of `paths`. */
function directoryBeside({ command, env, root }: ServerProgram, paths: readonly string[]): string | undefined {
  const project = realPath(root);
  const isOfProject = (directory: string) => directory === project || directory.startsWith(project + sep);
  for (const file of filesOf(command, env)) {
    for (let directory = dirname(file); directory !== dirname(directory); directory = dirname(directory)) {
      if (!isOfProject(directory) && paths.every((path) => existsSync(join(directory, path)))) return directory;
    }
  }
  return undefined;
}

function exists({ command: [program = ''], env }: ServerProgram): boolean {
  return isAbsolute(program) ? existsSync(program) : findProgram(program, env) !== undefined;
}

/** Returns the real paths of the files in a command: the program need not be the server, as in `node server.js`. */
function filesOf(command: readonly string[], env: ServerProgram['env']): string[] {
  return command.flatMap((part, index) => {
    const path = isAbsolute(part) ? part : index === 0 ? findProgram(part, env) : undefined;
    return path !== undefined && existsSync(path) ? [realPath(path)] : [];
  });
}
