import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { homePaths } from './home.ts';
import { isProcessAlive } from './process/is-process-alive.ts';

/** Older log files are removed, and the oldest ones while all together are larger. */
const maxAgeMs = 14 * 24 * 60 * 60 * 1000;
const maxTotalBytes = 100_000_000;

/** A log file of this program, or of the reference, whose files have the same layout. */
export interface LogFile {
  /** The day and the name of the file, such as `2026-01-31/mcp_20260131-120000_123.txt`. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** True if the process whose id is in the name runs. */
  readonly isInUse: boolean;
}

/** Returns the log files below `home` (absolute), the most recently written first. Ignores everything else there. */
export async function listLogFiles(home: string): Promise<LogFile[]> {
  const { logs } = homePaths(home);
  const days = (await namesIn(logs)).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name));
  const files = await Promise.all(days.map((day) => filesOf(logs, day)));
  return files.flat().sort((a, b) => b.modifiedMs - a.modifiedMs || (a.name < b.name ? 1 : -1));
}

/**
 * Removes the log files below `home` that are too old or too many at `nowMs`, and directories that are then empty. Keeps
 * those of running processes. Files that cannot be removed stay. Never rejects.
 */
export async function removeOldLogs(home: string, nowMs: number): Promise<void> {
  let totalBytes = 0;
  await removeLogs(home, ({ modifiedMs, sizeBytes }) => {
    totalBytes += sizeBytes;
    return totalBytes > maxTotalBytes || nowMs - modifiedMs > maxAgeMs;
  }).catch(() => undefined);
}

/**
 * Removes the log files below `home` for which `isUnwanted` returns true, and directories that are then empty. Keeps those
 * of running processes. Returns the removed files.
 */
export async function removeLogs(home: string, isUnwanted: (file: LogFile) => boolean): Promise<LogFile[]> {
  const removed: LogFile[] = [];
  for (const file of await listLogFiles(home)) {
    // Asked about each file, because the predicate may add up sizes.
    if (!isUnwanted(file) || file.isInUse) continue;
    const isRemoved = await rm(file.path).then(
      () => true,
      () => false,
    );
    if (isRemoved) removed.push(file);
  }
  const { logs } = homePaths(home);
  const days = new Set(removed.map(({ name }) => name.slice(0, name.indexOf('/'))));
  // A directory with files stays: the call fails.
  await Promise.all([...days].map((day) => rmdir(join(logs, day)).catch(() => undefined)));
  return removed;
}

async function filesOf(logs: string, day: string): Promise<LogFile[]> {
  const names = (await namesIn(join(logs, day))).filter((name) => /^[\w-]+_\d{8}-\d{6}_\d+\.txt$/.test(name));
  const files = await Promise.all(names.map((name) => describe(logs, `${day}/${name}`)));
  return files.filter((file) => file !== undefined);
}

async function describe(logs: string, name: string): Promise<LogFile | undefined> {
  const path = join(logs, name);
  // Another process may have removed it.
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || !stats.isFile()) return undefined;
  const pid = Number(/_(\d+)\.txt$/.exec(name)?.[1]);
  return { name, path, sizeBytes: stats.size, modifiedMs: stats.mtimeMs, isInUse: isProcessAlive(pid) };
}

async function namesIn(directory: string): Promise<string[]> {
  return await readdir(directory).catch(() => []);
}
