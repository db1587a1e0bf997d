import { isAbsolute, join } from 'node:path';
import { relativeWithin } from '../../base/paths.ts';
import type { DependencyProvider, DependentProject, MissingDependencies } from './dependency-provider.ts';
import { isPlainDirectory, namedPackages, namesIn, realDirectory, textIn } from './directories.ts';

/** The crates of registries that `Cargo.lock` lists, in Cargo's copies of their sources: `<cargo>/serde-1.0.0/src/lib.rs`. */
export const cargoCrates: DependencyProvider = {
  name: 'cargo',
  title: 'Rust crates',
  extensions: ['.rs'],
  skippedDirectories: [],
  find(project) {
    const entries = lockEntries(textIn(project.root, 'Cargo.lock'));
    const packages = entries.filter(({ isFromRegistry }) => isFromRegistry).map(({ directory }) => directory);
    const sources = registrySources(project.env);
    const registries = sources === undefined ? [] : namesIn(sources).map((name) => join(sources, name));
    const roots = registries.filter(isPlainDirectory).map((directory) => ({ directory, packages }));
    const isFound = (name: string) => registries.some((directory) => isPlainDirectory(join(directory, name)));
    return { roots, missing: () => [...missingCrates(entries, isFound), ...cratesOutside(project.root)] };
  },
};

function registrySources({ CARGO_HOME, HOME }: DependentProject['env']): string | undefined {
  const home = CARGO_HOME || (HOME === undefined ? '' : join(HOME, '.cargo'));
  return isAbsolute(home) ? realDirectory(join(home, 'registry', 'src')) : undefined;
}

/** A package in a lock file. */
interface LockEntry {
  readonly name: string;
  /** Name of its directory in a registry. */
  readonly directory: string;
  /** True for packages of this workspace, and for directories elsewhere that a manifest names. */
  readonly isLocal: boolean;
  readonly isFromRegistry: boolean;
  /** Names, each with a version if the lock file has several. */
  readonly dependencies: readonly string[];
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
    return [{ name, directory: `${name}-${version}`, isLocal: source === undefined, isFromRegistry, dependencies }];
  });
}

/** Crates that no package of the workspace names may belong to other platforms only, so that Cargo never fetched them. */
function missingCrates(entries: readonly LockEntry[], isFound: (directory: string) => boolean): MissingDependencies[] {
  if (entries.length === 0) {
    return [{ reason: 'the project root has no `Cargo.lock`', next: 'Run `cargo generate-lockfile`' }];
  }
  const direct = new Set(entries.filter(({ isLocal }) => isLocal).flatMap(({ dependencies }) => dependencies));
  const missing = entries
    .filter(({ isLocal }) => !isLocal)
    .filter(({ name, directory }) => direct.has(name) || [...direct].some((one) => isVersionOf(one, directory)))
    .filter(({ isFromRegistry, directory }) => !isFromRegistry || !isFound(directory));
  if (missing.length === 0) return [];
  const names = namedPackages(missing.map(({ directory }) => directory));
  return [{ reason: `Cargo's copies of registries do not contain ${names}`, next: 'Run `cargo fetch`' }];
}

/** True for a dependency such as `syn 1.0.0` and the directory `syn-1.0.0`. */
function isVersionOf(dependency: string, directory: string): boolean {
  return dependency.split(' ').slice(0, 2).join('-') === directory;
}

function cratesOutside(root: string): MissingDependencies[] {
  const paths = [...textIn(root, 'Cargo.toml').matchAll(/\bpath\s*=\s*"([^"]+)"/g)].map(([, path = '']) => path);
  const outside = paths.filter((path) => relativeWithin(root, path) === undefined);
  if (outside.length === 0) return [];
  return [{ reason: `${namedPackages(outside)} is outside the project`, next: 'Open that directory as a project' }];
}
