import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { writeErrorCode } from '../../base/files.ts';
import { findProgram } from '../../base/process/find-program.ts';
import type { Build, Environment } from '../environment.ts';

/** The file of this program, which may be replaced. */
interface OwnProgram {
  /** Absolute path, without links. */
  readonly path: string;
  readonly build: Build;
}

/**
 * Returns this program's file if it may be replaced.
 *
 * @throws {ExpectedError} `program.managed` if a package manager owns it, or if it runs from its sources;
 *   `file.no-permission` if its directory is not writable.
 */
export function replaceableProgram({ command, build, env }: Environment): OwnProgram {
  if (build === undefined) {
    throw new ExpectedError('program.managed', 'this program runs from its sources', {
      hints: ['update the checkout, for example with `git pull`'],
    });
  }
  const path = realpathSync(command[0]);
  const owner = packageOwner(path, env);
  if (owner !== undefined) {
    throw new ExpectedError('program.managed', `${owner.name} installed this program: \`${path}\``, {
      hints: [`run: ${owner.update}`],
    });
  }
  try {
    // A program is replaced by a new file of its name.
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(path, error);
  }
  return { path, build };
}

/** Returns the error for a program that cannot be replaced or removed; `cause` is the system error. */
export function notWritable(path: string, cause: unknown): ExpectedError {
  const code = writeErrorCode(cause);
  const hints =
    code === 'file.no-permission'
      ? [
          'run the command as the user who installed the program',
          'or install a program of your own with install.sh, which needs no rights',
        ]
      : [`make room on the disk of \`${dirname(path)}\`, then retry; the program was not changed`];
  return new ExpectedError(code, `cannot change \`${path}\`: ${messageOf(cause)}`, { hints, cause });
}

type Env = Readonly<Record<string, string | undefined>>;

/** A package manager that a program's file belongs to. */
interface PackageOwner {
  readonly name: string;
  /** Command that updates the program. */
  readonly update: string;
  /** Command that removes the program. */
  readonly remove: string;
}

interface PathRule {
  readonly name: string;
  /** Matches the absolute path of a program that this manager installed; its group is the package. */
  readonly path: RegExp;
  update(name: string): string;
  remove(name: string): string;
}

/** The launcher's package has the name of its scope (scripts/package-npm.ts). The first match decides. */
const pathRules: readonly PathRule[] = [
  {
    name: 'npx',
    path: /[\\/]_npx[\\/].*[\\/]node_modules[\\/]@([^\\/]+)[\\/]/,
    update: (name) => `npx --yes ${name}@latest`,
    remove: () => 'npm cache npx rm',
  },
  {
    name: 'pnpm',
    path: /[\\/]\.?pnpm[\\/].*[\\/]node_modules[\\/]@([^\\/]+)[\\/]/,
    update: (name) => `pnpm add --global ${name}@latest`,
    remove: (name) => `pnpm remove --global ${name}`,
  },
  {
    name: 'Bun',
    path: /[\\/]\.bun[\\/]install[\\/].*[\\/]node_modules[\\/]@([^\\/]+)[\\/]/,
    update: (name) => `bun add --global ${name}@latest`,
    remove: (name) => `bun remove --global ${name}`,
  },
  {
    name: 'Yarn',
    path: /[\\/]yarn[\\/].*[\\/]node_modules[\\/]@([^\\/]+)[\\/]/i,
    update: (name) => `yarn global add ${name}@latest`,
    remove: (name) => `yarn global remove ${name}`,
  },
  {
    name: 'npm',
    // Below the launcher, or beside it: npm nests the packages of global ones.
    path: /[\\/]node_modules[\\/]@([^\\/]+)[\\/]/,
    update: (name) => `npm install --global ${name}@latest`,
    remove: (name) => `npm uninstall --global ${name}`,
  },
  {
    name: 'Homebrew',
    path: /\/Cellar\/([^/]+)\//,
    update: (name) => `brew upgrade ${name}`,
    remove: (name) => `brew uninstall ${name}`,
  },
  {
    name: 'Nix',
    path: /^\/nix\/store\/[^-]+-(serena[\w-]*?)(?=-\d|\/)/,
    update: (name) => `nix profile upgrade ${name}`,
    remove: (name) => `nix profile remove ${name}`,
  },
  {
    name: 'Scoop',
    path: /[\\/]scoop[\\/]apps[\\/]([^\\/]+)[\\/]/i,
    update: (name) => `scoop update ${name}`,
    remove: (name) => `scoop uninstall ${name}`,
  },
  {
    name: 'WinGet',
    path: /[\\/]WinGet[\\/]Packages[\\/]([^\\/]+?)_[^\\/]*[\\/]/i,
    update: (name) => `winget upgrade --id ${name}`,
    remove: (name) => `winget uninstall --id ${name}`,
  },
];

interface Database {
  readonly name: string;
  /** Command that succeeds and prints the package if the file at the path after it belongs to one. */
  readonly query: readonly [program: string, ...args: string[]];
  /** Matches its output; the group is the package. */
  readonly output: RegExp;
  update(name: string): string;
  remove(name: string): string;
}

/** Operating systems' managers, which know the owner of each file. */
const databases: readonly Database[] = [
  {
    name: 'dpkg',
    query: ['dpkg-query', '--search'],
    output: /^([^:,\s]+)[:,]/,
    update: (name) => `sudo apt-get install --only-upgrade ${name}`,
    remove: (name) => `sudo apt-get remove ${name}`,
  },
  {
    name: 'RPM',
    query: ['rpm', '--query', '--queryformat', '%{NAME}\\n', '--file'],
    output: /^(\S+)\s*$/,
    update: (name) => `sudo dnf upgrade ${name}`,
    remove: (name) => `sudo dnf remove ${name}`,
  },
  {
    name: 'pacman',
    query: ['pacman', '--query', '--quiet', '--owns'],
    output: /^(\S+)\s*$/,
    update: (name) => `sudo pacman --sync ${name}`,
    remove: (name) => `sudo pacman --remove ${name}`,
  },
  {
    name: 'apk',
    query: ['apk', 'info', '--who-owns'],
    output: / is owned by (\S+?)-\d/,
    update: (name) => `sudo apk add --upgrade ${name}`,
    remove: (name) => `sudo apk del ${name}`,
  },
];

const queryTimeoutMs = 30_000;

/** Returns the package manager that owns the program at `path` (absolute, without links), or `undefined`. */
export function packageOwner(path: string, env: Env): PackageOwner | undefined {
  for (const { name, path: pattern, update, remove } of pathRules) {
    const [, owned] = pattern.exec(path) ?? [];
    if (owned !== undefined) return { name, update: update(owned), remove: remove(owned) };
  }
  for (const { name, query, output, update, remove } of databases) {
    const owned = askDatabase(query, path, env)?.match(output)?.[1];
    if (owned !== undefined) return { name, update: update(owned), remove: remove(owned) };
  }
  return undefined;
}

/** Returns the output of a query about the file at `path`; `undefined` if its program is missing or knows no owner. */
function askDatabase([program, ...args]: Database['query'], path: string, env: Env): string | undefined {
  const found = findProgram(program, env);
  if (found === undefined) return undefined;
  const { status, stdout } = spawnSync(found, [...args, path], {
    ...{ encoding: 'utf8', env: { ...env, LC_ALL: 'C' }, timeout: queryTimeoutMs },
  });
  return status === 0 ? stdout : undefined;
}
