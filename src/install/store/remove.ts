import { renameSync, rmSync } from 'node:fs';
import { isExpected } from '../../base/errors.ts';
import { withLock } from '../../base/lock.ts';
import type { InstallationDirectory } from './installations.ts';
import { prepareDirectories } from './layout.ts';
import { stagingDirectory } from './staging.ts';
import { useLockPath } from './use.ts';

/**
 * Removes an installation below SERENA_HOME, atomically for other processes. Returns false if a process is using it; it
 * then stays.
 *
 * @throws {ExpectedError} `install.home-unusable`; system errors of renaming.
 */
export async function removeInstallation(
  home: string,
  { id, key, directory }: InstallationDirectory,
): Promise<boolean> {
  const { staging } = prepareDirectories(home);
  try {
    const discarded = await withLock(useLockPath(home, id, key), { timeoutMs: 0 }, async () => {
      const path = stagingDirectory(staging);
      renameSync(directory, path);
      return path;
    });
    rmSync(discarded, { recursive: true, force: true, maxRetries: 5 });
    return true;
  } catch (error) {
    if (isExpected(error, 'lock.held')) return false;
    throw error;
  }
}
