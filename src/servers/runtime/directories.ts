import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { homeUnusable } from '../../base/home.ts';
import { tryLock } from '../../base/lock.ts';
import { log } from '../../base/log.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';
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

/** A directory for the temporary files of one running server, which servers leave behind when they end. */
interface TemporaryDirectory {
  /** Absolute. */
  readonly path: string;
  /** Environment variables that make a program use the directory. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/**
 * Creates a temporary directory below `home` (absolute path), and removes those of ended processes, because a killed
 * process cannot. If nothing can be written there, the server gets the system's temporary directory.
 */
export function makeTemporaryDirectory(home: string): TemporaryDirectory {
  const { running } = serverDirectories(home);
  const path = join(running, `${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(path, { recursive: true });
    removeAbandoned(running);
  } catch (error) {
    log('servers').warn(`Servers use the system's temporary directory: ${messageOf(error)}`);
    return { path: tmpdir(), env: {}, remove: () => undefined };
  }
  return { path, env: { TMPDIR: path, TMP: path, TEMP: path }, remove: () => removeDirectory(path) };
}

function removeAbandoned(running: string): void {
  for (const name of readdirSync(running)) {
    if (!isProcessAlive(Number.parseInt(name, 10))) removeDirectory(join(running, name));
  }
}

function removeDirectory(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    log('servers').debug(`cannot remove \`${path}\`: ${messageOf(error)}`);
  }
}
