import type { DependencyName } from '../../search/dependency-address.ts';
import type { DependencyArchive, MissingDependencies } from './dependency-provider.ts';

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

/** A directory with sources of dependencies. */
export interface LocatedRoot {
  /** Absolute real path. */
  readonly directory: string;
  /** Relative paths of the packages in it that the project uses; absent means all of it. */
  readonly packages?: readonly string[] | undefined;
  /** Relative paths of the directories that a search covers. */
  readonly places: readonly string[];
}
