import { ExpectedError, isExpected } from '../../base/errors.ts';
import { ownValue } from '../../base/own-value.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { styled } from '../../base/visible-text.ts';
import type { UserConfig } from '../../config/user-config.ts';
import { megabytes } from '../../install/failures.ts';
import { artifactsOf, missingArtifacts, type Plan, planOf, sumOfSizes } from '../../install/source/plan.ts';
import { serverDirectories } from '../../install/store/layout.ts';
import { catalog } from '../../languages/servers.ts';
import { parseServerSettings, type ServerSettings } from '../../servers/assignment/settings.ts';
import { isFetched } from '../../servers/runtime/identity.ts';
import { findServerHere, type LocatedServer, type ServerHere } from '../../servers/runtime/locate-server.ts';
import { pinnedSource, type ServerEnvironment } from '../../servers/runtime/resolve.ts';
import { hintOf, missingRuntimes } from '../../servers/runtime/system-programs.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { serversOf } from '../../session/assign-servers.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLines, tableLines } from '../output.ts';
import { loadUser } from '../user.ts';
import { serverNamed } from './choice.ts';

export type ServerState =
  /** A program named in the user's configuration. */
  | 'configured'
  /** Installed by this program. */
  | 'installed'
  /** Installed in a store of `SERENA_STORE`. */
  | 'in a store'
  /** A program on `PATH`. */
  | 'on PATH'
  /** Not installed, but all of its files have been downloaded. */
  | 'ready'
  | 'to be fetched'
  | 'to be installed manually'
  | 'not for this machine';

interface ServerDescription {
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  readonly languages: readonly string[];
  readonly extensions: readonly string[];
  /** Kinds of sources that it may be installed from, in order. */
  readonly from: readonly string[];
  readonly version: string | null;
  readonly state: ServerState;
  /** Absolute path, if the server is available. */
  readonly program: string | null;
  /** Sizes of the download and of its unpacked files, if the server lock has them. */
  readonly downloadBytes: number | null;
  readonly unpackedBytes: number | null;
  /** Set if it is not free software. */
  readonly license: string | null;
  readonly isRedistributable: boolean;
  /** Programs that the server needs; `isHere` is true for a program on `PATH`. */
  readonly needs: readonly { readonly program: string; readonly isHere: boolean }[];
  /** The program that the user has to install, if the server is not on this machine and cannot be fetched. */
  readonly missing: MissingServer | null;
  /** True if only projects that name the server use it. */
  readonly needsExplicitChoice: boolean;
}

/** States of servers that can start without a download. */
const availableStates: readonly ServerState[] = ['configured', 'installed', 'in a store', 'on PATH'];

/**
 * Describes one server and its state on this machine, with the user's configuration. Reads a few small files, and runs
 * programs that can exist without the server.
 */
export async function describeServer(
  spec: ServerSpec,
  place: ServerEnvironment,
  user: UserConfig,
): Promise<ServerDescription> {
  const settings = parseServerSettings(ownValue(user.ls_specific_settings, spec.id));
  const plan = planFor(spec);
  const artifacts = plan && artifactsOf([plan]);
  const { located: found, lacking } = await serverHere(spec, settings, place);
  const absent = missingRuntimes(spec, { env: place.env, settings }).map(({ program }) => program);
  const missing = found === undefined ? missingServer(spec, { env: place.env, settings, lacking }) : undefined;
  return {
    id: spec.id,
    name: spec.name,
    homepage: spec.homepage,
    languages: [...new Set(Object.values(spec.files))],
    extensions: Object.keys(spec.files),
    from: spec.install.map(({ from }) => from),
    version: plan?.entry.version ?? null,
    state: found === undefined ? stateElsewhere(spec, { plan, settings }, place) : stateHere(found, place),
    program: found === undefined ? null : programOf(found),
    downloadBytes: sumOf(artifacts?.map(({ sizeBytes }) => sizeBytes)),
    unpackedBytes: sumOf(artifacts?.map(({ unpackedBytes }) => unpackedBytes)),
    license: spec.license?.terms ?? null,
    isRedistributable: spec.license?.isRedistributable !== false,
    needs: (spec.requires ?? []).map(({ program }) => ({ program, isHere: !absent.includes(program) })),
    missing: missing ?? null,
    needsExplicitChoice: spec.needsExplicitChoice === true,
  };
}

/** Returns the installation plan for this platform, or `undefined` if nothing is pinned for it. */
function planFor(spec: ServerSpec): Plan | undefined {
  const source = pinnedSource(spec);
  return source && orUndefined(() => planOf({ id: spec.id, source }));
}

async function serverHere(spec: ServerSpec, settings: ServerSettings, place: ServerEnvironment): Promise<ServerHere> {
  try {
    return await findServerHere(spec, settings, place);
  } catch (error) {
    if (isExpected(error, 'install.not-pinned')) return {};
    throw error;
  }
}

/** Returns the result of `look`, or `undefined` if nothing is pinned for this platform. */
function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isExpected(error, 'install.not-pinned')) return undefined;
    throw error;
  }
}

function stateHere(found: LocatedServer, { home }: ServerEnvironment): ServerState {
  if (found.as === 'configured') return 'configured';
  if (found.as === 'system') return 'on PATH';
  return found.installed.directory.startsWith(serverDirectories(home).root) ? 'installed' : 'in a store';
}

function programOf(found: LocatedServer): string | null {
  if (found.as === 'configured') return found.command[0] ?? null;
  return found.as === 'system' ? found.program : found.installed.program;
}

function stateElsewhere(
  spec: ServerSpec,
  { plan, settings }: { plan: Plan | undefined; settings: ServerSettings },
  place: ServerEnvironment,
): ServerState {
  const isReady = plan?.placements !== undefined && missingArtifacts(artifactsOf([plan]), place).length === 0;
  if (isReady) return 'ready';
  if (plan === undefined && pinnedSource(spec) !== undefined) return 'not for this machine';
  return spec.install.some((source) => isFetched(source, settings)) ? 'to be fetched' : 'to be installed manually';
}

function sumOf(sizes: readonly (number | undefined)[] | undefined): number | null {
  return sizes === undefined || sizes.length === 0 ? null : (sumOfSizes(sizes) ?? null);
}

/** A program that only the user can install: the problem as a clause, and how to install it. */
export interface MissingServer {
  readonly what: string;
  readonly fix: string;
}

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: ServerSettings;
  /** Absolute path of a program on `PATH` that does not include the server. */
  readonly lacking: string | undefined;
}

/**
 * Returns the program that the user has to install before a missing server can run; `undefined` if this program can
 * download the server.
 */
export function missingServer(spec: ServerSpec, { env, settings, lacking }: Machine): MissingServer | undefined {
  const { install, name } = spec;
  const [runtime] = missingRuntimes(spec, { env, settings });
  if (runtime !== undefined) {
    const what = `${name} needs \`${runtime.program}\`, which is not on \`PATH\` and has to be installed manually`;
    return { what, fix: runtime.hint };
  }
  const isBuilt = install.some(({ from }) => from === 'go') && findProgram('go', env) === undefined;
  if (isBuilt) return { what: `${name} is built with Go, which is not on \`PATH\``, fix: 'install Go' };
  if (install.some((source) => isFetched(source, settings))) return undefined;
  const fix = install.flatMap((source) => hintOf(source) ?? []).join('. Or: ');
  if (lacking !== undefined) return { what: `${name} has to be installed manually: \`${lacking}\` lacks it`, fix };
  return { what: `${name} has to be installed manually`, fix };
}

/** Options of `servers list`. */
export interface ListFlags {
  /** Only servers that can start without a download. */
  readonly installed?: boolean;
  readonly json?: boolean;
}

/**
 * Writes all language servers and their state on this machine to stdout.
 *
 * @throws {ExpectedError} `config.invalid`; `install.home-unusable`.
 */
export async function listServers(flags: ListFlags, { env }: Environment): Promise<void> {
  const { home, user } = await loadUser(env);
  const all = await Promise.all(serversOf(user).map((spec) => describeServer(spec, { home, env }, user)));
  const shown = flags.installed ? all.filter(({ state }) => availableStates.includes(state)) : all;
  if (flags.json) return printJson({ servers: shown });
  const [header = '', ...lines] = tableLines([
    ['ID', 'SERVER', 'VERSION', 'STATE', 'SIZE', 'FILES', ''],
    ...shown.map(rowOf),
  ]);
  printLines([styled('bold', header, process.stdout), ...lines]);
}

function rowOf({ id, name, version, state, downloadBytes, extensions, ...others }: ServerDescription): string[] {
  const size = downloadBytes === null ? '' : megabytes(downloadBytes);
  const { needs, license, needsExplicitChoice, missing: absent } = others;
  const missing = needs.filter(({ isHere }) => !isHere).map(({ program }) => program);
  const rule = catalog.find(id)?.standsInFor;
  const depends = rule === undefined ? '' : ` or depends on ${rule.npmPackage} ${rule.fromMajor}`;
  const notes = [
    ...(needsExplicitChoice ? [`only if a project names it${depends}`] : []),
    ...(missing.length === 0 ? [] : [`needs ${missing.join(', ')}`]),
    ...(state === 'to be installed manually' && absent !== null ? [absent.fix] : []),
    ...(license === null ? [] : [`license: ${license}`]),
  ];
  const files = extensions.length > 4 ? [...extensions.slice(0, 3), '…'] : extensions;
  return [id, name, version ?? '', state, size, files.join(' '), notes.join('; ')];
}

/**
 * Writes the absolute path of a server's program to stdout. Downloads nothing.
 *
 * @throws {ExpectedError} `usage.invalid`; `server.missing` if it is not on this machine; `config.invalid`.
 */
export async function printServerPath(
  word: string,
  flags: { readonly json?: boolean },
  { env }: Environment,
): Promise<void> {
  const { home, user } = await loadUser(env);
  const spec = serverNamed(word, serversOf(user));
  const { id, version, state, program, missing } = await describeServer(spec, { home, env }, user);
  if (program === null) {
    throw new ExpectedError('server.missing', `\`${id}\` (${spec.name}) is not on this machine: it is ${state}`, {
      hints:
        state === 'to be installed manually' && missing !== null
          ? [missing.fix]
          : [
              `run \`serena servers install ${id}\``,
              'run `serena servers unpack <file> --install` on a machine without a network',
            ],
    });
  }
  if (flags.json) printJson({ id, version, state, program });
  else ownCaller.print(`${program}\n`);
}
