import { existsSync } from 'node:fs';
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
