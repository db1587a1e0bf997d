import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { homeUnusable } from '../../base/home.ts';
import { tryLock } from '../../base/lock.ts';
import { log } from '../../base/log.ts';
import { serverDirectories } from '../../install/store/layout.ts';

/** A directory with what a server caches about a project; only one running server uses it at a time. */
export interface CacheDirectory {
  /** Absolute. */
  readonly path: string;
  /** Makes the directory available to another server. */
  release(): void;
  /** Deletes the directory, unless another server may use it too; call before {@link release}. Never throws. */
  clear(): void;
}

/** More simultaneous servers of one kind on a project are not expected; further ones share the last directory. */
const maxAtOnce = 16;

/**
 * Returns the directory, below `home`, for server `id`'s cache of the project at absolute `root`; creates it if needed.
 * Simultaneous servers get different directories: several servers treat a shared one as corrupt.
 *
 * @throws {ExpectedError} `install.home-unusable` if the directory cannot be created.
 */
export async function claimCacheDirectory(home: string, id: string, root: string): Promise<CacheDirectory> {
  const directory = join(serverDirectories(home).caches, id);
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  for (let number = 1; ; number++) {
    const path = join(directory, `${name}-${number}`);
    make(path, home);
    const release = await tryLock(`${path}.lock`);
    if (release !== undefined) return { path, release: once(release), clear: once(() => clear(path)) };
    if (number === maxAtOnce) return { path, release: () => undefined, clear: () => undefined };
  }
}

function make(path: string, home: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw homeUnusable(home, error);
  }
}

function clear(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    log('servers').warn(`cannot remove \`${path}\`: ${messageOf(error)}`);
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
