import { homeDirectory } from '../../base/home.ts';
import { megabytes } from '../../install/failures.ts';
import { pinnedBlobs } from '../../install/lock/pinned-blobs.ts';
import { embeddedLock, pinnedKey } from '../../install/lock/server-lock.ts';
import { blobName } from '../../install/store/blobs.ts';
import { collectGarbage } from '../../install/store/gc.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLines } from './work.ts';

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
