import { statSync } from 'node:fs';
import { basename, delimiter, extname, isAbsolute, join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { assetFor } from '../../install/source/placements.ts';
import type { InstallSource, Runner } from '../../install/source/source.ts';
import { currentTarget } from '../../install/target.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { ServerSpec } from '../catalog/spec.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A program on the user's machine, absolute, with how it is run. */
export interface SystemProgram {
  readonly path: string;
  readonly runner: Runner;
}

/**
 * Returns the program that `source` stands for on the user's machine, or `undefined`. Sources that we fetch stand for one only
 * where the user prefers their own (`SERENA_PREFER=system`).
 */
export function systemProgram(spec: ServerSpec, source: InstallSource, env: Env): SystemProgram | undefined {
  const runner = source.from === 'path' ? (source.runs ?? 'native') : 'native';
  for (const name of namesOf(spec, source, env)) {
    const path = findProgram(name, env);
    if (path !== undefined) return { path, runner };
  }
  return undefined;
}

function namesOf(spec: ServerSpec, source: InstallSource, env: Env): readonly string[] {
  if (source.from === 'path') return source.bins;
  if (source.from === 'gem' || source.from === 'dotnet') return [source.bin];
  if (source.from === 'attach' || spec.ignoresUserProgram || env.SERENA_PREFER?.trim().toLowerCase() !== 'system')
    return [];
  const known = spec.programNames ?? [];
  if (source.from === 'go') return [...known, source.bin];
  if (source.from !== 'archive' || (source.runs ?? 'native') !== 'native') return known;
  const bin = assetFor(source, currentTarget())?.bin;
  return bin === undefined ? known : [...known, basename(bin).replace(/\.exe$/i, '')];
}

/** Returns the ways for a user to provide a server's program, each as one sentence without a full stop. */
export function waysToInstall({ id, install }: ServerSpec): readonly string[] {
  const ways = install.flatMap((source) => hintOf(source) ?? []);
  const isTool = install.some(({ from }) => from === 'gem' || from === 'dotnet');
  if (isTool) ways.push(`Or let it be installed unverified: \`verify: false\` below \`ls_specific_settings.${id}\``);
  return [...ways, `Name its program with \`ls_specific_settings.${id}.ls_path\``];
}

/** Returns how to get what `source` stands for where we do not fetch it, as one sentence without a full stop. */
export function hintOf(source: InstallSource): string | undefined {
  if (source.from === 'gem') return `Install Ruby, and run \`gem install ${source.gem} -v ${source.version}\``;
  if (source.from === 'dotnet') {
    return `Install the .NET SDK, and run \`dotnet tool install --global ${source.tool} --version ${source.version}\``;
  }
  return 'hint' in source ? source.hint : undefined;
}

/** Returns the command that a user's settings name in place of the program of their server, or `undefined`. */
export function ownCommand(settings: ServerSettings): readonly string[] | undefined {
  const path = settings.ls_path ?? settings.ls_jar_path;
  return settings.ls_base_cmd ?? (path === undefined ? undefined : [path]);
}

/** Returns what of a user's settings counts for `spec`: where another server of its id takes the user's program, the rest. */
export function settingsFor(spec: ServerSpec, settings: ServerSettings): ServerSettings {
  if (!spec.ignoresUserProgram || ownCommand(settings) === undefined) return settings;
  const { ls_path, ls_jar_path, ls_base_cmd, ls_args, ls_extra_args, ...others } = settings;
  return others;
}

/** How a file of a user is run that is no program by itself, by the end of its name. */
const runnersBySuffix: Readonly<Record<string, Runner>> = {
  '.cjs': 'js',
  '.js': 'js',
  '.mjs': 'js',
  '.jar': { by: 'java', args: ['-jar', '{program}'] },
  '.phar': { by: 'php' },
  '.dll': { by: 'dotnet' },
};

/** Returns how the user's own `ls_path` is run. */
export function runnerFor(path: string): Runner {
  return runnersBySuffix[extname(path).toLowerCase()] ?? 'native';
}

/** Where programs are looked for that servers are run by. */
interface RuntimePlaces {
  readonly env: Env;
  readonly settings: ServerSettings;
}

/** Settings that name a Java installation, before `JAVA_HOME`. */
const javaHomeKeys = ['java_home', 'ls_java_home_path'];

/**
 * Returns the absolute path of a program that servers are run by. Java is looked for in `JAVA_HOME` first.
 *
 * @throws {ExpectedError} `install.runtime-missing` where there is none.
 */
export function findRuntime(
  name: string,
  spec: ServerSpec,
  from: RuntimePlaces & { readonly hint?: string | undefined },
): string {
  const found = lookForRuntime(name, from);
  if (found !== undefined) return found;
  const hint = spec.requires?.find(({ program }) => program === name)?.hint ?? from.hint ?? `Install \`${name}\``;
  throw runtimeMissing(spec, name, [hint, ...(name === 'java' ? ['Set `JAVA_HOME` to a Java installation'] : [])]);
}

function lookForRuntime(name: string, { env, settings }: RuntimePlaces): string | undefined {
  const named = javaHomeKeys.map((key) => settings[key]).filter((value) => typeof value === 'string');
  const homes = name === 'java' ? [...named, env.JAVA_HOME ?? ''].filter(isAbsolute) : [];
  const path = [...homes.map((home) => join(home, 'bin')), env.PATH ?? env.Path ?? ''].join(delimiter);
  return findProgram(name, { ...env, PATH: path });
}

/** Returns the programs that a server does not work without and that are not there, with how to get them. */
export function missingRuntimes(spec: ServerSpec, from: RuntimePlaces): readonly { program: string; hint: string }[] {
  // Where its user names a place, the server itself says what is wrong with it.
  const looked = (spec.requires ?? []).filter(({ setting }) => !setting || from.settings[setting] === undefined);
  return looked.filter(({ program }) => lookForRuntime(program, from) === undefined);
}

/**
 * Makes sure that the programs are there which a server does not work without: before anything is fetched in vain.
 *
 * @throws {ExpectedError} `install.runtime-missing` naming the first that is not.
 */
export function requireRuntimes(spec: ServerSpec, from: RuntimePlaces): void {
  for (const { program } of missingRuntimes(spec, from)) findRuntime(program, spec, from);
}

function runtimeMissing(spec: ServerSpec, name: string, hints: readonly string[]): ExpectedError {
  return new ExpectedError(
    'install.runtime-missing',
    `${spec.name} needs \`${name}\`, which is not on \`PATH\` and has to be installed by hand`,
    { hints: [...hints, `Put \`${name}\` on \`PATH\`: it is looked for again with the next question`] },
  );
}

/** Returns a text that changes when the file at an absolute path is replaced, or `undefined` where there is none. */
export function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${path}:${found.size}:${found.mtimeMs}`;
}
