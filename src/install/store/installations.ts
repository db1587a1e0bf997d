import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isExpected } from '../../base/errors.ts';
import { namesIn } from '../../base/files.ts';
import { holdShared, withLock } from '../../base/lock.ts';
import { directoriesBelow, prepareDirectories, receiptFile, serverDirectories } from './layout.ts';
import { abandonedDirectories, stagingDirectory } from './staging.ts';

/** The directory of an installation, complete or not. */
export interface InstallationDirectory {
  readonly id: string;
  /** `<version>-<key>`. */
  readonly name: string;
  readonly key: string;
  /** Absolute path. */
  readonly directory: string;
}

/** Returns all installations below `root`, which is `ServerDirectories.root` or a store, sorted by id and name. */
export function listInstallations(root: string): InstallationDirectory[] {
  const { servers } = directoriesBelow(root);
  return namesIn(servers).flatMap((id) =>
    namesIn(join(servers, id)).map((name) => {
      return { id, name, key: name.slice(name.lastIndexOf('-') + 1), directory: join(servers, id, name) };
    }),
  );
}

/**
 * Returns when an installation below SERENA_HOME was last used, or else made, as in `Date.now()`, with a precision of a
 * day.
 */
function lastUsedMs(home: string, { id, key, directory }: InstallationDirectory): number {
  const times = [useLockPath(home, id, key), join(directory, receiptFile), directory].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return times[0] || times[1] || times[2] || 0;
}

/** Returns the total size in bytes of all files at or below `path` (absolute). */
export function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory()) return stat?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

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
interface RemovedItem {
  readonly kind: 'installation' | 'blob' | 'staging';
  /** Absolute path. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** The items that were removed, and those that could not be. */
interface GcResult {
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

const held = new Map<string, Promise<() => void>>();
// Garbage collection needs the time of last use in days only.
const recordIntervalMs = 24 * 3600 * 1000;

/**
 * Returns the lock file of an installation: processes that use it hold the lock shared, a process that removes it holds
 * it exclusively. The file's modification time is the time of last use.
 */
export function useLockPath(home: string, id: string, key: string): string {
  return join(serverDirectories(home).locks, `${id}-${key}.use`);
}

/**
 * Prevents the removal of an installation below SERENA_HOME while this process lives, and records the time of use. Does
 * nothing for an installation in a store, which is read-only.
 */
export async function holdInstallation(
  home: string,
  { id, key, directory }: { readonly id: string; readonly key: string; readonly directory: string },
): Promise<void> {
  if (relative(serverDirectories(home).servers, directory).startsWith('..')) return;
  const path = useLockPath(home, id, key);
  const holding = held.get(path) ?? holdShared(path);
  held.set(path, holding);
  await holding;
  recordUse(path);
}

function recordUse(path: string): void {
  try {
    if (Date.now() - statSync(path).mtimeMs < recordIntervalMs) return;
    closeSync(openSync(path, 'a'));
    utimesSync(path, new Date(), new Date());
  } catch {
    // Without a record, the time of installation counts as the time of last use.
  }
}
