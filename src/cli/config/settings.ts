import { homeDirectory, requireUsableHome } from '../../base/home.ts';
import { nearestHint } from '../../base/nearest.ts';
import { changeSetting, type SettingsFile, settingsPath, unsetSetting } from '../../config/change-setting.ts';
import { editUserConfig } from '../../config/edit-user-config.ts';
import {
  type EffectiveConfig,
  type EffectiveSetting,
  effectiveConfig,
  withoutSecrets,
} from '../../config/effective-config.ts';
import { resolveProject } from '../../config/known-projects.ts';
import { loadUserConfig, userConfigPath } from '../../config/user-config.ts';
import { projectSettingsFile } from '../../session/known-projects.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';
import { usageError } from '../report.ts';
import { edit } from './own-files.ts';

/** Flags that select a configuration file; without any it is the user's. */
export interface FileFlags {
  /** A directory, or the name of a known project. */
  readonly project?: string;
  readonly local?: boolean;
}

/**
 * Writes the effective value of a setting to stdout, a text as it is and other values as JSON, and its origin to stderr.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown key; `config.invalid`, `project.*`.
 */
export async function getSetting(key: string, flags: ConfigShowFlags, environment: Environment): Promise<void> {
  const config = await shownConfig(flags.project, environment);
  const setting = settingAt(config, key);
  if (flags.json) return printJson({ ...setting, key });
  ownCaller.print(`${textOf(setting.value)}\n`);
  ownCaller.report(`${originOf(setting, config)}\n`);
}

/**
 * Changes a setting in the selected file, and reports to stderr if the change has no effect there.
 *
 * @throws {ExpectedError} as `changeSetting()`; `usage.invalid` for `--local` without a project; `project.*`.
 */
export async function setSetting(key: string, text: string, flags: FileFlags, environment: Environment): Promise<void> {
  const home = homeDirectory(environment.env);
  requireUsableHome(home);
  const file = await selectedFile(flags, home, environment);
  const value = await changeSetting(file, { path: key.split('.'), text }, { home, env: environment.env });
  ownCaller.print(`Set ${key} to ${JSON.stringify(value)} in ${settingsPath(file, home)}\n`);
  const config = await shownConfig(flags.project, environment);
  const effective = settingAt(config, key);
  const isOverridden = value !== null && !effective.from.includes(file.of);
  if (isOverridden || effective.note !== undefined) {
    ownCaller.report(`It has no effect: ${textOf(effective.value)} is used, ${originOf(effective, config)}\n`);
  }
}

/**
 * Removes a setting from the selected file, and reports to stderr which value is used now.
 *
 * @throws {ExpectedError} as {@link setSetting}.
 */
export async function removeSetting(key: string, flags: FileFlags, environment: Environment): Promise<void> {
  const home = homeDirectory(environment.env);
  requireUsableHome(home);
  const file = await selectedFile(flags, home, environment);
  const isRemoved = await unsetSetting(file, key.split('.'), { home, env: environment.env });
  const path = settingsPath(file, home);
  ownCaller.print(isRemoved ? `Removed ${key} from ${path}\n` : `${path} does not set ${key}\n`);
  const config = await shownConfig(flags.project, environment);
  if (!config.settings.some((setting) => setting.key === key.split('.')[0])) return;
  const effective = settingAt(config, key);
  ownCaller.report(`${textOf(effective.value)} is used, ${originOf(effective, config)}\n`);
}

/** Writes the absolute path of the selected file to stdout, even if the file does not exist. @throws as {@link setSetting}. */
export async function printPath(flags: FileFlags, environment: Environment): Promise<void> {
  const home = homeDirectory(environment.env);
  ownCaller.print(`${settingsPath(await selectedFile(flags, home, environment), home)}\n`);
}

async function selectedFile(
  { project, local }: FileFlags,
  home: string,
  { cwd, workerUrl }: Environment,
): Promise<SettingsFile> {
  if (project === undefined) {
    if (local !== true) return { of: 'user' };
    throw usageError('`--local` needs a project', ['pass `--project <name-or-path>` as well']);
  }
  const user = await loadUserConfig(home);
  const root = await resolveProject(project, user, cwd);
  return projectSettingsFile(local === true ? 'local' : 'project', root, { home, user, workerUrl });
}

/** Returns the setting at a key, or at a key of its map, which has the origins of the map. */
function settingAt({ settings }: EffectiveConfig, key: string): EffectiveSetting {
  const [top = '', ...rest] = key.split('.');
  const setting = settings.find((candidate) => candidate.key === top);
  if (setting === undefined) {
    const keys = settings.map((candidate) => candidate.key);
    throw usageError(`there is no setting \`${top}\``, [nearestHint(top, keys)]);
  }
  return { ...setting, value: rest.reduce(valueIn, setting.value) };
}

function valueIn(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function originOf({ from, note }: EffectiveSetting, { files }: EffectiveConfig): string {
  const origins = from.map((source) => (source === 'default' ? 'the default' : (files[source]?.path ?? source)));
  return `from ${origins.join(' and ')}${note === undefined ? '' : ` (${note})`}`;
}

export interface ConfigShowFlags {
  readonly project?: string;
  readonly json?: boolean;
}

/**
 * Writes each effective setting and its source to stdout, including those of a project if `flags` name one.
 *
 * @throws {ExpectedError} `config.invalid`, `project.not-found`, `project.ambiguous`.
 */
export async function showConfig(flags: ConfigShowFlags, environment: Environment): Promise<void> {
  const config = await shownConfig(flags.project, environment);
  if (flags.json) printJson(asJson(config));
  else ownCaller.print(asLines(config));
}

/**
 * Returns all settings without secrets, including those of a project if one is given.
 *
 * @throws as {@link showConfig}.
 */
async function shownConfig(project: string | undefined, { env, cwd }: Environment): Promise<EffectiveConfig> {
  const home = homeDirectory(env);
  const root = project === undefined ? undefined : await resolveProject(project, await loadUserConfig(home), cwd);
  return withoutSecrets(await effectiveConfig(home, root));
}

function asJson({ files, project, settings }: EffectiveConfig) {
  return {
    files,
    project: project ? { name: project.name, root: project.root, trusted: project.isTrusted } : null,
    settings,
  };
}

function asLines({ files, project, settings }: EffectiveConfig): string {
  const fileLines = Object.entries(files).map(
    ([source, { path, exists }]) => `${source.padEnd(8)} ${path}${exists ? '' : ' (does not exist)'}`,
  );
  const subject = project && `Project ${project.name} at ${project.root}, ${project.isTrusted ? '' : 'not '}trusted`;
  const width = Math.max(...settings.map(({ key }) => key.length));
  const rows = settings.map(({ key, value, from, note }) => {
    const suffix = note === undefined ? '' : ` (${note})`;
    return `${key.padEnd(width)}  ${JSON.stringify(value)}  <- ${from.join(' + ')}${suffix}`;
  });
  return `${[...(subject ? [subject, ''] : []), ...fileLines, '', ...rows].join('\n')}\n`;
}

/**
 * Opens the user's configuration in an editor, creating it if it does not exist. Returns the exit code.
 *
 * @throws {ExpectedError} `install.home-unusable`, `lock.held`.
 */
export async function editConfiguration(environment: Environment): Promise<number> {
  const home = homeDirectory(environment.env);
  requireUsableHome(home);
  // A file that cannot be parsed can still be edited.
  await editUserConfig(home, environment.env, (text) => text);
  return await edit(userConfigPath(home), environment);
}
