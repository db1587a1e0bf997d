import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileBehindLinks, readUtf8IfExists, writeTextAtomically } from '../base/files.ts';
import { homePaths } from '../base/home.ts';
import { lockTimeoutMs, withLock } from '../base/lock.ts';
import { resources } from '../generated/resources.ts';
import { userConfigPath } from './user-config.ts';

/**
 * Replaces the text of the user's configuration by the result of `change`, which gets the template if there is no file.
 * Several processes may do this at the same time. Returns true if the file existed before.
 *
 * @throws {ExpectedError} `lock.held`; `file.undecodable`; `file.no-permission`, `file.no-space` or `file.not-written` if the file cannot be written.
 */
export async function editUserConfig(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  change: (text: string) => string | Promise<string>,
): Promise<boolean> {
  const path = userConfigPath(home);
  return await withLock(homePaths(home).configLock, { timeoutMs: lockTimeoutMs(env) }, async () => {
    const existed = existsSync(path);
    const text = readUtf8IfExists(path) ?? resources['templates/serena_config.yml'] ?? '';
    const changed = await change(text);
    if (!existed || changed !== text) writeTextAtomically(fileBehindLinks(path), changed);
    return existed;
  });
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Adds the project at `root` (absolute) to the known projects in the user's configuration, which is created if it is
 * missing. Keeps comments and unknown keys. Several processes may do this at the same time. Does nothing for a known
 * project.
 *
 * @throws {ExpectedError} `lock.held`; `file.undecodable`; `file.no-permission`, `file.no-space` or `file.not-written` if the file cannot be written.
 */
export async function registerProject(home: string, root: string, env: Env): Promise<void> {
  const { addToList } = await import('../base/yaml-edit.ts');
  await editUserConfig(home, env, (text) => addToList(text, 'projects', root));
}

/**
 * Removes the project at `root` (absolute) from the known projects. Keeps comments and unknown keys.
 *
 * @throws like {@link registerProject}.
 */
export async function forgetProject(home: string, root: string, env: Env): Promise<void> {
  const path = userConfigPath(home);
  const { removeFromList } = await import('../base/yaml-edit.ts');
  await withLock(homePaths(home).configLock, { timeoutMs: lockTimeoutMs(env) }, async () => {
    const text = readUtf8IfExists(path);
    if (text !== undefined) writeTextAtomically(fileBehindLinks(path), removeFromList(text, 'projects', root));
  });
}

interface FirstSettings {
  readonly name: string;
  /** Ids of language servers, the main server first. */
  readonly servers: readonly string[];
  /** True if other servers that have files in the project are used as well. */
  readonly hasOtherServers: boolean;
}

/** Ids of language servers that differ in `serena-agent`, which rejects a project with an unknown id. */
const sharedIds: Readonly<Record<string, string>> = { typescript_native: 'typescript_tsgo' };

/** Returns the text of a new `project.yml`. */
export function firstProjectText({ name, servers, hasOtherServers }: FirstSettings): string {
  const ids = servers.map((id) => sharedIds[id] ?? id);
  return template('project.yml')
    .replace('"{{ name }}"', () => JSON.stringify(name))
    .replace(/^language_servers:.*$/m, `language_servers: [${ids.join(', ')}]`)
    .replace(/^other_language_servers:.*$/m, `other_language_servers: ${hasOtherServers}`);
}

/**
 * Writes a configuration file of a project into its data directory (absolute path). A new file gets a `.gitignore` for
 * caches and local settings beside it.
 *
 * @throws {ExpectedError} `file.no-permission`, `file.no-space` or `file.not-written` if it cannot be written.
 */
export function writeProjectFile(directory: string, name: 'project.yml' | 'project.local.yml', text: string): void {
  const path = join(directory, name);
  const ignoreFile = join(directory, '.gitignore');
  if (!existsSync(path) && !existsSync(ignoreFile)) {
    writeTextAtomically(ignoreFile, '/cache\n/project.local.yml\n');
  }
  writeTextAtomically(path, text);
}

/** True if there is a `project.yml` in a project's data directory (absolute path). */
export function hasProjectFile(directory: string): boolean {
  return existsSync(join(directory, 'project.yml'));
}

function template(name: string): string {
  const text = resources[`templates/${name}`];
  if (text === undefined) throw new Error(`The template ${name} is not embedded`);
  return text;
}
