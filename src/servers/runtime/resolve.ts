import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Call } from '../../base/call.ts';
import { ExpectedError } from '../../base/errors.ts';
import { ensureInstalled, type InstallRequest } from '../../install/install.ts';
import { cleanEnv } from '../../install/runtime/clean-env.ts';
import { jsCommand } from '../../install/runtime/js-runtime.ts';
import { pythonRunner } from '../../install/runtime/python-runner.ts';
import { assetFor } from '../../install/source/placements.ts';
import {
  type InstallableSource,
  type InstallSource,
  isPinnedSource,
  type PinnedSource,
  type Runner,
} from '../../install/source/source.ts';
import { currentTarget, targetName } from '../../install/target.ts';
import type { ServerAddress } from '../../lsp/client/attached.ts';
import type { ServerCommand } from '../../lsp/client/process.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { ServerSpec } from '../catalog/spec.ts';
import { expand, expandEnv, expandStrings, type Placeholders } from './expand.ts';
import { isFetched } from './identity.ts';
import { projectCodeSubstitutes } from './project-code.ts';
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
import { versionSettings } from './version-choice.ts';

/** Where servers are installed and with which environment they run. */
export interface ServerPlace {
  /** Absolute path of our home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether what is said to servers, and by them, goes to the log. */
  readonly isTraced?: boolean;
}

/** What a server's program is looked for, fetched and started with. */
export interface ResolveScope {
  readonly place: ServerPlace;
  readonly call: Call;
  /** Absolute paths that placeholders stand for. */
  readonly directories: { readonly root: string; readonly cache?: string | undefined; readonly temp?: string };
  /** Values of further placeholders. */
  readonly prepared?: Readonly<Record<string, unknown>> | undefined;
  /** True if code of the project may run. */
  readonly isTrusted?: boolean;
}

/** A server's program, ready to be started, or where one listens. */
export interface ResolvedServer {
  readonly name: string;
  readonly command: ServerCommand | ServerAddress;
  /** What the placeholders in the spec stand for. */
  readonly placeholders: Placeholders;
  /** How to get a program of the user's that may be the wrong one, as one sentence without a full stop. */
  readonly hint?: string | undefined;
}

/** A program before it is known how to start it. */
interface Found {
  /** Absolute, or a name that the system looks for. */
  readonly program: string;
  readonly runner: Runner;
  /** Before the server's arguments. */
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
 * Returns the program to start: the user's own, else that of the first of the spec's sources which has one here, fetched now if
 * it is pinned.
 *
 * @throws {ExpectedError} `install.runtime-missing` where a program is missing that only the user can install; what fetching
 *   throws (`install.*`).
 */
export async function resolveServer(
  spec: ServerSpec,
  given: ServerSettings,
  scope: ResolveScope,
): Promise<ResolvedServer> {
  const settings = settingsFor(spec, given);
  const own = ownCommand(settings);
  if (own !== undefined) return await started(spec, settings, { scope, found: ownProgram(settings, own) });
  requireRuntimes(spec, { env: scope.place.env, settings });
  for (const source of spec.install) {
    if (source.from === 'attach') return attached(spec, settings, { source, scope });
    const found = await find(spec, source, { ...scope, settings });
    if (found !== undefined) return await started(spec, settings, { scope, found });
  }
  throw notHere(spec);
}

async function find(
  spec: ServerSpec,
  source: InstallSource,
  scope: ResolveScope & { settings: ServerSettings },
): Promise<Found | undefined> {
  const { place, settings } = scope;
  const system = systemProgram(spec, source, place.env);
  if (system !== undefined) return { program: system.path, runner: system.runner, hint: hintOf(source) };
  if (!isFetched(source, settings)) return undefined;
  const runner = runnerOf(source, place);
  // What it is run by has to be there before anything is fetched in vain.
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

function runnerOf(source: InstallableSource, { home }: ServerPlace): Runner {
  if (source.from === 'npm') return source.runs ?? 'js';
  if (source.from === 'pypi' && 'python' in source.run) return pythonRunner(source.run, home);
  return source.from === 'archive' ? (source.runs ?? 'native') : 'native';
}

/** Returns the request that installs `spec`'s server, in the version that the user's settings name. */
export function installRequest(
  spec: ServerSpec,
  source: InstallableSource,
  scope: { place: ServerPlace; call: Call; settings?: ServerSettings },
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

function ownProgram(settings: ServerSettings, own: readonly string[]): Found {
  const [program = '', ...before] = own;
  // A command that is written out in full is run as it is.
  return { program, before, runner: settings.ls_base_cmd === undefined ? runnerFor(program) : 'native' };
}

function attached(
  spec: ServerSpec,
  settings: ServerSettings,
  { source, scope }: { source: Extract<InstallSource, { from: 'attach' }>; scope: ResolveScope },
): ResolvedServer {
  const port = typeof settings.port === 'number' ? settings.port : source.port;
  const placeholders = placeholdersOf(spec, settings, { scope, found: undefined });
  return { name: `${spec.name} (port ${port})`, command: { port, hint: source.hint }, placeholders };
}

async function started(
  spec: ServerSpec,
  settings: ServerSettings,
  { scope, found: { words, ...rest } }: { scope: ResolveScope; found: Found },
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
  const found = { ...rest, words: { ...words, ...code } };
  const placeholders = placeholdersOf(spec, settings, { scope, found });
  const args = [
    ...before,
    ...(settings.ls_args ?? expandStrings(spec.args, placeholders)),
    ...(settings.ls_extra_args ?? []),
  ];
  const command = commandOf(spec, settings, { scope, found, placeholders, args });
  const { home } = scope.place;
  // Not the project, if it need not be: a runtime behind the command would read configuration from there.
  const cwd = spec.runsInProject === true ? scope.directories.root : (directory ?? home);
  const env = { ...command.env, ...expandEnv(spec.env ?? {}, placeholders) };
  const name = `${spec.name} ${version ?? `(${program})`}`;
  return { name, command: { ...command, env, cwd }, placeholders, hint: found.hint };
}

function commandOf(
  spec: ServerSpec,
  settings: ServerSettings,
  parts: { scope: ResolveScope; found: Found; placeholders: Placeholders; args: readonly string[] },
): Omit<ServerCommand, 'cwd'> {
  const { scope, found, placeholders, args } = parts;
  const { home, env } = scope.place;
  const { runner, program } = found;
  if (runner === 'native') return { command: program, args, env: cleanEnv(env) };
  if (runner === 'js') {
    return jsCommand({ home, env, script: program, args, directory: found.directory, preload: spec.preload });
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
  throw new ExpectedError('install.runtime-missing', `The installation of ${spec.name} lacks \`${runner.by}\``, {
    hints: [`Remove \`${placeholders.directory}\`: it is fetched again with the next question`],
  });
}

/** Not every archive says which of its files are programs. */
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
  { scope, found }: { scope: ResolveScope; found: Found | undefined },
): Placeholders {
  const own = Object.entries(spec.ownSettings ?? {}).map(([key, usual]) => [key, settings[key] ?? usual]);
  const { root, cache, temp } = scope.directories;
  const directory = found?.directory;
  const places = { root, cache, temp, directory, program: found?.program };
  return { values: { ...Object.fromEntries(own), ...found?.words, ...scope.prepared, ...places }, directory };
}

/** Returns the error for a server that has to be installed by its user, with the ways to do so. */
function notHere(spec: ServerSpec): ExpectedError {
  const isPublished = spec.install.some(isPinnedSource);
  const reason = isPublished
    ? `nothing of it is published for ${targetName(currentTarget())}`
    : 'it has to be installed by hand';
  return new ExpectedError('install.runtime-missing', `Cannot find ${spec.name} on \`PATH\`: ${reason}`, {
    hints: waysToInstall(spec),
  });
}
