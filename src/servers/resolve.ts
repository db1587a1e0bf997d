import type { Call } from '../base/call.ts';
import { ExpectedError } from '../base/errors.ts';
import { findProgram } from '../base/find-program.ts';
import { cleanEnv } from '../install/clean-env.ts';
import { ensureInstalled, type Installed, type InstallRequest } from '../install/install.ts';
import { jsCommand } from '../install/js-runtime.ts';
import { pythonRunner } from '../install/python-runner.ts';
import { pinnedKey } from '../install/server-lock.ts';
import { type InstallableSource, type InstallSource, isPinnedSource, type PinnedSource } from '../install/source.ts';
import type { ServerCommand } from '../lsp/process.ts';
import { fingerprintOf, type ServerSettings } from './settings.ts';
import type { ServerSpec } from './spec.ts';
import { versionSettings } from './version-choice.ts';

/** Where servers are installed and with which environment they run. */
export interface ServerPlace {
  /** Absolute path of our home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether what is said to servers, and by them, goes to the log. */
  readonly isTraced?: boolean;
}

/** A server's program, ready to be started. */
export interface ResolvedServer {
  readonly name: string;
  readonly command: ServerCommand;
  /** Absolute path of the install folder; `undefined` for a user's own program. */
  readonly folder: string | undefined;
}

/** Returns what a server's answers depend on besides the files, as a short text for cache keys. Needs no server. */
export function serverIdentity(spec: ServerSpec, settings: ServerSettings): string {
  // Not the version alone: what it stands on counts as well.
  const version = ownCommand(settings)?.join(' ') ?? pinnedKey(spec.id) ?? JSON.stringify(spec.install);
  const options = fingerprintOf([spec.initializationOptions, spec.settings, settings]);
  return [spec.id, version, spec.symbolsVersion, options].join('\0');
}

/** Returns the source of a server that the lock pins, if it has one. */
export function pinnedSource(spec: ServerSpec): PinnedSource | undefined {
  return spec.install.find(isPinnedSource);
}

/**
 * Returns the program to start: the user's own, else the first of the spec's sources that has one here, else the pinned one
 * fetched now.
 *
 * @throws {ExpectedError} what fetching throws (`install.*`).
 */
export async function resolveServer(
  spec: ServerSpec,
  settings: ServerSettings,
  scope: { place: ServerPlace; call: Call },
): Promise<ResolvedServer> {
  const own = ownCommand(settings);
  const args = [...(settings.ls_args ?? spec.args), ...(settings.ls_extra_args ?? [])];
  if (own) return ownServer(spec, own, { args, place: scope.place });
  for (const source of spec.install) {
    if (source.from !== 'path') continue;
    const found = source.bins.map((bin) => findProgram(bin, scope.place.env)).find((path) => path !== undefined);
    if (found !== undefined) return ownServer(spec, [found], { args, place: scope.place });
  }
  const source = pinnedSource(spec) ?? spec.install.find(isTool);
  if (source === undefined) throw notHere(spec);
  const installed = await ensureInstalled(installRequest(spec, source, { ...scope, settings }));
  return {
    name: `${spec.name} ${installed.version}`,
    folder: installed.folder,
    command: installedCommand(spec, installed, { source, args, place: scope.place }),
  };
}

function isTool(source: InstallSource): source is Exclude<InstallableSource, PinnedSource> {
  return source.from === 'gem' || source.from === 'dotnet';
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

function notHere(spec: ServerSpec): ExpectedError {
  const ways = spec.install.flatMap((source) => ('hint' in source ? [source.hint] : []));
  return new ExpectedError('install.runtime-missing', `Cannot find ${spec.name}, which has to be installed by hand`, {
    hints: [...ways, `Name its program with \`ls_specific_settings.${spec.id}.ls_path\``],
  });
}

function ownCommand(settings: ServerSettings): readonly string[] | undefined {
  return settings.ls_base_cmd ?? (settings.ls_path === undefined ? undefined : [settings.ls_path]);
}

function ownServer(
  spec: ServerSpec,
  own: readonly string[],
  { args, place }: { args: readonly string[]; place: ServerPlace },
): ResolvedServer {
  const [program = '', ...before] = own;
  return {
    name: `${spec.name} (${program})`,
    folder: undefined,
    command: {
      command: program,
      args: [...before, ...args],
      env: cleanEnv(place.env),
      // Not the project: a runtime behind the user's command would read configuration from there.
      cwd: place.home,
    },
  };
}

function installedCommand(
  spec: ServerSpec,
  installed: Installed,
  options: { source: InstallableSource; args: readonly string[]; place: ServerPlace },
): ServerCommand {
  const { source, args, place } = options;
  if (source.from === 'pypi' && 'python' in source.run) {
    const { by, args: before = [] } = pythonRunner(source.run.python, place.home);
    const python = findProgram(by, place.env) ?? by;
    const filled = before.map((arg) => arg.replace('{program}', installed.program));
    return { command: python, args: [...filled, ...args], env: cleanEnv(place.env), cwd: installed.folder };
  }
  if (source.from !== 'npm' || source.runs === 'native') {
    return { command: installed.program, args, env: cleanEnv(place.env), cwd: installed.folder };
  }
  const { home, env } = place;
  const js = jsCommand({
    home,
    env,
    script: installed.program,
    args,
    ...(spec.preload ? { preload: spec.preload } : {}),
  });
  return { ...js, cwd: installed.folder };
}
