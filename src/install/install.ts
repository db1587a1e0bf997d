import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { homeUnusable } from '../base/home.ts';
import { type LockOwner, lockTimeoutMs, withLock } from '../base/lock.ts';
import { log } from '../base/log.ts';
import { writeFailure } from './failures.ts';
import type { DownloadTiming } from './fetch/download.ts';
import type { InstallJob, InstallProgress } from './fetch/job.ts';
import { type Installation, installationOf } from './installation.ts';
import type { ServerLock } from './lock/server-lock.ts';
import type { InstallableSource } from './source/source.ts';
import type { VersionChoice } from './source/version-choice.ts';
import { holdInstallation } from './store/installations.ts';
import {
  installationDirectory,
  prepareDirectories,
  type ServerDirectories,
  serverDirectories,
  storeDirectories,
} from './store/layout.ts';
import { isComplete, writeFileList, writeReceipt } from './store/receipt.ts';
import { promote, stagingDirectory } from './store/staging.ts';
import { targetName } from './target.ts';

export interface InstallRequest {
  readonly id: string;
  readonly source: InstallableSource;
  /** Absolute path of SERENA_HOME, see `homeDirectory()`. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  onProgress?(progress: InstallProgress): void;
  /** Replaces the lock embedded in this program. */
  readonly lock?: ServerLock | undefined;
  /** A version other than the pinned one, from the user's settings. */
  readonly choice?: VersionChoice | undefined;
  /** True if the user accepts software that cannot be verified; gems and .NET tools are installed only then. */
  readonly allowsUnverified?: boolean | undefined;
  /** False if this process will not run the server, so that the installation may be removed at any time. */
  readonly isUsed?: boolean | undefined;
  /** Replaces the default timing; for tests. */
  readonly timing?: DownloadTiming | undefined;
}

/** A complete installation. Paths are absolute. */
export interface InstalledServer {
  readonly id: string;
  readonly version: string;
  /** Changes with every byte of the installation, so caches use it as part of their keys. */
  readonly key: string;
  readonly directory: string;
  /** The entry script or binary. */
  readonly program: string;
}

// Ten times a second looks smooth.
const reportMs = 100;

/**
 * Returns the installation of a server, in the pinned version or the one that the user chose, if it exists in a store
 * of `SERENA_STORE` or below SERENA_HOME. Reads one small file per candidate directory and downloads nothing.
 *
 * @throws {ExpectedError} `install.not-pinned`; `install.home-unusable` if SERENA_HOME cannot be read.
 */
export function findInstalled(request: InstallRequest): InstalledServer | undefined {
  return find(request, installationOf(request));
}

/**
 * Returns the installation of a server, and installs it first if it exists nowhere. After a failure or cancellation the
 * installation is either complete or absent. Of several concurrent processes only one does the work.
 *
 * @throws {ExpectedError} any `install.*` code; the signal's reason once it aborts.
 */
export async function ensureInstalled(request: InstallRequest): Promise<InstalledServer> {
  const plan = installationOf(request);
  const installed = find(request, plan) ?? (await installLocked(request, plan));
  if (request.isUsed === false) return installed;
  await holdInstallation(request.home, installed);
  // Another process may have removed it just before the lock was held. With the lock held, a new one is not removed.
  return find(request, plan) ?? (await installLocked(request, plan));
}

function installLocked(request: InstallRequest, plan: Installation): Promise<InstalledServer> {
  const { title } = plan;
  const directory = installationDirectory(serverDirectories(request.home).root, request.id, plan.directoryName);
  const directories = prepareDirectories(request.home);
  const lockOptions = {
    timeoutMs: lockTimeoutMs(request.env),
    signal: request.signal,
    namesOwner: true,
    onWait: ({ pid }: LockOwner) => {
      const owner = pid === undefined ? 'another process' : `process ${pid}`;
      request.onProgress?.({ message: `Waiting for ${owner}, which is installing ${title}` });
    },
  };
  return withLock(join(directories.locks, `${request.id}-${plan.key}.lock`), lockOptions, async () => {
    // Another process may have finished it while this one waited.
    return find(request, plan) ?? (await install(request, plan, { directories, directory, title }));
  });
}

async function install(
  request: InstallRequest,
  plan: Installation,
  { directories, directory, title }: { directories: ServerDirectories; directory: string; title: string },
): Promise<InstalledServer> {
  const own = stagingDirectory(directories.staging);
  const job: InstallJob = {
    id: request.id,
    title,
    home: request.home,
    staging: join(own, 'files'),
    scratch: join(own, 'scratch'),
    directory,
    env: request.env,
    signal: request.signal ?? new AbortController().signal,
    timing: request.timing,
    report: throttled((progress) => request.onProgress?.(progress)),
  };
  try {
    // 1. Create the staging directories.
    mkdirSync(job.staging, { recursive: true });
    mkdirSync(job.scratch);
    // 2. Fetch, verify and unpack.
    await plan.assemble(job);
    await writeFileList(job.staging, job.signal);
    // 3. Mark it as complete, and 4. move it into place atomically.
    writeReceipt(job.staging, receiptOf(request.id, plan));
    mkdirSync(dirname(directory), { recursive: true });
    await promote(job.staging, directory, { isComplete: () => isComplete(directory, plan), signal: job.signal });
    log('install').info(`Installed ${title} to \`${directory}\``);
    return installedAt(directory, request.id, plan);
  } catch (error) {
    throw writeFailure(error, job);
  } finally {
    rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  }
}

function find({ id, home, env }: InstallRequest, plan: Installation): InstalledServer | undefined {
  const roots = [
    ...storeDirectories(env).map((root) => ({ root, isStore: true })),
    { root: serverDirectories(home).root, isStore: false },
  ];
  for (const { root, isStore } of roots) {
    const directory = installationDirectory(root, id, plan.directoryName);
    try {
      if (!isComplete(directory, plan)) continue;
    } catch (error) {
      if (!isStore) throw homeUnusable(home, error);
      log('install').warn(`cannot read \`${directory}\` of \`SERENA_STORE\`: ${messageOf(error)}`);
      continue;
    }
    return installedAt(directory, id, plan);
  }
  return undefined;
}

function installedAt(directory: string, id: string, { version, key, program }: Installation): InstalledServer {
  return { id, version, key, directory, program: join(directory, program) };
}

function receiptOf(id: string, { version, key, program, contents, target }: Installation) {
  return { id, version, key, program, contents, target: targetName(target), installedAt: new Date().toISOString() };
}

/** Drops reports that repeat the last message within 100 ms, because some listeners send every report to a client. */
function throttled(report: (progress: InstallProgress) => void): (progress: InstallProgress) => void {
  let last = { message: '', atMs: 0 };
  return (progress) => {
    const atMs = performance.now();
    const { message, done, total } = progress;
    if (message === last.message && done !== total && atMs - last.atMs < reportMs) return;
    last = { message, atMs };
    report(progress);
  };
}
