import { statSync } from 'node:fs';
import { counted } from '../../base/counted.ts';
import { isExpected, messageOf } from '../../base/errors.ts';
import { homeDirectory } from '../../base/home.ts';
import { ownValue } from '../../base/own-value.ts';
import { megabytes } from '../../install/failures.ts';
import { fetchBlob, requireNetwork } from '../../install/fetch/fetch.ts';
import { ensureInstalled, type InstalledServer } from '../../install/install.ts';
import { embeddedLock, pinnedBlobs, pinnedKey } from '../../install/lock/server-lock.ts';
import type { Artifact } from '../../install/source/artifact.ts';
import { artifactsOf, missingArtifacts } from '../../install/source/plan.ts';
import { blobName } from '../../install/store/blobs.ts';
import { collectGarbage, listInstallations, removeInstallation } from '../../install/store/installations.ts';
import { serverDirectories } from '../../install/store/layout.ts';
import { verifyAll } from '../../install/store/receipt.ts';
import { parseServerSettings, type ServerSettings } from '../../servers/assignment/settings.ts';
import { installRequest } from '../../servers/runtime/resolve.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLines } from '../output.ts';
import { type Work, withProgress } from '../progress.ts';
import { exitCodes } from '../report.ts';
import { loadUser } from '../user.ts';
import {
  type ChoiceFlags,
  chooseServers,
  plansOf,
  platformsNamed,
  requireInstallable,
  serversNamed,
} from './choice.ts';

/** Options of `servers install`. */
export interface InstallFlags extends ChoiceFlags {
  readonly json?: boolean;
}

/**
 * Installs servers one after the other. Reports progress on stderr and the directory of each server on stdout, as soon as
 * it is installed. Failures of servers that were not named are reported at the end. Returns the exit code.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown name, before any download; `install.*` for a named server.
 */
export async function installServers(
  words: readonly string[],
  flags: InstallFlags,
  environment: Environment,
): Promise<number> {
  const { specs, isNamed } = await chooseServers(words, flags, environment);
  const { user } = await loadUser(environment.env);
  const installed: InstalledServer[] = [];
  const failed: { readonly id: string; readonly reason: string }[] = [];
  for (const [index, spec] of specs.entries()) {
    const step = specs.length === 1 ? undefined : `${index + 1} of ${specs.length}`;
    await withProgress(environment, { step }, async (work) => {
      try {
        const settings = parseServerSettings(ownValue(user.ls_specific_settings, spec.id));
        installed.push(await installServer(spec, work, settings));
      } catch (error) {
        work.signal.throwIfAborted();
        if (isNamed || !isExpected(error)) throw error;
        failed.push({ id: spec.id, reason: messageOf(error) });
      }
    });
    const server = installed.at(-1);
    if (!flags.json && server?.id === spec.id) printLines([`${server.id} ${server.version} ${server.directory}`]);
  }
  if (flags.json) printJson({ installed, failed });
  for (const { reason } of failed) ownCaller.report(`${reason}\n`);
  if (specs.length === 0) ownCaller.report('No language server covers any file of the project\n');
  return failed.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/**
 * Installs one server, in the version that the user's settings specify.
 *
 * @throws {ExpectedError} `install.*`.
 */
export function installServer(
  spec: ServerSpec,
  { home, env, signal, report }: Work,
  settings: ServerSettings = {},
): Promise<InstalledServer> {
  const call = { signal, progress: () => undefined };
  const request = installRequest(spec, requireInstallable(spec), { place: { home, env }, call, settings });
  return ensureInstalled({ ...request, onProgress: report, isUsed: false });
}

/** Options of `servers prefetch`. */
export interface PrefetchFlags extends ChoiceFlags {
  readonly platform?: string;
  readonly json?: boolean;
}

/**
 * Downloads the artifacts of servers without installing them. Returns the exit code.
 *
 * @throws {ExpectedError} `usage.invalid`; `install.*`.
 */
export async function prefetchServers(
  words: readonly string[],
  flags: PrefetchFlags,
  environment: Environment,
): Promise<number> {
  const targets = platformsNamed(flags.platform);
  const { plans, left } = plansOf(await chooseServers(words, flags, environment), targets);
  const artifacts = artifactsOf(plans);
  const blobs = await withProgress(environment, {}, async (work) => {
    const obtain = obtainer(artifacts, work);
    const found: { title: string; integrity: string; path: string; sizeBytes: number }[] = [];
    for (const artifact of artifacts) {
      const path = await obtain(artifact);
      const { title, integrity } = artifact;
      found.push({ title, integrity, path, sizeBytes: statSync(path).size });
    }
    return found;
  });
  if (flags.json) printJson({ blobs, left });
  else {
    const sum = blobs.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
    printLines([`${counted(blobs.length, 'file')} available locally (${megabytes(sum)})`]);
  }
  for (const { reason } of left) ownCaller.report(`Left out: ${reason}\n`);
  return exitCodes.ok;
}

/**
 * Returns a function that provides the path of each artifact, downloading it if necessary, and reports progress. If the
 * user forbids connections, all missing artifacts are listed before any work.
 *
 * @throws {ExpectedError} `install.download-failed`; the returned function throws `install.*`.
 */
export function obtainer(artifacts: readonly Artifact[], work: Work): (artifact: Artifact) => Promise<string> {
  const missing = missingArtifacts(artifacts, work);
  if (missing.length > 0) requireNetwork(missing, work);
  const { home, env, signal } = work;
  let index = 0;
  return (artifact) => {
    index++;
    const counter = artifacts.length === 1 ? '' : `${index} of ${artifacts.length}: `;
    return fetchBlob(artifact, {
      ...{ home, env, signal },
      report: (progress) => work.report({ ...progress, message: `${counter}${progress.message}` }),
    });
  };
}

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
      ownCaller.report('hint: remove the broken files, then run `serena servers install` or `unpack` again\n');
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

/** Result of removing servers: absolute directories of installations, and ids of servers that are not installed. */
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
