import { isAbsolute, join } from 'node:path';
import { namesIn } from '../../base/files.ts';
import { relativeWithin } from '../../base/paths.ts';
import type {
  DependencyProvider,
  DependencyRoot,
  DependentProject,
  MissingDependencies,
} from '../../project/dependencies/dependency-provider.ts';
import {
  directoriesWith,
  isPlainDirectory,
  linesIn,
  type ManifestReader,
  missingPackages,
  namedPackages,
  realDirectory,
} from '../../project/dependencies/manifest-reader.ts';

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
  find(project, manifests) {
    const workspaces = directoriesWith('Cargo.lock', project.root);
    const texts = workspaces.map((path) => manifests.textIn(project.root, join(path, 'Cargo.lock')));
    const listed = manifests.firstOf(lockEntries(texts), 'packages in `Cargo.lock` files');
    const locks = texts.map((_, lock) => listed.filter((entry) => entry.lock === lock));
    const registries = registrySources(project.env);
    const checkouts = cargoDirectory(project.env, 'git', 'checkouts');
    const inRegistries = unique(listed.flatMap(({ isFromRegistry, directory }) => (isFromRegistry ? directory : [])));
    const inCheckouts = checkedOut(listed, checkouts, manifests);
    const roots: DependencyRoot[] = registries.map((directory) => ({ directory, packages: inRegistries }));
    const packages = unique([...inCheckouts.values()]);
    if (checkouts !== undefined) roots.push({ directory: checkouts, packages });
    const isFound = (entry: LockEntry) =>
      inCheckouts.has(entry) ||
      (entry.isFromRegistry && registries.some((directory) => isPlainDirectory(join(directory, entry.directory))));
    return {
      roots,
      missing: () => [...missingCrates(locks, isFound), ...cratesOutside(project.root, workspaces, manifests)],
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

interface LockEntry {
  /** Index of its lock file. */
  readonly lock: number;
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

interface GitSource {
  /** Last part of the repository's URL, in lower case. */
  readonly repository: string;
  readonly commit: string;
}

/** Yields the packages in lock files. Each pattern is tried on one line: a lock file may consist of the begins of a match. */
function* lockEntries(locks: readonly string[]): Generator<LockEntry> {
  for (const [lock, text] of locks.entries()) {
    let fields: PackageFields = {};
    for (const line of linesIn(text)) {
      if (line === '[[package]]') {
        yield* entryOf(fields, lock);
        fields = { dependencies: [] };
      } else readField(line, fields);
    }
    yield* entryOf(fields, lock);
  }
}

/** What the lines of a package say; none without `dependencies`, which the lines before the first package lack. */
interface PackageFields {
  name?: string | undefined;
  version?: string | undefined;
  source?: string | undefined;
  dependencies?: string[];
  isInList?: boolean;
}

const maxFieldLength = 1_000;

function readField(line: string, fields: PackageFields): void {
  const { dependencies } = fields;
  if (dependencies === undefined || line.length > maxFieldLength) return;
  if (fields.isInList === true || line.startsWith('dependencies = [')) {
    for (const [, one = ''] of line.matchAll(/"([^"]*)"/g)) dependencies.push(one);
    fields.isInList = !line.trimEnd().endsWith(']');
    return;
  }
  const [, key, value] = /^(name|version|source) = "([^"]*)"/.exec(line) ?? [];
  if (key === 'name') fields.name ??= value;
  else if (key === 'version') fields.version ??= value;
  else if (key === 'source') fields.source ??= value;
}

function* entryOf(
  { name = '', version = '', source, dependencies }: PackageFields,
  lock: number,
): Generator<LockEntry> {
  if (dependencies === undefined || !/^[\w-]+$/.test(name) || !/^\d[\w.+-]*$/.test(version)) return;
  const kind = source === undefined ? undefined : /^\w*/.exec(source)?.[0];
  const isFromRegistry = kind === 'registry' || kind === 'sparse';
  const isLocal = source === undefined;
  const git = source === undefined ? undefined : gitSource(source);
  yield { lock, name, directory: `${name}-${version}`, isLocal, isFromRegistry, git, dependencies };
}

function gitSource(source: string): GitSource | undefined {
  const [, url = '', commit = ''] = /^git\+([^?#]+)[^#]*#([0-9a-f]{40})$/.exec(source) ?? [];
  const repository = /^([\w.-]*?)(?:\.git)?$/.exec(url.replace(/\/+$/, '').split('/').at(-1) ?? '')?.[1]?.toLowerCase();
  return repository === undefined || repository === '' || commit === '' ? undefined : { repository, commit };
}

/**
 * Returns where the packages from Git are in the directory of Cargo's checkouts. A checkout is named after the repository
 * and the commit; a package may be in any directory of it.
 */
function checkedOut(
  entries: readonly LockEntry[],
  checkouts: string | undefined,
  manifests: ManifestReader,
): ReadonlyMap<LockEntry, string> {
  const names = checkouts === undefined ? [] : namesIn(checkouts);
  const packages = new Map<string, ReadonlyMap<string, string>>();
  const found = new Map<LockEntry, string>();
  for (const entry of checkouts === undefined ? [] : entries) {
    for (const checkout of entry.git === undefined ? [] : checkoutsOf(entry.git, checkouts ?? '', names)) {
      const known = packages.get(checkout) ?? packagesIn(join(checkouts ?? '', checkout), manifests);
      packages.set(checkout, known);
      const inner = known.get(entry.name);
      if (inner !== undefined && !found.has(entry)) found.set(entry, inner === '' ? checkout : `${checkout}/${inner}`);
    }
  }
  return found;
}

function checkoutsOf({ repository, commit }: GitSource, checkouts: string, names: readonly string[]): string[] {
  const isOf = (name: string) => name.toLowerCase().replace(/-[0-9a-f]{16}$/, '') === repository;
  return names
    .filter(isOf)
    .flatMap((name) => namesIn(join(checkouts, name)).map((short) => ({ short, path: `${name}/${short}` })))
    .filter(
      ({ short, path }) => short.length >= 7 && commit.startsWith(short) && isPlainDirectory(join(checkouts, path)),
    )
    .map(({ path }) => path);
}

/** Returns the directories of the packages in a checkout, by name. */
function packagesIn(checkout: string, manifests: ManifestReader): ReadonlyMap<string, string> {
  const paths = directoriesWith('Cargo.toml', checkout);
  const found = paths.map(
    (path) => [packageIn(manifests.textIn(checkout, join(path, 'Cargo.toml'))) ?? '', path] as const,
  );
  return new Map(found.toReversed());
}

function packageIn(manifest: string): string | undefined {
  let isPackage = false;
  for (const line of linesIn(manifest)) {
    if (line.startsWith('[')) isPackage = line.startsWith('[package]');
    const name = isPackage ? /^[ \t]*name[ \t]*=[ \t]*["']([\w-]+)["']/.exec(line)?.[1] : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
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
    const versions = new Set([...direct].map(directoryOf));
    return entries
      .filter(({ isLocal }) => !isLocal)
      .filter(({ name, directory }) => direct.has(name) || versions.has(directory))
      .filter((entry) => !isFound(entry));
  });
  const names = unique(missing.map(({ directory }) => directory));
  return missingPackages(names, "Cargo's copies of registries and repositories do not contain", 'Run `cargo fetch`');
}

/** Returns the directory `syn-1.0.0` for a dependency such as `syn 1.0.0`. */
function directoryOf(dependency: string): string {
  return dependency.split(' ').slice(0, 2).join('-');
}

/** Returns the dependencies by path, of the root and of the workspaces in it, that are outside the project. */
function cratesOutside(root: string, workspaces: readonly string[], manifests: ManifestReader): MissingDependencies[] {
  const outside = unique(['', ...workspaces]).flatMap((workspace) => {
    const manifest = manifests.textIn(root, join(workspace, 'Cargo.toml'));
    const matches = manifest.matchAll(/\bpath[ \t]*=[ \t]*"([^"\n]+)"/g);
    const paths = manifests.firstOf(matches, 'paths in `Cargo.toml`').map(([, path = '']) => path);
    return paths.filter((path) => isAbsolute(path) || relativeWithin(root, join(root, workspace, path)) === undefined);
  });
  if (outside.length === 0) return [];
  return [{ reason: `${namedPackages(outside)} is outside the project`, next: 'Open that directory as a project' }];
}
