import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type InstallationDirectory, lastUsedMs, listInstallations, namesIn, sizeOf } from './installations.ts';
import { serverDirectories } from './layout.ts';
import { removeInstallation } from './remove.ts';
import { abandonedDirectories } from './staging.ts';

/** A request to remove unused files below SERENA_HOME. */
export interface GcRequest {
  readonly home: string;
  /** True if this program would use the installation. */
  isCurrent(installation: InstallationDirectory): boolean;
  /** True if this program pins the blob of this name, such as `sha512/<hex>`. */
  isPinned(blob: string): boolean;
  /** Installations and blobs that were used or added within this number of days are kept. */
  readonly keepDays: number;
  /** Also removes installations that this program would use. */
  readonly isAll: boolean;
  /** Removes all blobs, whatever their age. */
  readonly isBlobs: boolean;
  /** True to only report what would be removed. */
  readonly isDryRun: boolean;
}

/** An item that was removed, or would be in a dry run. */
export interface RemovedItem {
  readonly kind: 'installation' | 'blob' | 'staging';
  /** Absolute path. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** The items that were removed, and those that could not be. */
export interface GcResult {
  readonly removed: readonly RemovedItem[];
  /** Absolute paths of installations that a process is using. */
  readonly inUse: readonly string[];
}

const dayMs = 24 * 3600 * 1000;

/**
 * Removes unused files below SERENA_HOME: installations of versions that this program does not use, blobs that it does
 * not pin, and unfinished installations of dead processes. Keeps every installation that a process is using.
 *
 * @throws {ExpectedError} `install.home-unusable`.
 */
export async function collectGarbage(request: GcRequest): Promise<GcResult> {
  const { home, isDryRun } = request;
  const removed: RemovedItem[] = [];
  const inUse: string[] = [];
  for (const installation of listInstallations(serverDirectories(home).root)) {
    if (!isDue(installation, request)) continue;
    const found = {
      kind: 'installation',
      path: installation.directory,
      sizeBytes: sizeOf(installation.directory),
    } as const;
    if (isDryRun || (await removeInstallation(home, installation))) removed.push(found);
    else inUse.push(installation.directory);
  }
  for (const found of [...deadBlobs(request), ...deadStaging(home)]) {
    if (!isDryRun) rmSync(found.path, { recursive: true, force: true, maxRetries: 5 });
    removed.push(found);
  }
  return { removed, inUse };
}

function isDue(installation: InstallationDirectory, request: GcRequest): boolean {
  if (!request.isAll && request.isCurrent(installation)) return false;
  return Date.now() - lastUsedMs(request.home, installation) >= request.keepDays * dayMs;
}

function deadBlobs({ home, isPinned, isBlobs, keepDays }: GcRequest): RemovedItem[] {
  const { blobs } = serverDirectories(home);
  const names = namesIn(blobs).flatMap((algorithm) =>
    namesIn(join(blobs, algorithm)).map((hex) => `${algorithm}/${hex}`),
  );
  return names.flatMap((name): RemovedItem[] => {
    const path = join(blobs, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile()) return [];
    const isOld = Date.now() - stat.mtimeMs >= keepDays * dayMs;
    return isBlobs || (isOld && !isPinned(name)) ? [{ kind: 'blob', path, sizeBytes: stat.size }] : [];
  });
}

function deadStaging(home: string): RemovedItem[] {
  const { staging } = serverDirectories(home);
  if (!existsSync(staging)) return [];
  return abandonedDirectories(staging).map((path) => ({ kind: 'staging', path, sizeBytes: sizeOf(path) }));
}
