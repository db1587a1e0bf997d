import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { expandTilde, homePaths, homeUnusable } from '../../base/home.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Absolute paths below `<home>/language_servers`:
 *
 * ```
 * servers/<id>/<version>-<key>/   one immutable installation, with .receipt.json and, for checks, .files.json
 * blobs/<algorithm>/<hex>         published artifacts by hash, if they were prefetched or came in a bundle
 * tmp/<pid>-<machine>-<random>/   unfinished installations, on the same file system
 * run/<pid>-<random>/             temporary files of one running server
 * cache/<id>/<hash>-<n>/          one server's cache of one project, with a lock beside it while a server uses it
 * locks/<id>-<key>.lock           held while an installation is made; never deleted; `.pid` beside it names the owner
 * npm/                            empty: npm reads its project configuration here, not in the user's project
 * empty.toml                      the Bun configuration of servers that run on this program's executable
 * shims/                          scripts preloaded into some of those servers, named by their hash
 * bun-cache/                      their compiled code
 * python-cache/                   the compiled code of servers that run on the user's Python
 * ```
 */
export interface ServerDirectories {
  readonly root: string;
  readonly servers: string;
  readonly blobs: string;
  readonly staging: string;
  readonly running: string;
  readonly caches: string;
  readonly locks: string;
  readonly npm: string;
  readonly emptyConfig: string;
  readonly shims: string;
  readonly codeCache: string;
  readonly pythonCache: string;
}

export const receiptFile = '.receipt.json';

/** Returns the directories for language servers below SERENA_HOME. Does not touch the disk. */
export function serverDirectories(home: string): ServerDirectories {
  return directoriesBelow(homePaths(home).languageServers);
}

/** Returns the directories below `root`. A store has the same layout as SERENA_HOME. Does not touch the disk. */
export function directoriesBelow(root: string): ServerDirectories {
  return {
    root,
    servers: join(root, 'servers'),
    blobs: join(root, 'blobs'),
    staging: join(root, 'tmp'),
    running: join(root, 'run'),
    caches: join(root, 'cache'),
    locks: join(root, 'locks'),
    npm: join(root, 'npm'),
    emptyConfig: join(root, 'empty.toml'),
    shims: join(root, 'shims'),
    codeCache: join(root, 'bun-cache'),
    pythonCache: join(root, 'python-cache'),
  };
}

/** Returns the absolute paths of the read-only stores in `SERENA_STORE`, in search order. */
export function storeDirectories(env: Env): readonly string[] {
  const entries = (env.SERENA_STORE ?? '').split(delimiter).map((entry) => expandTilde(entry.trim(), env));
  return entries.filter((entry) => isAbsolute(entry));
}

/** Returns the directory of one installation below `root`, which is `ServerDirectories.root` or a store. */
export function installationDirectory(root: string, id: string, versionAndKey: string): string {
  return join(directoriesBelow(root).servers, id, versionAndKey);
}

/**
 * Creates the directories that an installation needs.
 *
 * @throws {ExpectedError} `install.home-unusable` if they cannot be created, read or written.
 */
export function prepareDirectories(home: string): ServerDirectories {
  const directories = serverDirectories(home);
  try {
    for (const directory of [directories.servers, directories.staging, directories.locks, directories.npm]) {
      mkdirSync(directory, { recursive: true });
      accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    }
    return directories;
  } catch (error) {
    throw homeUnusable(home, error);
  }
}
