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
  const { addToList } = await import('../base/yaml.ts');
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
  const { removeFromList } = await import('../base/yaml.ts');
  await withLock(join(home, 'serena_config.lock'), { timeoutMs: lockTimeoutMs(env) }, async () => {
    const text = readTextIfExists(path);
    if (text !== undefined) writeTextAtomically(path, removeFromList(text, 'projects', root));
  });
}

/**
 * Writes a first `project.yml` into a project's data folder (absolute path) unless there is one. Without `servers`, ids of
 * language servers, the project uses every one that finds files of its own. Returns whether it was written.
 *
 * @throws {ExpectedError} `file.no-permission` where it cannot be written.
 */
export function createProjectFile(folder: string, name: string, servers: readonly string[] = []): boolean {
  const path = join(folder, 'project.yml');
  if (existsSync(path)) return false;
  const text = template('project.yml').replace('"{{ name }}"', () => JSON.stringify(name));
  const listed = `language_servers: [${servers.join(', ')}]`;
  try {
    writeTextAtomically(path, servers.length === 0 ? text : text.replace(/^# language_servers:.*$/m, listed));
  } catch (error) {
    throw new ExpectedError('file.no-permission', `Cannot write \`${path}\`: ${messageOf(error)}`, {
      hints: [`Make \`${folder}\` a directory that you can write`],
      cause: error,
    });
  }
  return true;
}

function template(name: string): string {
  const text = resources[`templates/${name}`];
  if (text === undefined) throw new Error(`The template ${name} is not embedded`);
  return text;
}
