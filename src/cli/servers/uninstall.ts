import { homeDirectory } from '../../base/home.ts';
import { listInstallations } from '../../install/store/installations.ts';
import { serverDirectories } from '../../install/store/layout.ts';
import { removeInstallation } from '../../install/store/remove.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { serversNamed } from './named.ts';
import { printJson, printLines } from './work.ts';

/**
 * Removes all versions of the named servers from the home directory. Returns the exit code: failed if one is in use.
 *
 * @throws {ExpectedError} `usage.invalid`; `install.home-unusable`.
 */
export async function uninstallServers(
  words: readonly string[],
  flags: { readonly json?: boolean },
  { env }: Environment,
): Promise<number> {
  const { removed, inUse, absent } = await removeVersions(words, homeDirectory(env));
  if (flags.json) printJson({ removed, inUse, absent });
  else printLines([...removed.map((path) => `Removed ${path}`), ...absent.map((id) => `${id} is not installed`)]);
  for (const path of inUse) ownCaller.report(`In use by a process: ${path}\n`);
  if (inUse.length > 0) ownCaller.report('\nhint: stop the clients that use it, then retry\n');
  return inUse.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/** What happened to the installations of some servers: directories (absolute), and ids of servers without one. */
interface Removal {
  readonly removed: readonly string[];
  readonly inUse: readonly string[];
  readonly absent: readonly string[];
}

/** Removes all versions of the named servers. @throws {ExpectedError} `usage.invalid`; `install.home-unusable`. */
export async function removeVersions(words: readonly string[], home: string): Promise<Removal> {
  const ids = serversNamed(words).map(({ id }) => id);
  const found = listInstallations(serverDirectories(home).root).filter(({ id }) => ids.includes(id));
  const removed: string[] = [];
  const inUse: string[] = [];
  for (const installation of found) {
    const isGone = await removeInstallation(home, installation);
    (isGone ? removed : inUse).push(installation.directory);
  }
  const absent = ids.filter((id) => !found.some((installation) => installation.id === id));
  return { removed, inUse, absent };
}
