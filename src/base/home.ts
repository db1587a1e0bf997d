import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { attempt } from './attempt.ts';
import { ExpectedError, messageOf, systemCode } from './errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Absolute paths of the files and directories in SERENA_HOME. */
export interface HomePaths {
  readonly config: string;
  /** Held while the configuration is changed. */
  readonly configLock: string;
  readonly contexts: string;
  readonly modes: string;
  readonly prompts: string;
  readonly globalMemories: string;
  /** Journals and locks of edits, by project. */
  readonly edits: string;
  /** Symbols, by project. */
  readonly caches: string;
  /** Log files, by day. */
  readonly logs: string;
  /** State of the hooks, by session. */
  readonly hooks: string;
  /** Language servers and what belongs to them; `install/store/layout.ts` describes its content. */
  readonly languageServers: string;
}

/** Returns the paths below `home`, the absolute path of SERENA_HOME. Does not touch the disk. */
export function homePaths(home: string): HomePaths {
  return {
    config: join(home, 'serena_config.yml'),
    configLock: join(home, 'serena_config.lock'),
    contexts: join(home, 'contexts'),
    modes: join(home, 'modes'),
    prompts: join(home, 'prompt_templates'),
    globalMemories: join(home, 'memories', 'global'),
    edits: join(home, 'edits'),
    caches: join(home, 'cache'),
    logs: join(home, 'logs'),
    hooks: join(home, 'hook_data'),
    languageServers: join(home, 'language_servers'),
  };
}

/**
 * Returns the absolute path of this program's home directory: `SERENA_HOME` unless blank, else `.serena` in the user's
 * home directory. Expands a leading `~`. Does not touch the disk.
 */
export function homeDirectory(env: Env): string {
  const configured = env.SERENA_HOME?.trim() ?? '';
  return configured === '' ? join(userHome(env), '.serena') : resolve(expandTilde(configured, env));
}

/**
 * Checks that the home directory is readable if it exists. A missing one is not an error, even if it cannot be created:
 * stores may contain everything that is needed.
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

/** Returns a warning for a home directory in which nothing can be written, or that cannot be created; else `undefined`. */
export function readOnlyWarning(home: string): string | undefined {
  let existing = home;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return `cannot write to the home directory \`${home}\`: ${messageOf(error)}. Logs, symbols, known projects and the history of edits are not kept, edits of several files fail, and no language server can be installed. Make it writable, or set \`SERENA_HOME\` to another directory`;
  }
}

/** Returns the error for an unusable home directory; `cause` is the reason. */
export function homeUnusable(home: string, cause: unknown): ExpectedError {
  const reason = isFile(home) ? 'it is a file' : messageOf(cause);
  return new ExpectedError('install.home-unusable', `cannot use \`${home}\` as the home directory: ${reason}`, {
    hints: [
      'set `SERENA_HOME` to a directory that you can read and write',
      `make \`${home}\` a readable and writable directory`,
    ],
    cause,
  });
}

function isFile(path: string): boolean {
  return attempt(() => statSync(path).isFile(), false);
}

/** Returns `path` with a leading `~` replaced by the user's home directory. */
export function expandTilde(path: string, env: Env): string {
  return path === '~' || path.startsWith('~/') || path.startsWith('~\\') ? join(userHome(env), path.slice(1)) : path;
}

/**
 * Returns the absolute path of the user's home directory. Does not touch the disk.
 *
 * @throws {ExpectedError} `install.home-unusable` if neither the environment nor the system knows one.
 */
export function userHome(env: Env, platform = process.platform, ask = homedir): string {
  const named = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return named !== undefined && isAbsolute(named) ? named : homeOfAccount(ask);
}

/** A user id without an account, as in `docker run --user 1234`, has no home directory. */
function homeOfAccount(ask: () => string): string {
  try {
    return ask();
  } catch (cause) {
    const message = 'cannot find your home directory: `HOME` is not set, and your user id has no account';
    throw new ExpectedError('install.home-unusable', message, {
      hints: ['set `SERENA_HOME` to a directory that you can read and write', 'set `HOME`'],
      cause,
    });
  }
}
