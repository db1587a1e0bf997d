import { isAbsolute, join } from 'node:path';
import { relativeWithin } from '../../base/paths.ts';
import type {
  DependencyProvider,
  DependencyRoot,
  DependentProject,
  MissingDependencies,
} from './dependency-provider.ts';
import { directoriesWith, isPlainDirectory, namedPackages, namesIn, realDirectory, textIn } from './directories.ts';

/**
 * The crates that the `Cargo.lock` of the project, and those of workspaces inside it, list: from registries, in Cargo's
 * copies of their sources, `<cargo>/serde-1.0.0/src/lib.rs`, and from Git, in Cargo's checkouts,
 * `<cargo>/repository-0123456789abcdef/0123abc/src/lib.rs`.
 */
export const cargoCrates: DependencyProvider = {
  name: 'cargo',
  title: 'Rust crates',
  extensions: ['.rs'],
  skippedDirectories: [],
  find(project) {
    const workspaces = directoriesWith('Cargo.lock', project.root);
    const locks = workspaces.map((path) => lockEntries(textIn(project.root, join(path, 'Cargo.lock'))));
    const registries = registrySources(project.env);
    const checkouts = cargoDirectory(project.env, 'git', 'checkouts');
    const entries = locks.flat();
    const inRegistries = unique(entries.flatMap(({ isFromRegistry, directory }) => (isFromRegistry ? directory : [])));
    const inCheckouts = checkedOut(entries, checkouts);
    const roots: DependencyRoot[] = registries.map((directory) => ({ directory, packages: inRegistries }));
    const packages = unique([...inCheckouts.values()]);
    if (checkouts !== undefined) roots.push({ directory: checkouts, packages });
    const isFound = (entry: LockEntry) =>
      inCheckouts.has(entry) ||
      (entry.isFromRegistry && registries.some((directory) => isPlainDirectory(join(directory, entry.directory))));
    return {
      roots,
      missing: () => [...missingCrates(locks, isFound), ...cratesOutside(project.root, workspaces)],
    };
  },
};

function cargoDirectory({ CARGO_HOME, HOME }: DependentProject['env'], ...inner: string[]): string | undefined {
  const home = CARGO_HOME || (HOME === undefined ? '' : join(HOME, '.cargo'));
  return isAbsolute(home) ? realDirectory(join(home, ...inner)) : undefined;
}

function registrySources(env: DependentProject['env']): string[] {
  const sources = cargoDirectory(env, 'registry', 'src');
  if (sources === undefined) return [];
  return namesIn(sources)
    .map((name) => join(sources, name))
    .filter(isPlainDirectory);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** A package in a lock file. */
interface LockEntry {
  readonly name: string;
  /** Name of its directory in a registry. */
  readonly directory: string;
  /** True for packages of this workspace, and for directories elsewhere that a manifest names. */
  readonly isLocal: boolean;
  readonly isFromRegistry: boolean;
  readonly git: GitSource | undefined;
  /** Names, each with a version if the lock file has several. */
  readonly dependencies: readonly string[];
}

/** A commit of a repository. */
interface GitSource {
  /** Last part of the repository's URL, in lower case. */
  readonly repository: string;
  readonly commit: string;
}

function lockEntries(lock: string): LockEntry[] {
  return lock.split('[[package]]').flatMap((entry) => {
    const name = /^name = "([\w-]+)"/m.exec(entry)?.[1];
    const version = /^version = "(\d[\w.+-]*)"/m.exec(entry)?.[1];
    if (name === undefined || version === undefined) return [];
    const source = /^source = "(\w+)/m.exec(entry)?.[1];
    const list = /^dependencies = \[([^\]]*)\]/m.exec(entry)?.[1] ?? '';
    const dependencies = [...list.matchAll(/"([^"]*)"/g)].map(([, one = '']) => one);
    const isFromRegistry = source === 'registry' || source === 'sparse';
    const isLocal = source === undefined;
    return [{ name, directory: `${name}-${version}`, isLocal, isFromRegistry, git: gitSource(entry), dependencies }];
  });
}

function gitSource(entry: string): GitSource | undefined {
  const [, url = '', commit = ''] = /^source = "git\+([^"?#]{1,500})[^"#]*#([0-9a-f]{40})"/m.exec(entry) ?? [];
  const repository = /([\w.-]+?)(?:\.git)?\/*$/.exec(url)?.[1]?.toLowerCase();
  return repository === undefined || commit === '' ? undefined : { repository, commit };
}

/**
 * Returns where the packages from Git are in the directory of Cargo's checkouts. A checkout is named after the repository
 * and the commit; a package may be in any directory of it.
 */
function checkedOut(entries: readonly LockEntry[], checkouts: string | undefined): ReadonlyMap<LockEntry, string> {
  const packages = new Map<string, ReadonlyMap<string, string>>();
  const found = new Map<LockEntry, string>();
  for (const entry of checkouts === undefined ? [] : entries) {
    for (const checkout of entry.git === undefined ? [] : checkoutsOf(entry.git, checkouts ?? '')) {
      const known = packages.get(checkout) ?? packagesIn(join(checkouts ?? '', checkout));
      packages.set(checkout, known);
      const inner = known.get(entry.name);
      if (inner !== undefined && !found.has(entry)) found.set(entry, inner === '' ? checkout : `${checkout}/${inner}`);
    }
  }
  return found;
}

function checkoutsOf({ repository, commit }: GitSource, checkouts: string): string[] {
  const isOf = (name: string) => name.toLowerCase().replace(/-[0-9a-f]{16}$/, '') === repository;
  return namesIn(checkouts)
    .filter(isOf)
    .flatMap((name) => namesIn(join(checkouts, name)).map((short) => ({ short, path: `${name}/${short}` })))
    .filter(
      ({ short, path }) => short.length >= 7 && commit.startsWith(short) && isPlainDirectory(join(checkouts, path)),
    )
    .map(({ path }) => path);
}

/** Returns the directories of the packages in a checkout, by name. */
function packagesIn(checkout: string): ReadonlyMap<string, string> {
  const found = directoriesWith('Cargo.toml', checkout).map((path) => [packageAt(checkout, path) ?? '', path] as const);
  return new Map(found.toReversed());
}

/** Returns the name of the package whose manifest is in a directory. */
function packageAt(checkout: string, path: string): string | undefined {
  const manifest = textIn(checkout, join(path, 'Cargo.toml'));
  const section = /^\[package\]([^[]*)/m.exec(manifest)?.[1] ?? '';
  return /^[ \t]*name[ \t]*=[ \t]*["']([\w-]+)["']/m.exec(section)?.[1];
}

/** Crates that no package of a workspace names may belong to other platforms only, so that Cargo never fetched them. */
function missingCrates(
  locks: readonly (readonly LockEntry[])[],
  isFound: (entry: LockEntry) => boolean,
): MissingDependencies[] {
  if (locks.length === 0) {
    return [{ reason: 'the project has no `Cargo.lock`', next: 'Run `cargo generate-lockfile`' }];
  }
  const missing = locks.flatMap((entries) => {
    const direct = new Set(entries.filter(({ isLocal }) => isLocal).flatMap(({ dependencies }) => dependencies));
    return entries
      .filter(({ isLocal }) => !isLocal)
      .filter(({ name, directory }) => direct.has(name) || [...direct].some((one) => isVersionOf(one, directory)))
      .filter((entry) => !isFound(entry));
  });
  if (missing.length === 0) return [];
  const names = namedPackages(unique(missing.map(({ directory }) => directory)));
  return [
    { reason: `Cargo's copies of registries and repositories do not contain ${names}`, next: 'Run `cargo fetch`' },
  ];
}

/** True for a dependency such as `syn 1.0.0` and the directory `syn-1.0.0`. */
function isVersionOf(dependency: string, directory: string): boolean {
  return dependency.split(' ').slice(0, 2).join('-') === directory;
}

/** Returns the dependencies by path, of the root and of the workspaces in it, that are outside the project. */
function cratesOutside(root: string, workspaces: readonly string[]): MissingDependencies[] {
  const outside = unique(['', ...workspaces]).flatMap((workspace) => {
    const manifest = textIn(root, join(workspace, 'Cargo.toml'));
    const paths = [...manifest.matchAll(/\bpath\s*=\s*"([^"]+)"/g)].map(([, path = '']) => path);
    return paths.filter((path) => isAbsolute(path) || relativeWithin(root, join(root, workspace, path)) === undefined);
  });
  if (outside.length === 0) return [];
  return [{ reason: `${namedPackages(outside)} is outside the project`, next: 'Open that directory as a project' }];
}
