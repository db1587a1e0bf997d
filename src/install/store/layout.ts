import { accessSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../../base/errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Absolute paths below `<home>/language_servers`:
 *
 * ```
 * servers/<id>/<version>-<key>/   one immutable installation, with .receipt.json and, for checks, .files.json
 * blobs/<algorithm>/<hex>         artefacts as they were published, by their hash: kept where they were prefetched or bundled
 * tmp/<pid>-<machine>-<random>/   unfinished installations, on the same file system
 * run/<pid>-<random>/             temporary files of one running server
 * cache/<id>/<hash>-<n>/          what one server keeps about one project, with a lock beside it while a server uses it
 * locks/<id>-<key>.lock           held while one is being made; never deleted; beside it `.pid` says by whom
 * npm/                            empty: the folder npm's configuration is read from, in place of a project's
 * empty.toml                      the run-time configuration of servers that run on our own executable
 * shims/                          scripts preloaded into some of those servers, named by their hash
 * bun-cache/                      their compiled code
 * python-cache/                   the compiled code of servers that run on the user's Python
 * ```
 */
export interface ServerFolders {
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

/**
 * Returns the absolute path of our home folder: `SERENA_HOME` unless blank, else `.serena` in the user's home folder.
 * A leading `~` stands for the user's home folder. Does not touch the disk.
 */
export function homeFolder(env: Env): string {
  const asked = env.SERENA_HOME?.trim() ?? '';
  return asked === '' ? join(userHome(env), '.serena') : resolve(expandTilde(asked, env));
}

/** Returns where everything about language servers lies below our home folder. Does not touch the disk. */
export function serverFolders(home: string): ServerFolders {
  return foldersBelow(join(home, 'language_servers'));
}

/** Returns the same for a given `root`: a store has the layout of our own folder. Does not touch the disk. */
export function foldersBelow(root: string): ServerFolders {
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

/** Returns the read-only stores of `SERENA_STORE` in the order to search them, as absolute paths. */
export function storeFolders(env: Env): readonly string[] {
  const entries = (env.SERENA_STORE ?? '').split(delimiter).map((entry) => expandTilde(entry.trim(), env));
  return entries.filter((entry) => isAbsolute(entry));
}

/** Returns the folder of one installation below `root`, which is `ServerFolders.root` or a store. */
export function installationFolder(root: string, id: string, versionAndKey: string): string {
  return join(foldersBelow(root).servers, id, versionAndKey);
}

/**
 * Creates the folders that an installation needs.
 *
 * @throws {ExpectedError} `install.home-unusable` when they cannot be made, read or written.
 */
export function prepareFolders(home: string): ServerFolders {
  const folders = serverFolders(home);
  try {
    for (const folder of [folders.servers, folders.staging, folders.locks, folders.npm]) {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    }
    return folders;
  } catch (error) {
    throw homeUnusable(home, error);
  }
}

/**
 * Checks that the home folder, if it is there, can be read. One that cannot be made is no failure yet: stores may hold
 * all that is needed.
 *
 * @throws {ExpectedError} `install.home-unusable`.
 */
export function requireUsableHome(home: string): void {
  try {
    readdirSync(home);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || (code === 'ENOTDIR' && !isFile(home))) return;
    throw homeUnusable(home, error);
  }
}

/** Returns the error for a home folder that cannot be used, with the reason in `cause`. */
export function homeUnusable(home: string, cause: unknown): ExpectedError {
  const reason = isFile(home) ? 'it is a file' : messageOf(cause);
  return new ExpectedError('install.home-unusable', `Cannot use \`${home}\` as home folder: ${reason}`, {
    hints: [
      'Set `SERENA_HOME` to a folder that you can read and write',
      `Make \`${home}\` a readable and writable folder`,
    ],
    cause,
  });
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function expandTilde(path: string, env: Env): string {
  return path === '~' || path.startsWith('~/') || path.startsWith('~\\') ? join(userHome(env), path.slice(1)) : path;
}

/** Returns the absolute path of the user's own home folder. Does not touch the disk. */
export function userHome(env: Env): string {
  const named = process.platform === 'win32' ? env.USERPROFILE : env.HOME;
  return named !== undefined && isAbsolute(named) ? named : homedir();
}
