import { existsSync, statSync } from 'node:fs';
import { basename, delimiter, extname, isAbsolute, join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { assetFor } from '../../install/source/placements.ts';
import type { InstallSource, Runner } from '../../install/source/source.ts';
import { currentTarget } from '../../install/target.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { ServerSpec } from '../spec.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A program on the user's machine; `path` is absolute. */
interface SystemProgram {
  readonly path: string;
  readonly runner: Runner;
}

/**
 * Returns the user's installed program for `source`, or `undefined`. For sources that can be fetched, only if the user
 * prefers installed programs (`SERENA_PREFER=system`).
 */
export function systemProgram(spec: ServerSpec, source: InstallSource, env: Env): SystemProgram | undefined {
  const runner = source.from === 'path' ? (source.runs ?? 'native') : 'native';
  for (const name of namesOf(spec, source, env)) {
    const path = isAbsolute(name) ? existing(name) : findProgram(name, env);
    if (path !== undefined) return { path, runner };
  }
  return undefined;
}

function existing(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

function namesOf(spec: ServerSpec, source: InstallSource, env: Env): readonly string[] {
  if (source.from === 'path') return source.bins;
  if (source.from === 'gem' || source.from === 'dotnet') return [source.bin];
  if (
    source.from === 'attach' ||
    spec.quirks?.ignoresUserProgram ||
    env.SERENA_PREFER?.trim().toLowerCase() !== 'system'
  )
    return [];
  const known = spec.programNames ?? [];
  if (source.from === 'go') return [...known, source.bin];
  if (source.from !== 'archive' || (source.runs ?? 'native') !== 'native') return known;
  const bin = assetFor(source, currentTarget())?.bin;
  return bin === undefined ? known : [...known, basename(bin).replace(/\.exe$/i, '')];
}

/** Returns the ways in which a user can provide a server's program, each as one sentence without a full stop. */
export function waysToInstall({ id, install }: ServerSpec): readonly string[] {
  const ways = install.flatMap((source) => hintOf(source) ?? []);
  const isTool = install.some(({ from }) => from === 'gem' || from === 'dotnet');
  if (isTool) ways.push(`or allow an unverified installation: set \`verify: false\` in \`ls_specific_settings.${id}\``);
  return [...ways, `set \`ls_specific_settings.${id}.ls_path\` to the path of its program`];
}

/** Returns how the user can install `source`, if it is not fetched; a clause without a full stop. */
export function hintOf(source: InstallSource): string | undefined {
  if (source.from === 'gem') return `install Ruby, and run \`gem install ${source.gem} -v ${source.version}\``;
  if (source.from === 'dotnet') {
    return `install the .NET SDK, and run \`dotnet tool install --global ${source.tool} --version ${source.version}\``;
  }
  return 'hint' in source ? source.hint : undefined;
}

/** Returns the command that the user's settings name in place of the server's program, or `undefined`. */
export function ownCommand(settings: ServerSettings): readonly string[] | undefined {
  const path = settings.ls_path ?? settings.ls_jar_path;
  return settings.ls_base_cmd ?? (path === undefined ? undefined : [path]);
}

/**
 * Returns the user's settings that apply to `spec`: without program and arguments if those are for another server of
 * its id.
 */
export function settingsFor(spec: ServerSpec, settings: ServerSettings): ServerSettings {
  if (!spec.quirks?.ignoresUserProgram || ownCommand(settings) === undefined) return settings;
  const { ls_path, ls_jar_path, ls_base_cmd, ls_args, ls_extra_args, ...others } = settings;
  return others;
}

/** Runners for a user's files that are not programs by themselves, by extension. */
const runnersByExtension: Readonly<Record<string, Runner>> = {
  '.cjs': 'js',
  '.js': 'js',
  '.mjs': 'js',
  '.jar': { by: 'java', args: ['-jar', '{program}'] },
  '.phar': { by: 'php' },
  '.dll': { by: 'dotnet' },
};

/** Returns the runner for the user's own `ls_path`. */
export function runnerFor(path: string): Runner {
  return runnersByExtension[extname(path).toLowerCase()] ?? 'native';
}

/** Where to look for the runtimes of servers. */
interface RuntimeScope {
  readonly env: Env;
  readonly settings: ServerSettings;
}

/** Settings that name a Java installation; they take precedence over `JAVA_HOME`. */
const javaHomeKeys = ['java_home', 'ls_java_home_path'];

/**
 * Returns the absolute path of a runtime, such as `node` or `java`. Java is looked for in `JAVA_HOME` first.
 *
 * @throws {ExpectedError} `install.runtime-missing` if it is not found.
 */
export function findRuntime(
  name: string,
  spec: ServerSpec,
  from: RuntimeScope & { readonly hint?: string | undefined },
): string {
  const found = lookForRuntime(name, from);
  if (found !== undefined) return found;
  const hint = spec.requires?.find(({ program }) => program === name)?.hint ?? from.hint ?? `install \`${name}\``;
  throw runtimeMissing(spec, name, [hint, ...(name === 'java' ? ['set `JAVA_HOME` to a Java installation'] : [])]);
}

function lookForRuntime(name: string, { env, settings }: RuntimeScope): string | undefined {
  const named = javaHomeKeys.map((key) => settings[key]).filter((value) => typeof value === 'string');
  const homes = name === 'java' ? [...named, env.JAVA_HOME ?? ''].filter(isAbsolute) : [];
  const path = [...homes.map((home) => join(home, 'bin')), env.PATH ?? env.Path ?? ''].join(delimiter);
  return findProgram(name, { ...env, PATH: path });
}

/** Returns the required programs of a server that are not installed, with hints. */
export function missingRuntimes(spec: ServerSpec, from: RuntimeScope): readonly { program: string; hint: string }[] {
  // If the user has set a path, the server itself reports problems with it.
  const required = (spec.requires ?? []).filter(({ setting }) => !setting || from.settings[setting] === undefined);
  return required.filter(({ program }) => lookForRuntime(program, from) === undefined);
}

/**
 * Checks that the required programs of a server are installed, before anything is fetched in vain.
 *
 * @throws {ExpectedError} `install.runtime-missing` for the first one that is not.
 */
export function requireRuntimes(spec: ServerSpec, from: RuntimeScope): void {
  for (const { program } of missingRuntimes(spec, from)) findRuntime(program, spec, from);
}

function runtimeMissing(spec: ServerSpec, name: string, hints: readonly string[]): ExpectedError {
  return new ExpectedError(
    'install.runtime-missing',
    `${spec.name} needs \`${name}\`, which is not on \`PATH\` and has to be installed manually`,
    { hints: [...hints, `put \`${name}\` on \`PATH\`: the next call looks for it again`] },
  );
}

/** Returns a string that changes when the file at an absolute path is replaced; `undefined` if there is no file. */
export function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${path}:${found.size}:${found.mtimeMs}`;
}
