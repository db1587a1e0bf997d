import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { readTextIfExists, writeTextAtomically } from '../base/files.ts';
import { lockTimeoutMs, withLock } from '../base/lock.ts';
import { resources } from '../generated/resources.ts';
import { userConfigPath } from './user-config.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Adds the project at an absolute path to the known ones in the user's configuration, which is made if there is none.
 * Comments and unknown keys stay; several processes may do this at once. Does nothing for a known project.
 *
 * @throws {ExpectedError} `lock.held`; system errors where the file cannot be written.
 */
export async function registerProject(home: string, root: string, env: Env): Promise<void> {
  const path = userConfigPath(home);
  const { addToList } = await import('../base/yaml-edit.ts');
  await withLock(join(home, 'serena_config.lock'), { timeoutMs: lockTimeoutMs(env) }, async () => {
    const text = readTextIfExists(path) ?? template('serena_config.yml');
    const changed = addToList(text, 'projects', root);
    if (changed !== text || !existsSync(path)) writeTextAtomically(path, changed);
  });
}

/**
 * Takes the project at an absolute path from the known ones. Comments and unknown keys stay.
 *
 * @throws as {@link registerProject} does.
 */
export async function forgetProject(home: string, root: string, env: Env): Promise<void> {
  const path = userConfigPath(home);
  const { removeFromList } = await import('../base/yaml-edit.ts');
  await withLock(join(home, 'serena_config.lock'), { timeoutMs: lockTimeoutMs(env) }, async () => {
    const text = readTextIfExists(path);
    if (text !== undefined) writeTextAtomically(path, removeFromList(text, 'projects', root));
  });
}

/** What a first `project.yml` holds. */
export interface FirstProjectConfig {
  readonly name: string;
  /** Ids of language servers, the main one first. */
  readonly servers: readonly string[];
  /** True if the servers that find files of their own are used besides. */
  readonly hasOtherServers: boolean;
}

/** Ids under which `serena-agent` knows language servers, where they differ: it rejects a project with an unknown id. */
const sharedIds: Readonly<Record<string, string>> = { typescript_native: 'typescript_tsgo' };

/**
 * Writes a first `project.yml` into a project's data directory (absolute path) unless there is one.
 *
 * @throws {ExpectedError} `file.no-permission` where it cannot be written.
 */
export function createProjectFile(directory: string, { name, servers, hasOtherServers }: FirstProjectConfig): void {
  const path = projectFile(directory);
  if (existsSync(path)) return;
  const ids = servers.map((id) => sharedIds[id] ?? id);
  const text = template('project.yml')
    .replace('"{{ name }}"', () => JSON.stringify(name))
    .replace(/^language_servers:.*$/m, `language_servers: [${ids.join(', ')}]`)
    .replace(/^other_language_servers:.*$/m, `other_language_servers: ${hasOtherServers}`);
  try {
    writeTextAtomically(path, text);
  } catch (error) {
    throw new ExpectedError('file.no-permission', `Cannot write \`${path}\`: ${messageOf(error)}`, {
      hints: [`Make \`${directory}\` a directory that you can write`],
      cause: error,
    });
  }
}

/** True if there is a `project.yml` in a project's data directory (absolute path). */
export function hasProjectFile(directory: string): boolean {
  return existsSync(projectFile(directory));
}

function projectFile(directory: string): string {
  return join(directory, 'project.yml');
}

function template(name: string): string {
  const text = resources[`templates/${name}`];
  if (text === undefined) throw new Error(`The template ${name} is not embedded`);
  return text;
}
