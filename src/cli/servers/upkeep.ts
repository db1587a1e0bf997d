import { counted } from '../../base/counted.ts';
import { homeDirectory } from '../../base/home.ts';
import { megabytes } from '../../install/failures.ts';
import { embeddedLock, pinnedBlobs, pinnedKey } from '../../install/lock/server-lock.ts';
import { blobName } from '../../install/store/blobs.ts';
import { collectGarbage, listInstallations, removeInstallation } from '../../install/store/installations.ts';
import { serverDirectories } from '../../install/store/layout.ts';
import { verifyAll } from '../../install/store/verify.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLines } from '../output.ts';
import { withProgress } from '../progress.ts';
import { exitCodes } from '../report.ts';
import { serversNamed } from './choice.ts';

/**
 * Verifies blobs and installations against their hashes. Returns the exit code: failed if one differs.
 */
export async function verifyServers(
  flags: { readonly deep?: boolean; readonly json?: boolean },
  environment: Environment,
): Promise<number> {
  const verdicts = await withProgress(environment, {}, ({ home, env, signal, report }) =>
    verifyAll({ home, env, signal, isDeep: flags.deep === true, onProgress: (message) => report({ message }) }),
  );
  const bad = verdicts.filter(({ problem }) => problem !== undefined);
  if (flags.json) printJson({ looked: verdicts, problems: bad.length });
  else {
    const count = (kind: string) => verdicts.filter((verdict) => verdict.kind === kind).length;
    const notes = verdicts.flatMap(({ path, note }) => (note === undefined ? [] : [`Not verified: ${path}: ${note}`]));
    const problems = bad.map(({ path, problem }) => `PROBLEM  ${path}: ${problem}`);
    printLines([
      ...notes,
      ...problems,
      `${counted(count('installation'), 'installation')}, ${counted(count('blob'), 'blob')}, ${counted(bad.length, 'problem')}`,
    ]);
    if (bad.length > 0)
      ownCaller.report('hint: remove what is broken, then run `serena servers install` or `unpack` again\n');
  }
  return bad.length > 0 ? exitCodes.failed : exitCodes.ok;
}

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

/** Options of `servers gc`. */
export interface GcFlags {
  readonly keepDays: number;
  readonly blobs?: boolean;
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * Removes unused files from the home directory; see `collectGarbage()`.
 *
 * @throws {ExpectedError} `install.home-unusable`.
 */
export async function collectServerGarbage(flags: GcFlags, { env }: Environment): Promise<void> {
  const pinned = new Set([...pinnedBlobs(embeddedLock()).keys()].map(blobName));
  const { removed, inUse } = await collectGarbage({
    home: homeDirectory(env),
    isCurrent: ({ id, key }) => pinnedKey(id) === key,
    isPinned: (name) => pinned.has(name),
    keepDays: flags.keepDays,
    isAll: flags.all === true,
    isBlobs: flags.blobs === true,
    isDryRun: flags.dryRun === true,
  });
  const freedBytes = removed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (flags.json) return printJson({ removed, inUse, freedBytes, isDryRun: flags.dryRun === true });
  const verb = flags.dryRun ? 'Would remove' : 'Removed';
  printLines([
    ...removed.map(({ path, sizeBytes }) => `${verb} ${path} (${megabytes(sizeBytes)})`),
    ...inUse.map((path) => `Kept ${path}, which is in use by a process`),
    `${flags.dryRun ? 'That would free' : 'Freed'} ${megabytes(freedBytes)}`,
  ]);
}
