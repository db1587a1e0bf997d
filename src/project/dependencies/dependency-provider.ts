import type { DependencyName } from '../../search/dependency-address.ts';
import type { ManifestReader } from './manifest-reader.ts';

/** A project whose dependencies are located. */
export interface DependentProject {
  /** Absolute real path. */
  readonly root: string;
  /** True if the user allows links of the project to lead out of it. */
  readonly isTrusted: boolean;
  /** The environment that we were started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface DependencyRoot {
  /** Absolute real path. */
  readonly directory: string;
  /** Relative paths of the packages in it that the project uses, which may be missing; absent means all of it. */
  readonly packages?: readonly string[];
  /** Returns the relative paths of links to packages in the same directory, which a search follows. */
  links?(): readonly string[];
}

/** A zip archive with sources of dependencies. The path is that of the opened file, see {@link RootedPath}. */
export interface DependencyArchive {
  /** First part of the addresses of its files; `''` if the names in the archive are whole paths. */
  readonly prefix: string;
  /** Absolute real path of a directory that the archive must be in. */
  readonly root: string;
  readonly path: string;
}

/** Why sources of dependencies were not found, as clauses of a sentence. */
export interface MissingDependencies {
  readonly reason: string;
  readonly next: string;
}

/** The dependencies of a project in one language. */
interface FoundDependencies {
  /** The directory that takes precedence comes first. */
  readonly roots: readonly DependencyRoot[];
  /** Likewise. */
  readonly archives?: readonly DependencyArchive[];
  missing(): readonly MissingDependencies[];
}

/** Locates the dependencies of projects in one language. Reads files only; runs no program. */
export interface DependencyProvider {
  readonly name: DependencyName;
  /** What messages call the dependencies. */
  readonly title: string;
  /** Extensions of the files to search for symbols. */
  readonly extensions: readonly string[];
  /** Extensions of other files that use these dependencies. */
  readonly usedBy?: readonly string[];
  /** Names of directories that a search does not enter, except below a path that it names. */
  readonly skippedDirectories: readonly string[];
  /** Nothing in an untrusted project may select a directory that the user's tools would not select for any project. */
  find(project: DependentProject, manifests: ManifestReader): FoundDependencies;
}

/** What the worker thread that locates dependencies is asked. */
export interface DependencyOperations {
  locate: { query: { readonly name: DependencyName }; answer: LocatedDependencies };
}

/** The dependencies of a project in one language, as the worker thread found them. */
export interface LocatedDependencies {
  /** The directory that takes precedence comes first. */
  readonly roots: readonly LocatedRoot[];
  /** Likewise; absent for a language whose dependencies are in directories. */
  readonly archives: readonly DependencyArchive[] | undefined;
  /** Why dependencies may be missing. */
  readonly missing: readonly MissingDependencies[];
  /** Those of `missing` that are due to a limit of the reader. */
  readonly leftOut: readonly MissingDependencies[];
}

export interface LocatedRoot {
  /** Absolute real path. */
  readonly directory: string;
  /** Relative paths of the packages in it that the project uses; absent means all of it. */
  readonly packages?: readonly string[] | undefined;
  /** Relative paths of the directories that a search covers. */
  readonly places: readonly string[];
}
