import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isExpected } from '../../base/errors.ts';
import { userHome } from '../../base/home.ts';
import { findInstalled, type InstalledServer } from '../../install/install.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { ServerSpec } from '../spec.ts';
import { isFetched } from './identity.ts';
import { installRequest, type ServerEnvironment } from './resolve.ts';
import { ownCommand, settingsFor, systemProgram } from './system-programs.ts';

/** A program on this machine that runs a server. */
export type LocatedServer =
  | { readonly as: 'configured'; readonly command: readonly string[] }
  /** `program` is absolute. With `probe` it may exist without the server; see `PathSource`. */
  | { readonly as: 'system'; readonly program: string; readonly probe?: readonly string[] | undefined }
  | { readonly as: 'installed'; readonly installed: InstalledServer };

/**
 * Yields the programs for a server on this machine, in the order in which `resolveServer()` tries them; fetches
 * nothing.
 *
 * @throws {ExpectedError} `install.*` at an installation that cannot be looked up.
 */
export function* locateServer(
  spec: ServerSpec,
  settings: ServerSettings,
  place: ServerEnvironment,
): Generator<LocatedServer> {
  const command = ownCommand(settingsFor(spec, settings));
  if (command !== undefined) yield { as: 'configured', command };
  const call = { signal: new AbortController().signal, progress: () => undefined };
  for (const source of spec.install) {
    const program = systemProgram(spec, source, place.env)?.path;
    if (program !== undefined) {
      yield { as: 'system', program, probe: source.from === 'path' ? source.probe : undefined };
    } else if (isFetched(source, settings)) {
      const installed = findInstalled(installRequest(spec, source, { place, call, settings }));
      if (installed !== undefined) yield { as: 'installed', installed };
    }
  }
}

/** What runs a server on this machine. */
export interface ServerHere {
  /** The first program that works. */
  readonly located?: LocatedServer;
  /** Absolute path of a program that would, if it included the server. */
  readonly lacking?: string;
}

/**
 * Returns what runs a server on this machine; fetches nothing, but runs programs that can exist without the server.
 *
 * @throws {ExpectedError} as {@link locateServer}.
 */
export async function findServerHere(
  spec: ServerSpec,
  settings: ServerSettings,
  place: ServerEnvironment,
): Promise<ServerHere> {
  let lacking: string | undefined;
  for (const located of locateServer(spec, settings, place)) {
    if (located.as !== 'system' || located.probe === undefined) return { located };
    if (await includesServer(located.program, located.probe, place.env)) return { located };
    lacking ??= located.program;
  }
  return lacking === undefined ? {} : { lacking };
}

type Env = Readonly<Record<string, string | undefined>>;

/** How long a program may take to report whether it includes a server: some load a whole language first. */
const timeoutMs = 10_000;

/**
 * True if the program at an absolute path ends with 0 when it is called with `args`, which ask it for a server. It runs
 * outside every project, without input, and is killed after a few seconds.
 */
function includesServer(program: string, args: readonly string[], env: Env): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: { ...env, ...withoutChanges(program, env) },
      stdio: 'ignore',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Returns variables that keep rustup's proxies from installing a toolchain, and from creating a directory for toolchains. */
function withoutChanges(program: string, env: Env): Env {
  const toolchains = toolchainsIn(env);
  const isThere = toolchains !== undefined && existsSync(toolchains);
  return { RUSTUP_AUTO_INSTALL: '0', RUSTUP_HOME: isThere ? toolchains : program };
}

/** Returns the absolute path of rustup's directory; `undefined` for a user id without a home directory. */
function toolchainsIn(env: Env): string | undefined {
  try {
    return env.RUSTUP_HOME ?? join(userHome(env), '.rustup');
  } catch (error) {
    if (isExpected(error, 'install.home-unusable')) return undefined;
    throw error;
  }
}
