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
  readonly update: string;
  readonly remove: string;
}

/** Name of a package manager, what identifies its packages, and the commands that update and remove one, `%`. */
type Manager<Rule> = readonly [name: string, rule: Rule, update: string, remove: string];

/** Matches the path of a program in a package below a directory that one package manager uses; the group is the package. */
function inPackages(directory: string, flags = ''): RegExp {
  return new RegExp(String.raw`[\\/]${directory}[\\/].*[\\/]node_modules[\\/]@([^\\/]+)[\\/]`, flags);
}

/**
 * Managers by the absolute paths of the programs that they install; the first match decides. The launcher's package has the
 * name of its scope (scripts/package-npm.ts).
 */
const managersByPath: readonly Manager<RegExp>[] = [
  ['npx', inPackages('_npx'), 'npx --yes %@latest', 'npm cache npx rm'],
  ['pnpm', inPackages(String.raw`\.?pnpm`), 'pnpm add --global %@latest', 'pnpm remove --global %'],
  ['Bun', inPackages(String.raw`\.bun[\\/]install`), 'bun add --global %@latest', 'bun remove --global %'],
  ['Yarn', inPackages('yarn', 'i'), 'yarn global add %@latest', 'yarn global remove %'],
  // Below the launcher, or beside it: npm nests the packages of global ones.
  ['npm', /[\\/]node_modules[\\/]@([^\\/]+)[\\/]/, 'npm install --global %@latest', 'npm uninstall --global %'],
  ['Homebrew', /\/Cellar\/([^/]+)\//, 'brew upgrade %', 'brew uninstall %'],
  ['Nix', /^\/nix\/store\/[^-]+-(serena[\w-]*?)(?=-\d|\/)/, 'nix profile upgrade %', 'nix profile remove %'],
  ['Scoop', /[\\/]scoop[\\/]apps[\\/]([^\\/]+)[\\/]/i, 'scoop update %', 'scoop uninstall %'],
  [
    'WinGet',
    /[\\/]WinGet[\\/]Packages[\\/]([^\\/]+?)_[^\\/]*[\\/]/i,
    'winget upgrade --id %',
    'winget uninstall --id %',
  ],
];

interface Query {
  /** Command that succeeds and prints the package if the file at the path after it belongs to one. */
  readonly command: string;
  /** Matches its output; the group is the package. */
  readonly output: RegExp;
}

/** Operating systems' managers, which know the owner of each file. */
const managersWithDatabase: readonly Manager<Query>[] = [
  [
    'dpkg',
    { command: 'dpkg-query --search', output: /^([^:,\s]+)[:,]/ },
    'sudo apt-get install --only-upgrade %',
    'sudo apt-get remove %',
  ],
  [
    'RPM',
    { command: 'rpm --query --queryformat %{NAME}\\n --file', output: /^(\S+)\s*$/ },
    'sudo dnf upgrade %',
    'sudo dnf remove %',
  ],
  [
    'pacman',
    { command: 'pacman --query --quiet --owns', output: /^(\S+)\s*$/ },
    'sudo pacman --sync %',
    'sudo pacman --remove %',
  ],
  [
    'apk',
    { command: 'apk info --who-owns', output: / is owned by (\S+?)-\d/ },
    'sudo apk add --upgrade %',
    'sudo apk del %',
  ],
];

const queryTimeoutMs = 30_000;

/** Returns the package manager that owns the program at `path` (absolute, without links), or `undefined`. */
export function packageOwner(path: string, env: Env): PackageOwner | undefined {
  for (const manager of managersByPath) {
    const [, owned] = manager[1].exec(path) ?? [];
    if (owned !== undefined) return ownerOf(manager, owned);
  }
  for (const manager of managersWithDatabase) {
    const owned = askDatabase(manager[1], path, env);
    if (owned !== undefined) return ownerOf(manager, owned);
  }
  return undefined;
}

function ownerOf([name, , update, remove]: Manager<unknown>, owned: string): PackageOwner {
  return { name, update: update.replace('%', owned), remove: remove.replace('%', owned) };
}

/** Returns the package of the file at `path`; `undefined` if the query's program is missing or knows no owner. */
function askDatabase({ command, output }: Query, path: string, env: Env): string | undefined {
  const [program = '', ...args] = command.split(' ');
  const found = findProgram(program, env);
  if (found === undefined) return undefined;
  const { status, stdout } = spawnSync(found, [...args, path], {
    ...{ encoding: 'utf8', env: { ...env, LC_ALL: 'C' }, timeout: queryTimeoutMs },
  });
  return status === 0 ? output.exec(stdout)?.[1] : undefined;
}
