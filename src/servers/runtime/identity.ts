import { isAbsolute } from 'node:path';
import { findProgram } from '../../base/process/find-program.ts';
import { pinnedKey } from '../../install/lock/server-lock.ts';
import { assetFor } from '../../install/source/placements.ts';
import { type InstallableSource, type InstallSource, isPinnedSource } from '../../install/source/source.ts';
import { currentTarget } from '../../install/target.ts';
import { fingerprintOf, type ServerSettings } from '../assignment/settings.ts';
import type { ServerSpec } from '../spec.ts';
import { ownCommand, settingsFor, stampOf, systemProgram } from './system-programs.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns a string for cache keys that identifies everything besides the files on which a server's answers depend.
 * Starts no server: a user's program is identified by path, size and modification time, so that an upgrade changes the
 * identity.
 */
export function serverIdentity(spec: ServerSpec, settings: ServerSettings, env: Env): string {
  const own = ownCommand(settingsFor(spec, settings));
  // Not the version number alone: the server's dependencies count as well.
  const version = own === undefined ? versionOf(spec, settings, env) : stampsOf(own, env).join(' ');
  const options = fingerprintOf([spec.initializationOptions, spec.settings, settings, ...definitionOf(spec)]);
  return [spec.id, version, spec.symbolsVersion, options].join('\0');
}

/** An argument of a user's own server may be the file of the server, which its program runs. */
function definitionOf({ definition, args }: ServerSpec): unknown[] {
  return definition === undefined ? [] : [definition, args.filter((arg) => isAbsolute(arg)).map(stampOf)];
}

function versionOf(spec: ServerSpec, settings: ServerSettings, env: Env): string {
  for (const source of spec.install) {
    const program = systemProgram(spec, source, env);
    const version = program === undefined ? fetchedVersion(spec, source, settings) : stampOf(program.path);
    if (version !== undefined) return version;
  }
  return 'not here';
}

function fetchedVersion(spec: ServerSpec, source: InstallSource, settings: ServerSettings): string | undefined {
  if (source.from === 'attach') return `port ${source.port}`;
  if (!isFetched(source, settings)) return undefined;
  return (isPinnedSource(source) ? pinnedKey(spec.id) : undefined) ?? JSON.stringify(source);
}

/** True if `source` is fetched: for this platform, and unverified only if the user allows it. */
export function isFetched(source: InstallSource, settings: ServerSettings): source is InstallableSource {
  if (source.from === 'archive') return assetFor(source, currentTarget()) !== undefined;
  if (source.from === 'gem' || source.from === 'dotnet') return settings.verify === false;
  return isPinnedSource(source);
}

function stampsOf(command: readonly string[], env: Env): string[] {
  return command.map((part, index) => {
    const path = isAbsolute(part) ? part : index === 0 ? findProgram(part, env) : undefined;
    return (path === undefined ? undefined : stampOf(path)) ?? part;
  });
}
