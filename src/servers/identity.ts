import { isAbsolute } from 'node:path';
import { findProgram } from '../base/find-program.ts';
import { assetFor } from '../install/placements.ts';
import { pinnedKey } from '../install/server-lock.ts';
import type { InstallSource } from '../install/source.ts';
import { currentTarget } from '../install/target.ts';
import { fingerprintOf, type ServerSettings } from './settings.ts';
import type { ServerSpec } from './spec.ts';
import { ownCommand, stampOf, systemProgram } from './system-programs.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns what a server's answers depend on besides the files, as a short text for cache keys. Needs no server: a program of
 * the user's is looked for and its size and time are taken, so that an upgrade counts as another one.
 */
export function serverIdentity(spec: ServerSpec, settings: ServerSettings, env: Env): string {
  const own = ownCommand(settings);
  // Not the version alone: what it stands on counts as well.
  const version = own === undefined ? versionOf(spec, env) : stampsOf(own, env).join(' ');
  const options = fingerprintOf([spec.initializationOptions, spec.settings, settings]);
  return [spec.id, version, spec.symbolsVersion, options].join('\0');
}

function versionOf(spec: ServerSpec, env: Env): string {
  for (const source of spec.install) {
    const program = systemProgram(spec, source, env);
    const version = program === undefined ? pinnedVersion(spec, source) : stampOf(program.path);
    if (version !== undefined) return version;
  }
  return 'not here';
}

function pinnedVersion(spec: ServerSpec, source: InstallSource): string | undefined {
  if (source.from === 'attach') return `port ${source.port}`;
  if (!isFetched(source)) return undefined;
  return pinnedKey(spec.id) ?? JSON.stringify(source);
}

/** Returns whether we fetch what `source` names on a machine like this one. */
export function isFetched(source: InstallSource): boolean {
  if (source.from === 'archive') return assetFor(source, currentTarget()) !== undefined;
  return source.from === 'npm' || source.from === 'go' || source.from === 'pypi';
}

function stampsOf(command: readonly string[], env: Env): string[] {
  return command.map((part, index) => {
    const path = isAbsolute(part) ? part : index === 0 ? findProgram(part, env) : undefined;
    return (path === undefined ? undefined : stampOf(path)) ?? part;
  });
}
