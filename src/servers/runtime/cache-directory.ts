import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { tryLock } from '../../base/lock.ts';
import { log } from '../../base/log.ts';
import { homeUnusable, serverDirectories } from '../../install/store/layout.ts';

/** A directory that a server keeps for a project, for as long as it runs ours alone. */
export interface CacheDirectory {
  /** Absolute. */
  readonly path: string;
  /** Leaves it to the next. */
  release(): void;
  /** Removes what is in it, where no other server has it; before it is released. Never throws. */
  clear(): void;
}

/** Nobody runs more servers on one project at the same time; whoever does gets the last directory with them. */
const maxAtOnce = 16;

/**
 * Returns the directory below our home directory in which server `id` keeps what it knows of the project at absolute `root`, made if
 * need be. Servers that run at the same time get different ones: several take a shared one to be broken.
 *
 * @throws {ExpectedError} `install.home-unusable` where it cannot be made.
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
    log('servers').warn(`Cannot remove \`${path}\`: ${messageOf(error)}`);
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
