import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../base/lock.ts';
import { homeUnusable, serverFolders } from '../install/layout.ts';

/** A folder that a server keeps for a project, for as long as it runs ours alone. */
export interface CacheFolder {
  /** Absolute. */
  readonly path: string;
  /** Leaves it to the next. */
  release(): void;
}

/** Nobody runs more servers on one project at the same time; whoever does gets the last folder with them. */
const maxAtOnce = 16;

/**
 * Returns the folder below our home folder in which server `id` keeps what it knows of the project at absolute `root`, made if
 * need be. Servers that run at the same time get different ones: several take a shared one to be broken.
 *
 * @throws {ExpectedError} `install.home-unusable` where it cannot be made.
 */
export async function claimCacheFolder(home: string, id: string, root: string): Promise<CacheFolder> {
  const folder = join(serverFolders(home).caches, id);
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  for (let number = 1; ; number++) {
    const path = join(folder, `${name}-${number}`);
    make(path, home);
    const release = await tryLock(`${path}.lock`);
    if (release !== undefined) return { path, release: once(release) };
    if (number === maxAtOnce) return { path, release: () => undefined };
  }
}

function make(path: string, home: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw homeUnusable(home, error);
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
